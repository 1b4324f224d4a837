import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer as createWebhook } from 'node:https'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect } from '@playwright/test'
import { PrivateAuthority } from './self-signed'

const user = 'office'
const password = 'proxy-canary-77b0'

export interface OfficeNetwork {
  /** `host:port` of the proxy, which requires the user name and password. */
  proxy: string
  user: string
  password: string
  /** `host:port` of each tunnel requested from the proxy. */
  asked: () => string[]
  /** `host:port` of the service with WebSocket, REST and tools, behind TLS. */
  service: string
  /** The webhook also has a certificate of the company. */
  webhookUrl: string
  /** Bodies that the webhook received. */
  posted: string[]
  /** The file with the company's certificate authority. */
  authorities: string
  stop: () => void
}

/** A company network on this machine: a real proxy, a private authority, and the service on this port behind TLS. */
export async function startOfficeNetwork(folder: string, servicePort: number): Promise<OfficeNetwork> {
  const company = new PrivateAuthority('Company')
  const authorities = join(folder, 'authorities.pem')
  await writeFile(authorities, company.cert)
  const front = createTlsServer(company.issue(), (line) => {
    const far = connect(servicePort, '127.0.0.1')
    line.pipe(far).pipe(line)
    line.on('error', () => far.destroy())
    far.on('error', () => line.destroy())
  })
  const posted: string[] = []
  const webhook = createWebhook(company.issue(), (request, response) => {
    let body = ''
    request.on('data', (text: Buffer) => (body += text.toString()))
    request.on('end', () => {
      posted.push(body)
      response.end()
    })
  })
  const [service, hook] = [await listen(front), await listen(webhook)]
  const proxy = await startProxy(folder)
  return {
    ...{ user, password, authorities, posted, service, proxy: proxy.host, asked: proxy.asked },
    webhookUrl: `https://${hook}/hook`,
    stop: () => {
      proxy.stop()
      webhook.closeAllConnections()
      for (const server of [front, webhook]) server.close()
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Debian's tinyproxy, third-party software like a company's proxy. */
async function startProxy(folder: string) {
  const unused = createServer()
  const host = await listen(unused)
  await new Promise((resolve) => unused.close(resolve))
  const settings = join(folder, 'tinyproxy.conf')
  const [, port] = host.split(':')
  const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Timeout 600', 'LogLevel Connect', `BasicAuth ${user} ${password}`]
  await writeFile(settings, lines.join('\n'))
  const child = spawn('tinyproxy', ['-d', '-c', settings], { stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  child.stdout.on('data', (text: Buffer) => (log += text.toString()))
  await expect.poll(() => isListening(Number(port))).toBe(true)
  return {
    host,
    asked: () => [...log.matchAll(/: CONNECT (\S+) HTTP/g)].map(([, target = '']) => target),
    stop: () => child.kill(),
  }
}

async function isListening(port: number): Promise<boolean> {
  const line = connect(port, '127.0.0.1')
  try {
    await once(line, 'connect')
    return true
  } catch {
    return false
  } finally {
    line.destroy()
  }
}
