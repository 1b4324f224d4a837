import { copyFile, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import type { WatchPage } from '../support/watch-page'

const damaged = '{"version":1,"watchlists":[{"id"'

/** The notices about a file. On a busy computer there may be one about a slow disk, too. */
const noticesOf = ({ notices }: WatchPage) => notices.filter({ hasText: /settings\.json|tape\.db/ })

test('damaged settings and a damaged history are set aside for the last good copies', async ({ bench, service }) => {
  const { running: first, watch: before } = await bench.launchLive(addressOf(service))
  await expect(noticesOf(before)).toHaveCount(0)
  await before.ask('addIndex', { listId: 'watchlist', indexId: 'BRRNY' })
  await before.ask('addIndex', { listId: 'watchlist', indexId: 'BRRAP' })
  await expect(before.row('BRRAP')).toHaveCount(1)
  const chosen = await before.ids()
  service.sendValue('BRTI', '79767.340', Date.now())
  await before.expectValue('BRTI', '79767.340', '79,767.340')

  await test.step('the log of a run is in the profile, readable only by its owner', async () => {
    const path = join(bench.userData, 'logs', 'indexwatch.log')
    expect(await readFile(path, 'utf8')).toMatch(/^\S+ INFO Indexwatch starts version="\d/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  await test.step('values are in the history when the system ends the app', async () => {
    const closed = first.app.waitForEvent('close')
    first.app.process().kill('SIGTERM')
    await closed
    const history = new Database(join(bench.userData, 'tape.db'))
    const last = history
      .prepare('SELECT "index", value, origin, connection FROM readable_value ORDER BY published DESC')
      .get()
    expect(last).toMatchObject({ index: 'BRTI', value: '79767.340', origin: 'stream', connection: 'Environment' })
    history.close()
  })
  // The app makes this copy once a day.
  await copyFile(join(bench.userData, 'tape.db'), join(bench.userData, 'tape-backup.db'))
  await service.stop()
  for (const name of ['settings.json', 'tape.db']) await writeFile(join(bench.userData, name), damaged)

  const second = await bench.launch([], connectionVariables(addressOf(service)))
  const watch = await second.watch()
  await watch.expectValue('BRTI', '79767.340', '79,767.340')
  const ids = await watch.ids()
  expect(ids).toEqual(chosen)
  await expect(noticesOf(watch)).toHaveCount(2)
  await expect(watch.notices.filter({ hasText: 'settings.json' })).toHaveCount(1)
  await expect(watch.notices.filter({ hasText: 'tape.db' })).toHaveCount(1)
  for (const pattern of [/^settings\.corrupt-\d{8}-\d{6}\.json$/, /^tape\.damaged-\d{8}-\d{6}\.db$/]) {
    const names = (await readdir(bench.userData)).filter((name) => pattern.test(name))
    expect(names).toHaveLength(1)
    expect(await readFile(join(bench.userData, names[0] ?? ''), 'utf8')).toBe(damaged)
  }
  await noticesOf(watch).first().getByRole('button', { name: 'Dismiss' }).click()
  await expect(noticesOf(watch)).toHaveCount(1)
  await second.quit()

  const third = await bench.launch([], connectionVariables(addressOf(service)))
  const after = await third.watch()
  expect(await after.ids()).toEqual(ids)
  await after.expectValue('BRTI', '79767.340', '79,767.340')
  await expect(noticesOf(after)).toHaveCount(0)
  expect(third.pageErrors).toEqual([])
})
