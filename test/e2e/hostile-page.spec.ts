import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AppBench } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { copyElectron, PackedApp } from '../support/packed-app'
import { recordProcesses, type ProcessRecord } from '../support/process-record'

const run = promisify(execFile)
/** Recording makes the app slow. */
const within = { timeout: 180_000 }
/** Debian's user for programs that own no files. */
const user = 'nobody'

/** Servers that only count connections and packets. */
interface Listeners {
  port: number
  packets: () => number
  streams: () => number
  close: () => void
}

/** One port of the loopback interface for UDP and for TCP. */
async function startListeners(): Promise<Listeners> {
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

const test = base.extend<{ listeners: Listeners }>({
  listeners: async ({}, use) => {
    const listeners = await startListeners()
    await use(listeners)
    listeners.close()
  },
})

/** An app without protection, which saves downloads in the home folder. */
const openApp = `
const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 800, height: 600 })
  window.webContents.session.on('will-download', (_event, item) => item.setSavePath(app.getPath('home') + '/planted.txt'))
  window.loadFile('page.html')
})
`

test.setTimeout(300_000)
test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'takes root on Linux, to be another user')

/** The script of an attacker in the page, who listens on this port. */
async function hostileScript(port: number): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', 'support', 'hostile-page.js'), 'utf8')
  return text.replaceAll('HOSTILE_PORT', String(port))
}

/** Starts a packaged app as an ordinary user with Chromium's sandbox on, and records each of its processes. */
async function startRecorded(bench: AppBench, executable: string): Promise<ProcessRecord & { output: () => string }> {
  const record = await recordProcesses(bench.folder, { executable, user })
  await mkdir(bench.userData, { recursive: true })
  await run('chown', ['-R', user, bench.folder])
  await chmod(join(bench.folder, 'bus'), 0o777)
  const child = bench.spawnProgram(record.program, [`--user-data-dir=${bench.userData}`])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  return { ...record, output: () => output }
}

/** Written files outside the profile, the caches of desktop libraries and shared memory. */
function writtenOutside(bench: AppBench, written: ReadonlySet<string>): string[] {
  const folders = ['profile', 'cache', 'config', 'runtime', '.fontconfig'].map((name) => join(bench.folder, name))
  // Chromium writes a cache of fonts where the system's is older than its fonts.
  const own = [...folders, '/var/cache/fontconfig/', '/dev/', '/proc/']
  return [...written].filter(
    (path) => !own.some((each) => path.startsWith(each)) && !path.startsWith('/tmp/.org.chromium.Chromium.'),
  )
}

/** Sizes of the visible windows on the bench's screen. */
async function windowsOn(bench: AppBench): Promise<string[]> {
  const { stdout } = await run('xwininfo', ['-root', '-tree'], { env: { ...process.env, ...bench.environment() } })
  const all = [...stdout.matchAll(/^ {5}0x\w+ .* (\d{2,4}x\d{2,4})\+/gm)].map(([, size = '']) => size)
  // Chromium's own hidden windows are 10 or 200 px wide.
  return all.filter((size) => !/^(10x10|200x200)$/.test(size))
}

test(
  'with the sandbox on, hostile code in the page sends, saves and opens nothing',
  { tag: '@deep' },
  async ({ bench, listeners }) => {
    const script = await hostileScript(listeners.port)
    const packed = await PackedApp.create(bench.folder, async (sources) => {
      const assets = join(sources, 'out', 'renderer', 'assets')
      const name = (await readdir(assets)).find((each) => /^index-.*\.js$/.test(each)) ?? ''
      await writeFile(join(assets, name), `${await readFile(join(assets, name), 'utf8')}\n;${script}`)
    })
    const app = await startRecorded(bench, packed.executable)
    const said = async (name: string) => {
      const settings = await readFile(join(bench.userData, 'settings.json'), 'utf8').catch(() => '')
      return new RegExp(`"${name}: ([^"]*)"`).exec(settings)?.[1]
    }

    await test.step('alone', async () => {
      await expect.poll(() => said('alone'), within).toBe('nothing')
      expect(await windowsOn(bench)).toEqual(['1280x820'])
    })

    await test.step('through the bridge, which can only ask the user about a new host', async () => {
      await bench.peer.nextTrayItem()
      let longestMs = 0
      await expect(async () => {
        const askedAt = performance.now()
        await bench.peer.trayTooltip()
        longestMs = Math.max(longestMs, performance.now() - askedAt)
        expect(await said('by the bridge')).toBe('nothing')
      }).toPass({ ...within, intervals: [5] })
      test.info().annotations.push({ type: 'main answered within', description: `${longestMs.toFixed(0)} ms` })
      expect(await windowsOn(bench)).toHaveLength(2)
    })

    // The address of the app's own demo service.
    const demo = /^127\.0\.0\.1:\d+$/
    const addresses = [...(await app.addresses())]
    expect(addresses).toEqual([expect.stringMatching(demo)])
    expect(addresses).not.toEqual([`127.0.0.1:${listeners.port}`])
    expect([listeners.packets(), listeners.streams()]).toEqual([0, 0])
    expect(writtenOutside(bench, await app.written())).toEqual([])
    expect(app.output()).not.toContain('xdg-')
  },
)

test(
  'control: the same code sends, saves and opens files in an app without protection',
  { tag: '@deep' },
  async ({ bench, listeners }) => {
    const folder = join(bench.folder, 'open')
    const executable = await copyElectron(folder)
    const resources = join(folder, 'resources', 'app')
    await mkdir(resources)
    const files = {
      'package.json': '{ "main": "main.js" }',
      'main.js': openApp,
      'page.html': `<script type="module">${await hostileScript(listeners.port)}</script>`,
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(resources, name), text)
    const app = await startRecorded(bench, executable)
    await expect.poll(async () => [...(await app.addresses())], within).toContain(`127.0.0.1:${listeners.port}`)
    await expect.poll(() => listeners.packets(), within).toBeGreaterThan(0)
    await expect.poll(() => listeners.streams(), within).toBeGreaterThan(0)
    await expect.poll(async () => writtenOutside(bench, await app.written()), within).not.toEqual([])
    await expect.poll(async () => (await windowsOn(bench)).length, within).toBeGreaterThan(1)
    await expect.poll(app.output, within).toContain('xdg-')
  },
)
