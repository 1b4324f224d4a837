import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import type { ElectronApplication, Page } from '@playwright/test'

/** Servers that only count connections and packets. */
export interface Listeners {
  port: number
  packets: () => number
  streams: () => number
  close: () => void
}

/** One port of the loopback interface for UDP and for TCP. */
export async function startListeners(): Promise<Listeners> {
  let packets = 0
  let streams = 0
  const tcp = createServer((socket) => {
    streams++
    socket.on('error', () => undefined)
  })
  await once(tcp.listen(0, '127.0.0.1'), 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4', () => packets++)
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    port,
    packets: () => packets,
    streams: () => streams,
    close: () => {
      tcp.close()
      udp.close()
    },
  }
}

/** Content of the file that `reachOut` downloads. */
export const downloadMarker = 'indexwatch-download-marker'

/**
 * Tries every way out of a page that a content policy does not cover: TURN and STUN calls, DNS prefetch and a download.
 * Resolves when the page has ended its call.
 */
export async function reachOut(page: Page, port: number): Promise<void> {
  await page.evaluate(
    async ({ port, marker }) => {
      interface Peer {
        createDataChannel: (name: string) => void
        createOffer: () => Promise<object>
        setLocalDescription: (offer: object) => Promise<void>
        iceGatheringState: string
        onicegatheringstatechange: () => void
        close: () => void
      }
      const { RTCPeerConnection, document, Blob, URL } = globalThis as unknown as {
        RTCPeerConnection: new (options: object) => Peer
        document: {
          createElement: (name: string) => Record<string, unknown> & { click: () => void }
          head: { append: (element: unknown) => void }
        }
        Blob: new (parts: string[]) => object
        URL: { createObjectURL: (blob: object) => string }
      }
      for (const rel of ['dns-prefetch', 'preconnect']) {
        document.head.append(
          Object.assign(document.createElement('link'), { rel, href: `https://${rel}.indexwatch.example` }),
        )
      }
      const download = document.createElement('a')
      Object.assign(download, { href: URL.createObjectURL(new Blob([marker])), download: 'planted.txt' })
      download.click()
      const turn = { username: 'u', credential: 'c' }
      const peer = new RTCPeerConnection({
        iceServers: [
          { urls: `turn:127.0.0.1:${port}?transport=udp`, ...turn },
          { urls: `turn:127.0.0.1:${port}?transport=tcp`, ...turn },
          { urls: 'stun:stun.indexwatch.example:3478' },
        ],
      })
      peer.createDataChannel('out')
      await peer.setLocalDescription(await peer.createOffer())
      // No peer answers. Gathering ends soon if nothing is reachable, and late otherwise.
      await new Promise<void>((resolve) => {
        peer.onicegatheringstatechange = () => {
          if (peer.iceGatheringState === 'complete') resolve()
        }
        setTimeout(resolve, 3_000)
      })
      peer.close()
    },
    { port, marker: downloadMarker },
  )
}

interface NetLog {
  constants: { logEventTypes: Record<string, number> }
  events: { type: number; params?: Record<string, unknown> }[]
}

/** Events of Chromium's network log that mean traffic. */
const networkEvents = ['HOST_RESOLVER_SYSTEM_TASK', 'HOST_RESOLVER_DNS_TASK', 'UDP_BYTES_SENT', 'TCP_CONNECT_ATTEMPT']

/** Logs the network of an app's Chromium while `run` runs. Returns the kinds of traffic seen. */
export async function networkUse(app: ElectronApplication, path: string, run: () => Promise<void>): Promise<string[]> {
  await app.evaluate(({ netLog }, file) => netLog.startLogging(file), path)
  await run()
  await app.evaluate(({ netLog }) => netLog.stopLogging())
  return usedIn(path)
}

/** Returns the kinds of traffic in a network log. */
export async function usedIn(path: string): Promise<string[]> {
  const log = JSON.parse(await readFile(path, 'utf8')) as NetLog
  const { logEventTypes } = log.constants
  const missing = networkEvents.filter((name) => !(name in logEventTypes))
  if (missing.length > 0) throw new Error(`this Chromium has no event ${missing.join(', ')}`)
  return networkEvents.filter((name) => log.events.some(({ type }) => type === logEventTypes[name]))
}

/** Returns the URLs that Chromium requested, or tried to, from a network log. */
export async function requestsIn(path: string): Promise<string[]> {
  const { events } = JSON.parse(await readFile(path, 'utf8')) as NetLog
  return events.flatMap(({ params }) => (typeof params?.['url'] === 'string' ? [params['url']] : []))
}
