import { execFileSync } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'

test.skip(process.platform === 'win32', 'Windows has no pipes among its files')

test('pipes in place of profile files are reported, and the app still starts and ends', async ({ bench }) => {
  const { userData } = bench
  await mkdir(join(userData, 'logs'), { recursive: true })
  const names = [
    ...['settings.json', 'settings.json.bak', 'secret.json', 'window.json', 'ticker.json', 'watched.json'],
    ...[join('logs', 'indexwatch.log'), 'tape-demo-backup.db'],
  ]
  for (const name of names) execFileSync('mkfifo', [join(userData, name)])
  await writeFile(join(userData, 'tape-demo.db'), 'no database\n'.repeat(1_000))
  const running = await bench.launch()
  const watch = await running.watch()
  await watch.expectState('Alerts are off')
  const { notices } = (await watch.snapshot()).state
  const said = notices.map(({ message }) => message).join('\n')
  expect(said).toContain('tape-demo-backup.db is a pipe, not a file.')
  expect(said).toContain('settings.json')
  expect((await stat(join(userData, 'tape-demo-backup.db'))).isFIFO()).toBe(true)
  await running.quit()
})
