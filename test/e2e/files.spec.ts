import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { AppBench, connectionVariables } from '../support/app-bench'
import { addressOf, tellCatalogue } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'

let bench: AppBench
let service: ScriptedService

test.beforeEach(async () => {
  service = await ScriptedService.start()
  tellCatalogue(service)
  bench = await AppBench.create()
})

test.afterEach(async () => {
  await bench.dispose()
  await service.stop()
})

const damaged = '{"version":1,"watchlists":[{"id"'

async function setAside(stem: string): Promise<string[]> {
  const names = await readdir(bench.userData)
  return names.filter((name) => name.startsWith(`${stem}.corrupt-`))
}

test('a settings file and a value cache that are damaged: set aside, the last good copies used, one message each', async () => {
  const variables = connectionVariables(addressOf(service))
  const first = await bench.launch([], variables)
  const before = await first.watch()
  await before.expectState('Live')
  await expect(before.notices).toHaveCount(0)
  await before.ask('addIndex', { listId: 'watchlist', indexId: 'BRRNY' })
  await before.ask('addIndex', { listId: 'watchlist', indexId: 'BRRAP' })
  await expect(before.row('BRRAP')).toHaveCount(1)
  const chosen = await before.ids()
  service.sendValue('BRTI', '79767.340', Date.now())
  await before.expectValue('BRTI', '79767.340', '79,767.340')
  await first.quit()
  // A second run makes a good copy of the values.
  const second = await bench.launch([], variables)
  const watched = await second.watch()
  await watched.expectState('Live')
  service.sendValue('BRTI', '79768.340', Date.now())
  await watched.expectValue('BRTI', '79768.340', '79,768.340')
  await second.quit()
  await service.stop()
  for (const name of ['settings.json', 'quotes.json']) await writeFile(join(bench.userData, name), damaged)

  const third = await bench.launch([], variables)
  const watch = await third.watch()
  await watch.expectValue('BRTI', '79767.340', '79,767.340')
  const ids = await watch.ids()
  expect(ids).toEqual(chosen)
  await expect(watch.notices).toHaveCount(2)
  await expect(watch.notices.filter({ hasText: 'settings.json' })).toHaveCount(1)
  await expect(watch.notices.filter({ hasText: 'quotes.json' })).toHaveCount(1)
  for (const stem of ['settings', 'quotes']) {
    const names = await setAside(stem)
    expect(names).toEqual([expect.stringMatching(new RegExp(`^${stem}\\.corrupt-\\d{8}-\\d{6}\\.json$`))])
    expect(await readFile(join(bench.userData, names[0] ?? ''), 'utf8')).toBe(damaged)
  }
  await watch.notices.first().getByRole('button', { name: 'Dismiss' }).click()
  await expect(watch.notices).toHaveCount(1)
  await third.quit()

  const fourth = await bench.launch([], variables)
  const after = await fourth.watch()
  expect(await after.ids()).toEqual(ids)
  await expect(after.notices).toHaveCount(0)
  expect(fourth.pageErrors).toEqual([])
})

test('values are saved when the system ends the app', async () => {
  const variables = connectionVariables(addressOf(service))
  const first = await bench.launch([], variables)
  const watch = await first.watch()
  await watch.expectState('Live')
  service.sendValue('BRTI', '1.50', Date.now())
  await watch.expectValue('BRTI', '1.50', '1.50')
  const closed = first.app.waitForEvent('close')
  first.app.process().kill('SIGTERM')
  await closed
  expect(await readFile(join(bench.userData, 'quotes.json'), 'utf8')).toContain('"1.50"')
})
