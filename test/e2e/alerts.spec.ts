import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app-test'
import type { AppBench } from '../support/app-bench'
import { levelDraft } from '../support/sample-alerts'

/** Moves the time until which the ended app watched `agoMs` into the past. Returns that time in ms. */
async function watchedEarlier(bench: AppBench, agoMs: number): Promise<number> {
  const path = join(bench.userData, 'watched.json')
  const record = JSON.parse(await readFile(path, 'utf8')) as { untilMs: number }
  const untilMs = record.untilMs - agoMs
  await writeFile(path, JSON.stringify({ ...record, untilMs }))
  return untilMs
}

test('an alert fires once across a restart, and once across a kill while it is notified', async ({
  bench,
  service,
  alerts,
}) => {
  const first = await alerts.launch(bench)
  alerts.publish('100.00')
  await first.watch.expectValue('BRTI', '100.00', '100.00')
  await first.make(levelDraft('110.00'))
  await first.running.quit()
  const agoMs = 3 * 3_600_000
  await watchedEarlier(bench, agoMs)

  const second = await alerts.launch(bench)
  await expect(second.watch.page.getByText('stopped unexpectedly')).toHaveCount(0)
  alerts.publish('110.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 110.00 (level 110.00)')
  await expect.poll(() => second.deliveries()).toEqual(['shown'])
  await second.make(levelDraft('120.00'))
  await second.make({ ...levelDraft('130.00'), repeat: { mode: 'everyCrossing' } })
  alerts.publish('135.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 135.00 (level 120.00)')
  await second.running.kill()
  const untilMs = await watchedEarlier(bench, agoMs)

  const third = await alerts.launch(bench)
  const from = new Date(untilMs).toISOString().slice(11, 16)
  const told = third.watch.page.getByRole('region', { name: 'Notice' }).filter({ hasText: 'stopped unexpectedly' })
  await expect(told).toHaveText(
    new RegExp(`Indexwatch stopped unexpectedly and missed (\\d+ \\w+ )?${from}–\\d\\d:\\d\\d`),
  )
  const fired = async () => (await third.inbox()).toReversed().map(({ terms, inputs }) => [terms, inputs.value])
  expect(await fired()).toEqual([
    [{ condition: 'risesTo', level: '110.00' }, '110.00'],
    [{ condition: 'risesTo', level: '120.00' }, '135.00'],
    [{ condition: 'risesTo', level: '130.00' }, '135.00'],
  ])
  expect((await third.deliveries()).at(-1)).toBe('shown')
  // The service repeats the value, then sends a later one above the level.
  service.sendValue('BRTI', '135.00', alerts.timeMs)
  alerts.publish('136.00')
  await third.watch.expectValue('BRTI', '136.00', '136.00')
  alerts.publish('100.00')
  alerts.publish('131.00')
  // The kill may have come before the second notification. No firing from before the kill is notified now.
  const shown = [(await bench.peer.nextNotification()).summary]
  if (shown[0] === 'BRTI rose to 135.00 (level 130.00)') shown.push((await bench.peer.nextNotification()).summary)
  expect(shown.at(-1)).toBe('BRTI rose to 131.00 (level 130.00)')
  expect(bench.peer.unreadCount).toBe(0)
  expect((await fired()).map(([, value]) => value)).toEqual(['110.00', '135.00', '135.00', '131.00'])
  expect((await third.state()).alerts).toMatchObject([
    { terms: { level: '110.00' }, phase: 'triggered' },
    { terms: { level: '120.00' }, phase: 'triggered' },
    { terms: { level: '130.00' } },
  ])
})
