import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { formsIn, secretForms } from '../support/secret-scan'

test('--demo overrides the connection of the environment, and a demo that ends is restarted', async ({
  bench,
  service,
}) => {
  const variables = connectionVariables(addressOf(service))
  const path = join(bench.folder, 'report.png')
  const demo = await bench.launch(['--demo', `--report=${path}`], variables)
  const shown = await demo.watch()
  await shown.expectState('Demo')
  await shown.expectState('Live')

  await test.step('a report prints the first live values and writes a picture of the window', async () => {
    await expect.poll(demo.output).toContain(`screenshot: ${path}`)
    expect(demo.output()).toMatch(/^BRTI [\d,]+\.\d{2} published \d\d:\d\d:\d\d\.\d{3}$/m)
    const picture = await readFile(path)
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.length).toBeGreaterThan(10_000)
  })

  await test.step('a demo service that ends is started again', async () => {
    const demoProcess = () =>
      demo.app.evaluate(({ app }) => {
        const found = app.getAppMetrics().find((metric) => metric.name === 'Indexwatch demo service')
        return found?.pid
      })
    const pid = await demoProcess()
    if (pid === undefined) throw new Error('there is no demo process')
    process.kill(pid, 'SIGKILL')
    await expect.poll(demoProcess).not.toBe(pid)
    await expect.poll(demoProcess).toBeGreaterThan(0)
    await shown.expectState('Live')
    const value = await shown.published('BRTI')
    await expect.poll(() => shown.published('BRTI')).not.toBe(value)
  })
  expect(service.handshakes).toHaveLength(0)
  await demo.quit()

  const real = await bench.launch([], variables)
  await test.step('a value of the demo service never replaces one of a real service', async () => {
    const watch = await real.watch()
    await watch.expectState('Live')
    await expect(watch.row('BRTI')).toHaveCount(1)
    await expect(watch.value('BRTI')).toHaveCount(0)
  })

  await test.step('an error in the main process ends the app with code 1, without a dialog', async () => {
    const exited = once(real.app.process(), 'exit')
    await real.app.evaluate(() => {
      setTimeout(() => {
        throw new Error('planted')
      })
    })
    const [code] = (await exited) as [number | null]
    expect(code).toBe(1)
    expect(real.output()).toContain('planted')
  })
})

test(
  'a demo service that cannot start is tried three times more, and the app shows Offline',
  { tag: '@deep' },
  async ({ bench }) => {
    const child = bench.spawn(['--demo', '--hidden'], {
      // From version 37 on, Electron only warns in its utility processes.
      NODE_OPTIONS: '--require ./test/support/no-listening.cjs --unhandled-rejections=warn',
    })
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    await bench.peer.nextTrayItem()
    await expect.poll(() => said.split('The demo service ended code=1').length - 1).toBe(4)
    expect(said).toContain('demo service: Port 0 cannot be used: planted')
    await expect.poll(() => bench.peer.trayTooltip()).toContain('Offline')
  },
)

test('an address that cannot be used ends the start with code 2 and names the variable', async ({ bench }) => {
  const child = bench.spawn([], { INDEXWATCH_WS_URL: 'nonsense', INDEXWATCH_KEY_ID: 'id' })
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(2)
  expect(said).toContain('Indexwatch: INDEXWATCH_WS_URL: ')
})

/** Creates a folder whose programs write a trace file when loaded. Returns both paths. */
async function hostileFolder(parent: string): Promise<{ folder: string; trace: string }> {
  const [folder, trace] = [join(parent, 'hostile'), join(parent, 'loaded')]
  const program = `require('node:fs').appendFileSync(${JSON.stringify(trace)}, __filename)`
  const places = [
    'index.js',
    'main.js',
    'app/index.js',
    'resources/app/index.js',
    'node_modules/electron-store/index.js',
  ]
  for (const place of places) {
    await mkdir(dirname(join(folder, place)), { recursive: true })
    await writeFile(join(folder, place), program)
  }
  await writeFile(join(folder, 'package.json'), '{ "main": "main.js" }')
  return { folder, trace }
}

test('a packaged app names and refuses an unknown switch, and accepts its own', async ({ bench }) => {
  const log = join(bench.folder, 'net.json')
  // Without a display, because the app would otherwise wait for a user to close a dialog.
  const refused = await bench.spawnPackaged([`--log-net-log=${log}`], { DISPLAY: '' })
  let said = ''
  refused.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(refused, 'close')) as [number | null]
  expect(code).toBe(2)
  expect(said).toContain(`Indexwatch: --log-net-log=${log} is not allowed.`)
  expect(existsSync(log)).toBe(false)
  // The control: without the switch the app starts.
  const { folder, trace } = await hostileFolder(bench.folder)
  const started = await bench.spawnPackaged(['--demo', '--hidden'], {}, folder)
  const lines: string[] = []
  started.stderr.on('data', (data: Buffer) => lines.push(data.toString()))
  await expect.poll(() => lines.join('')).toContain('Indexwatch starts')
  // The app loads nothing from its working directory. The next program does, which proves that the trap works.
  expect(existsSync(trace)).toBe(false)
  await promisify(execFile)(process.execPath, ['-e', "require('./app')"], { cwd: folder })
  expect(existsSync(trace)).toBe(true)
})

test('a start with a given folder that is not writable ends', async ({ bench }) => {
  const file = join(bench.folder, 'bus.conf')
  const child = bench.spawn([`--user-data-dir=${join(file, 'profile')}`])
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(2)
  expect(said).toContain('--user-data-dir')
})

test('if nothing can be saved, a second start still opens the window of the first', async ({ bench, service }) => {
  const variables = {
    ...connectionVariables(addressOf(service)),
    // Not even root can create a folder in a file.
    XDG_CONFIG_HOME: join(bench.folder, 'bus.conf', 'config'),
    TMPDIR: bench.folder,
  }
  const first = bench.spawn(['--user-data-dir=', '--hidden'], variables)
  await expect.poll(() => service.connectionCount).toBe(1)
  const second = bench.spawn(['--user-data-dir=', '--hidden'], variables)
  let said = ''
  second.stderr.on('data', (data: Buffer) => (said += data.toString()))
  expect(await once(second, 'close')).toEqual([0, null])
  expect(said).toContain('Indexwatch is running already')
  expect(service.handshakes).toHaveLength(1)
  expect(first.exitCode).toBeNull()
})

test('a variable that makes Node print requests, including the key, ends the start', async ({ bench, service }) => {
  const variables = { ...connectionVariables(addressOf(service)), NODE_DEBUG: 'http,net' }
  const child = bench.spawn(['--hidden'], variables)
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const closed = once(child, 'close')
  await Promise.race([closed, expect.poll(() => service.connectionCount).toBe(1)])
  const { keyId, keySecret } = addressOf(service)
  expect(formsIn(Buffer.from(said), secretForms(keyId, keySecret))).toEqual([])
  expect(await closed).toEqual([2, null])
  expect(said).toContain('Indexwatch: NODE_DEBUG')
})

test('the app keeps running when the terminal that started it is closed', async ({ bench, service }) => {
  const child = bench.spawn([], connectionVariables(addressOf(service)))
  const ended = once(child, 'exit')
  child.stdout.destroy()
  child.stderr.destroy()
  await expect.poll(() => service.connectionCount).toBe(1)
  // Each message writes a log line to the closed stderr.
  for (let count = 0; count < 5; count++) service.send(`{"type":"surprise${count}"}`)
  service.drop()
  await expect.poll(() => service.handshakes.length).toBeGreaterThan(1)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
