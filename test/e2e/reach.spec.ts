import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { _electron, type ElectronApplication } from '@playwright/test'
import { contentSecurityPolicy } from '../../main/desktop/page-files'
import type { AppBench } from '../support/app-bench'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

interface NetLog {
  constants: { logEventTypes: Record<string, number> }
  events: { type: number; params?: Record<string, unknown> }[]
}

/** Events of Chromium's network log that mean traffic. */
const networkEvents = ['HOST_RESOLVER_SYSTEM_TASK', 'HOST_RESOLVER_DNS_TASK', 'UDP_BYTES_SENT', 'TCP_CONNECT_ATTEMPT']

/** Returns the kinds of traffic in a network log. */
async function usedIn(path: string): Promise<string[]> {
  const log = JSON.parse(await readFile(path, 'utf8')) as NetLog
  const { logEventTypes } = log.constants
  const missing = networkEvents.filter((name) => !(name in logEventTypes))
  if (missing.length > 0) throw new Error(`this Chromium has no event ${missing.join(', ')}`)
  return networkEvents.filter((name) => log.events.some(({ type }) => type === logEventTypes[name]))
}

/** Returns the URLs that Chromium requested, or tried to, from a network log. */
async function requestsIn(path: string): Promise<string[]> {
  const { events } = JSON.parse(await readFile(path, 'utf8')) as NetLog
  return events.flatMap(({ params }) => (typeof params?.['url'] === 'string' ? [params['url']] : []))
}

const isRoot = process.getuid?.() === 0

/** An app without protection. */
const openApp = `
const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => new BrowserWindow({ show: false }).loadURL('data:text/html,open'))
`

async function launchOpen(bench: AppBench): Promise<ElectronApplication> {
  const folder = join(bench.folder, 'open')
  await mkdir(folder)
  await writeFile(join(folder, 'main.js'), openApp)
  return _electron.launch({
    args: [join(folder, 'main.js'), `--user-data-dir=${bench.userData}`],
    env: bench.environment(),
    chromiumSandbox: !isRoot,
  })
}

test(
  'the content policy and Trusted Types each stop text from running as code',
  { tag: '@deep' },
  async ({ bench }) => {
    const isOfTypes = (directive: string) => directive.includes('trusted-types')
    const directives = contentSecurityPolicy.split('; ')
    const policies: Record<string, string> = {
      none: '',
      'the content policy': directives.filter((each) => !isOfTypes(each)).join('; '),
      'Trusted Types': directives.filter(isOfTypes).join('; '),
    }
    const server = createServer((request, response) => {
      const policy = policies[decodeURIComponent(request.url?.slice(1) ?? '')]
      if (policy === undefined) {
        response.setHeader('content-type', 'text/javascript').end('globalThis.ran.push("script from elsewhere")')
        return
      }
      response.setHeader('content-type', 'text/html')
      if (policy !== '') response.setHeader('content-security-policy', policy)
      response.end('<!doctype html><body></body>')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const app = await launchOpen(bench)
    const page = await app.firstWindow()
    const ranUnder = async (name: string) => {
      await page.goto(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`)
      await page.evaluate((elsewhere) => {
        Object.assign(globalThis, { ran: [] })
        // The page's policy does not apply to code that the test evaluates, but it applies to a timer.
        const later = (run: () => void) => setTimeout(run)
        const add = <T extends 'script' | 'div'>(tag: T, change: (element: HTMLElementTagNameMap[T]) => void) => {
          const element = document.createElement(tag)
          change(element)
          document.body.append(element)
        }
        later(() => void window.eval('globalThis.ran.push("text")'))
        later(() => add('script', (element) => (element.text = 'globalThis.ran.push("script")')))
        later(() => add('script', (element) => (element.src = elsewhere)))
        later(() =>
          add('div', (element) =>
            Object.assign(element, { innerHTML: '<img src="data:," onerror="ran.push(\'markup\')">' }),
          ),
        )
      }, `http://localhost:${port}/script.js`)
      await page.waitForTimeout(300)
      return page.evaluate(() => (globalThis as unknown as { ran: string[] }).ran.sort())
    }
    expect(await ranUnder('none')).toEqual(['markup', 'script', 'script from elsewhere', 'text'])
    expect(await ranUnder('the content policy')).toEqual([])
    expect(await ranUnder('Trusted Types')).toEqual([])
    await app.close()
    server.closeAllConnections()
    server.close()
  },
)

test('from start to end the app connects only to its service and its desktop', async ({ bench, service }) => {
  const netLog = join(bench.folder, 'net.json')
  const connections = join(bench.folder, 'connections')
  const child = bench.spawn([`--log-net-log=${netLog}`], {
    ...connectionVariables(addressOf(service)),
    NODE_OPTIONS: '--require ./test/support/node-connections.cjs',
    NODE_CONNECTIONS: connections,
  })
  await expect.poll(() => service.connectionCount).toBe(1)
  // Long enough for Chromium's own requests, which come with the first page, and for the app to fetch missed values.
  await delay(5_000)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  expect(await usedIn(netLog)).toEqual([])
  expect(await requestsIn(netLog)).toEqual([])
  const asked = new Set((await readFile(connections, 'utf8')).trim().split('\n'))
  expect(asked).toEqual(new Set([new URL(service.webSocketUrl).host, join(bench.folder, 'bus')]))
})
