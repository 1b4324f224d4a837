import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionVariables, type AppBench } from '../support/app-bench'
import { expect, test as appTest } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { hostsFromNowOn } from '../support/reached-hosts'
import { UpdateServer } from '../support/update-server'

const test = appTest.extend<{ server: UpdateServer }>({
  server: async ({}, use) => {
    const server = await UpdateServer.start()
    await use(server)
    await server.stop()
  },
})

/** A script in place of an AppImage. When started, it writes its arguments and version to files beside it. */
const program = (version: string) =>
  Buffer.from(`#!/bin/sh\n[ "$1" = --version ] && exit\necho "$*" > "$0.arguments"\necho ${version} > "$0.started"\n`)

/** Prepares the app to run as an AppImage from a folder that the user may write. */
async function appImage(bench: AppBench) {
  const path = join(bench.folder, 'Indexwatch.AppImage')
  await writeFile(path, program('0.1.0'))
  await chmod(path, 0o755)
  await mkdir(bench.userData, { recursive: true })
  await writeFile(join(bench.userData, 'app-update.yml'), 'updaterCacheDirName: indexwatch-updater\n')
  const recordPath = join(bench.userData, 'update.json')
  return {
    path,
    variables: { APPIMAGE: path, APPDIR: '/' },
    record: async () =>
      (existsSync(recordPath) ? JSON.parse(await readFile(recordPath, 'utf8')) : undefined) as unknown,
    keepRecord: (record: unknown) => writeFile(recordPath, JSON.stringify(record)),
    expectStarted: async (version: string) => {
      await expect.poll(() => existsSync(`${path}.started`)).toBe(true)
      await expect.poll(() => readFile(`${path}.started`, 'utf8')).toBe(`${version}\n`)
    },
  }
}

test(
  'an AppImage finds a newer version, downloads it, and a restart puts it in its place',
  { tag: '@deep' },
  async ({ bench, service, server }) => {
    const { path, variables, record, expectStarted } = await appImage(bench)
    server.publish({ version: '0.2.0', file: program('0.2.0'), notes: 'Added: much' })
    const running = await bench.launch([], {
      ...connectionVariables(addressOf(service)),
      ...variables,
      INDEXWATCH_UPDATE_URL: server.url,
    })
    const watch = await running.watch()
    const { page } = watch
    await watch.expectState('Live')
    const hosts = await hostsFromNowOn(running)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('check for updates')
    await page.getByRole('option', { name: 'Check for updates' }).click()
    const banner = page.getByRole('region', { name: 'New version' })
    await expect(banner).toContainText('Indexwatch 0.2.0 is ready')
    expect(await readFile(path)).toEqual(program('0.1.0'))
    // The update server is the only host besides the service.
    const { host } = new URL(server.url)
    const known = [host, new URL(service.webSocketUrl).host]
    const asked = await hosts()
    expect(asked).toContain(host)
    expect(asked.filter((each) => !known.includes(each))).toEqual([])
    const closed = running.app.waitForEvent('close')
    await banner.getByRole('button', { name: 'Restart now' }).click()
    await closed
    await expectStarted('0.2.0')
    expect(await readFile(path)).toEqual(program('0.2.0'))
    expect(await readFile(`${path}.previous`)).toEqual(program('0.1.0'))
    expect(await record()).toEqual({ pending: { from: '0.1.0', to: '0.2.0', path, starts: 0 } })
  },
)

test(
  'a version that exits twice before showing its window is rolled back and reported',
  { tag: '@deep' },
  async ({ bench }) => {
    const { path, variables, record, keepRecord, expectStarted } = await appImage(bench)
    // The state after the update from 0.0.9.
    await writeFile(`${path}.previous`, program('0.0.9'), { mode: 0o755 })
    const pending = { from: '0.0.9', to: '0.1.0', path, starts: 0 }
    await keepRecord({ pending })
    for (const starts of [1, 2]) {
      // Chromium exits by itself when the display is gone.
      await once(bench.spawn([], { ...variables, DISPLAY: ':4095' }), 'exit')
      expect(await record()).toEqual({ pending: { ...pending, starts } })
    }
    const wanted = ['--hidden', 'indexwatch://index/BRTI']
    const [code] = (await once(bench.spawn(wanted, variables), 'exit')) as [number | null]
    expect(code).toBe(0)
    await expectStarted('0.0.9')
    expect(await readFile(`${path}.arguments`, 'utf8')).toContain(wanted.join(' '))
    expect(await readFile(path)).toEqual(program('0.0.9'))
    expect(existsSync(`${path}.previous`)).toBe(false)
    expect(await record()).toEqual({ refused: { version: '0.1.0', isSaid: false } })

    const before = await bench.launch([], variables)
    await expect((await before.watch()).notices).toContainText('Indexwatch 0.1.0 failed to start twice')
    await before.quit()
    expect(await record()).toEqual({ refused: { version: '0.1.0', isSaid: true } })
  },
)

test(
  'a start that shows its window or is ended by the user does not count as failed',
  { tag: '@deep' },
  async ({ bench }) => {
    const { path, variables, record, keepRecord } = await appImage(bench)
    await writeFile(`${path}.previous`, program('0.0.9'))
    const pending = { from: '0.0.9', to: '0.1.0', path, starts: 1 }
    await keepRecord({ pending })
    const running = await bench.launch([], variables)
    await (await running.watch()).expectState('Live')
    expect(await record()).toEqual({ pending })
    await running.quit()
    expect(await record()).toBeUndefined()
    expect(existsSync(`${path}.previous`)).toBe(false)
  },
)

test(
  'other packages link to the website and install nothing, and the demo checks no server',
  { tag: '@deep' },
  async ({ bench, service, server }) => {
    server.publish({ version: '0.2.0', file: program('0.2.0') })
    const bin = join(bench.folder, 'bin')
    const opened = join(bench.folder, 'opened')
    await mkdir(bin)
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
    const variables = { INDEXWATCH_UPDATE_URL: server.url, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    const running = await bench.launch([], { ...connectionVariables(addressOf(service)), ...variables })
    const watch = await running.watch()
    await watch.expectState('Live')
    await watch.page.evaluate(() => {
      const { indexwatch } = globalThis as unknown as { indexwatch: { checkForUpdates: (args: object) => unknown } }
      return indexwatch.checkForUpdates({})
    })
    const banner = watch.page.getByRole('region', { name: 'New version' })
    await expect(banner).toContainText('Indexwatch 0.2.0 is available')
    await banner.getByRole('button', { name: 'Open website' }).click()
    await expect.poll(() => existsSync(opened)).toBe(true)
    await expect.poll(() => readFile(opened, 'utf8')).toBe('https://indexwatch.example/\n')
    await running.quit()
    expect(server.asked).toEqual(['/app/latest-linux.yml'])

    const demo = await bench.launch(['--demo'], variables)
    expect((await (await demo.watch()).snapshot()).state.update).toBeUndefined()
  },
)
