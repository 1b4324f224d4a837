/** A wrong clock of the computer deletes no history. */
import { join } from 'node:path'
import Database from 'libsql'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import type { WatchPage } from '../support/watch-page'
import { WrongClock } from '../support/wrong-clock'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const fourYearsMs = 4 * 365 * dayMs + dayMs
const shifts = [hourMs, 365 * dayMs, fourYearsMs].flatMap((ms) => [ms, -ms])

test('a wrong clock, at the start or later, deletes no value of the history', async ({ bench, service }) => {
  const clock = new WrongClock(bench.folder)
  const variables = { ...connectionVariables(addressOf(service)), ...clock.variables }
  const texts = (id: string) => {
    const history = new Database(join(bench.userData, 'tape.db'), { readonly: true })
    const rows = history.prepare('SELECT value FROM readable_value WHERE "index" = ? ORDER BY published').raw().all(id)
    history.close()
    return rows.flat() as string[]
  }
  let historyDays: 30 | 90 = 90
  /** Makes the app clean up its history. It then deletes a tenth of the BRR values, which are too old by any clock. */
  const tidied = async (watch: WatchPage) => {
    const count = () => texts('BRR').length + texts('BRTI').length
    const before = count()
    historyDays = historyDays === 90 ? 30 : 90
    expect(await watch.ask('setPreferences', { historyDays })).toMatchObject({ ok: true })
    await expect.poll(count).toBeLessThan(before)
  }

  const nowMs = Date.now()
  const recent = Array.from({ length: 60 }, (_, at) => `${1_000 + at}.00`)
  const old = Array.from({ length: 250 }, (_, at) => `${2_000 + at}.00`)
  const first = await bench.launch([], variables)
  const watch = await first.watch()
  await watch.expectState('Live')
  for (const [at, value] of recent.entries()) service.sendValue('BRTI', value, nowMs - 60_000 + at * 200)
  await expect.poll(() => texts('BRTI')).toEqual(recent)
  for (const [at, value] of old.entries()) service.sendValue('BRR', value, nowMs - 5 * 365 * dayMs + at * hourMs)
  await expect.poll(() => texts('BRR').at(-1)).toBe(old.at(-1))
  // The clean-up of the start has finished as well.
  await tidied(watch)

  for (const aheadMs of shifts) {
    clock.set(aheadMs)
    await tidied(watch)
    expect(texts('BRTI')).toEqual(recent)
  }
  await first.quit()

  for (const aheadMs of [fourYearsMs, -fourYearsMs]) {
    clock.set(aheadMs)
    const wrong = await bench.launch([], variables)
    const page = await wrong.watch()
    await page.expectState('Live')
    const years = await page.page.evaluate(() => new Date().getUTCFullYear())
    expect(years).toBe(new Date(Date.now() + aheadMs).getUTCFullYear())
    await tidied(page)
    await wrong.quit()
    expect(texts('BRTI')).toEqual(recent)
  }

  clock.set(0)
  const right = await bench.launch([], variables)
  const last = await right.watch()
  await last.expectValue('BRTI', '1059.00', '1,059.00')
  await tidied(last)
  expect(texts('BRTI')).toEqual(recent)
})
