import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { _electron } from '@playwright/test'
import { connectionVariables } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import {
  downloadMarker,
  networkUse,
  requestsIn,
  usedIn,
  reachOut,
  startListeners,
  type Listeners,
} from '../support/reach-out'
import { addressOf } from '../support/scripted-rest'
import { filesWith } from '../support/secret-scan'

const test = base.extend<{ listeners: Listeners }>({
  listeners: async ({}, use) => {
    const listeners = await startListeners()
    await use(listeners)
    listeners.close()
  },
})

const isRoot = process.getuid?.() === 0

/** An app that forbids its page nothing. */
const openApp = `
const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => new BrowserWindow({ show: false }).loadURL('data:text/html,open'))
`

test('a script in the page sends no packet, opens no line, asks for no name and saves no file', async ({
  bench,
  service,
  listeners,
}) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const used = await networkUse(running.app, join(bench.folder, 'net.json'), () => reachOut(watch.page, listeners.port))
  expect(used).toEqual([])
  expect([listeners.packets(), listeners.streams()]).toEqual([0, 0])
  expect(await filesWith(bench.folder, [downloadMarker])).toEqual([])
})

test('the same is seen where nothing forbids it', async ({ bench, listeners }) => {
  const folder = join(bench.folder, 'open')
  await mkdir(folder)
  await writeFile(join(folder, 'main.js'), openApp)
  const app = await _electron.launch({
    args: [join(folder, 'main.js'), `--user-data-dir=${bench.userData}`],
    env: bench.environment(),
    chromiumSandbox: !isRoot,
  })
  const page = await app.firstWindow()
  const used = await networkUse(app, join(bench.folder, 'net.json'), () => reachOut(page, listeners.port))
  const saved = await filesWith(bench.folder, [downloadMarker])
  await app.close()
  expect(used).toContain('HOST_RESOLVER_SYSTEM_TASK')
  expect(used).toContain('UDP_BYTES_SENT')
  expect(used).toContain('TCP_CONNECT_ATTEMPT')
  expect(listeners.packets()).toBeGreaterThan(0)
  expect(listeners.streams()).toBeGreaterThan(0)
  expect(saved).toHaveLength(1)
})

test('from start to end the app connects to its service, the desktop it runs on, and nobody else', async ({
  bench,
  service,
}) => {
  const netLog = join(bench.folder, 'net.json')
  const connections = join(bench.folder, 'connections')
  const child = bench.spawn([`--log-net-log=${netLog}`], {
    ...connectionVariables(addressOf(service)),
    NODE_OPTIONS: '--require ./test/support/node-connections.cjs',
    NODE_CONNECTIONS: connections,
  })
  await expect.poll(() => service.connectionCount).toBe(1)
  // What Chromium asks for by itself it asks at the first page; the service is asked for what was missed until then.
  await delay(5_000)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  expect(await usedIn(netLog)).toEqual([])
  expect(await requestsIn(netLog)).toEqual([])
  const asked = new Set((await readFile(connections, 'utf8')).trim().split('\n'))
  expect(asked).toEqual(new Set([new URL(service.webSocketUrl).host, join(bench.folder, 'bus')]))
})
