import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { PackedApp } from '../support/packed-app'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'

test('an app that is replaced while it runs keeps working, and the next start offers a restart', async ({
  bench,
  service,
}) => {
  const packed = await PackedApp.create(bench.folder)
  // A packaged app that Playwright may control.
  const variables = { ...connectionVariables(addressOf(service)), INDEXWATCH_DEV: '1' }
  const running = await bench.launch([], variables, packed.executable)
  const watch = await running.watch()
  await watch.expectState('Live')
  expect(await running.app.evaluate(({ app }) => app.isPackaged)).toBe(true)
  service.sendValue('BRTI', '67990.40', Date.now())
  await watch.expectValue('BRTI', '67990.40', '67,990.40')
  const messages = await running.answerMessages('Later')
  await running.closeWindows()

  const startAgain = async () => {
    const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), `--user-data-dir=${bench.userData}`]
    const env = { ...bench.environment(), ...variables }
    const second = spawn(packed.executable, args, { env, stdio: 'ignore' })
    expect(await once(second, 'exit')).toEqual([0, null])
  }
  await packed.replace('9.9.9')
  // Opens a new window, although its files have been replaced.
  const reopened = running.app.waitForEvent('window')
  await startAgain()
  const again = new WatchPage(await reopened)
  await again.expectState('Live')
  service.sendValue('BRTI', '67990.41', Date.now())
  await again.expectValue('BRTI', '67990.41', '67,990.41')
  await again.open('Settings')
  await expect(again.page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect.poll(messages).toEqual([expect.stringContaining('Indexwatch 9.9.9 is installed: restart to use it')])
  // The user is asked only once.
  await startAgain()
  expect(await messages()).toHaveLength(1)
  expect(running.pageErrors).toEqual([])

  await running.quit()
  const next = await bench.launch(['--hidden'], variables, packed.executable)
  expect(await next.app.evaluate(({ app }) => app.getVersion())).toBe('9.9.9')
  const settings = await readFile(join(bench.userData, 'settings.json'), 'utf8')
  expect(settings).toContain('BRTI')
})
