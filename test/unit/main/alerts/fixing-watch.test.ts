/** Rules on the next fixing in a whole engine. The fixing comes, comes late or is missing. */
import { describe, expect, test, vi } from 'vitest'
import { eventTitle } from '../../../../core/alert-event-words'
import type { EventFormat } from '../../../../core/evaluation/condition'
import type { AlertDraft } from '../../../../core/alerts'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft, wholeDay } from '../../../support/sample-alerts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** 16:00 in London, four hours after the start. */
const dueMs = startMs + 4 * hour
const next: AlertDraft = {
  ...levelDraft('', { indexId: 'BRR' }),
  terms: { condition: 'fixed', graceMs: 15 * minute },
}
const each: AlertDraft = { ...next, repeat: { mode: 'everyCrossing' } }
const format: EventFormat = { number: (value) => value, time: (ms) => new Date(ms).toISOString() }

/** An engine with a rule that has seen the fixing of the day before. */
async function openFixings(draft = each) {
  const opened = await openAlerts()
  const { clock, receive, fired, engine } = opened
  receive('BRR', { value: '100.00', publishedAtMs: dueMs - day })
  await engine.create(draft, 'wait', { id: 'BRR', value: '100.00', publishedAtMs: dueMs - day, source: 'stream' })
  /** Advances to a time after the due time. */
  const passTo = async (afterMs: number) => {
    clock.advance(dueMs + afterMs - clock.wallMs())
    await engine.flush()
    clock.advance(2_000)
    await engine.flush()
  }
  const titles = () => fired.map((event) => eventTitle(event, format))
  return { ...opened, passTo, titles }
}

const missing = 'BRR no fixing received by 16:15 London (expected 16:00)'

describe('the next fixing', () => {
  test('fires when it is published, unlike the one of the day before', async () => {
    const { receive, passTo, titles, engine, fired } = await openFixings(next)
    await passTo(0)
    expect(fired).toEqual([])
    receive('BRR', { value: '101.50', publishedAtMs: dueMs })
    await passTo(minute)
    expect(titles()).toEqual(['BRR published its fixing: 101.50'])
    expect(engine.views()[0]?.phase).toBe('triggered')
    await passTo(3 * day)
    expect(fired).toHaveLength(1)
  })

  test('is neither a value carried forward nor an amendment', async () => {
    const { receive, passTo, titles } = await openFixings()
    await passTo(0)
    receive('BRR', { value: '100.00', publishedAtMs: dueMs, isRepeatOfPrevious: true })
    receive('BRR', { value: '100.01', publishedAtMs: dueMs - day, amendedAtMs: dueMs + 1_000 })
    await passTo(14 * minute)
    expect(titles()).toEqual([])
    // A value carried forward leaves the fixing missing. Amended to a value of its own, it is there.
    await passTo(15 * minute)
    expect(titles()).toEqual([missing])
    receive('BRR', { value: '101.50', publishedAtMs: dueMs, amendedAtMs: dueMs + 20 * minute })
    await passTo(30 * minute)
    expect(titles().slice(1)).toEqual(['BRR published its fixing: 101.50 (late: value amended)'])
  })

  test('that was published while disconnected fires late after the backfill', async () => {
    const { learn, receive, passTo, fired } = await openFixings()
    await passTo(2 * day)
    fired.length = 0
    receive('BRR', { value: '103.50', publishedAtMs: dueMs + 2 * day })
    await learn(
      [
        { value: '101.50', publishedAtMs: dueMs },
        { value: '102.50', publishedAtMs: dueMs + day },
      ],
      'BRR',
    )
    await passTo(2 * day + minute)
    expect(fired.map(({ kind, inputs }) => [kind, inputs.value])).toEqual([
      ['fired', '103.50'],
      ['lateFromHistory', '101.50'],
      ['lateFromHistory', '102.50'],
    ])
  })

  test('that turns out to be carried forward is retracted', async () => {
    const { receive, passTo, fired } = await openFixings()
    await passTo(0)
    receive('BRR', { value: '101.50', publishedAtMs: dueMs })
    await passTo(minute)
    receive('BRR', { value: '100.00', publishedAtMs: dueMs, amendedAtMs: dueMs + 2 * minute, isRepeatOfPrevious: true })
    await passTo(5 * minute)
    expect(fired.map(({ kind }) => kind)).toEqual(['fired', 'retracted'])
  })
})

describe('a fixing that is missing', () => {
  test('fires once when its grace time is over, and a later fixing still fires', async () => {
    const { receive, passTo, titles, engine } = await openFixings(next)
    await passTo(15 * minute - 3_000)
    expect(titles()).toEqual([])
    await passTo(15 * minute)
    expect(titles()).toEqual([missing])
    expect(engine.views()[0]?.phase).toBe('armed')
    await passTo(23 * hour)
    expect(titles()).toHaveLength(1)
    receive('BRR', { value: '101.50', publishedAtMs: dueMs })
    await passTo(23 * hour + minute)
    expect(titles().slice(1)).toEqual(['BRR published its fixing: 101.50'])
    expect(engine.views()[0]?.phase).toBe('triggered')
  })

  test("is due by the service's time, even if the computer's clock is ahead", async () => {
    const { clock, passTo, titles } = await openFixings()
    clock.followService(clock, clock.wallMs() - 20 * minute - clock.monotonicMs())
    await passTo(16 * minute)
    await passTo(34 * minute)
    expect(titles()).toEqual([])
    await passTo(36 * minute)
    expect(titles()).toEqual([missing])
  })

  test('fires each day for a rule that fires every time', async () => {
    const { receive, passTo, titles } = await openFixings()
    await passTo(day + 15 * minute)
    expect(titles()).toEqual([missing, missing])
    await passTo(2 * day)
    receive('BRR', { value: '101.50', publishedAtMs: dueMs + 2 * day })
    await passTo(2 * day + hour)
    expect(titles().slice(2)).toEqual(['BRR published its fixing: 101.50'])
  })

  test('does not fire again after a restart', async () => {
    const before = await openFixings()
    await before.passTo(15 * minute)
    expect(before.titles()).toEqual([missing])
    const again = await openAlerts(before.history.reopened(), { clock: before.clock, prefix: 'x' })
    again.clock.advance(hour)
    await again.engine.flush()
    expect(again.fired).toEqual([])
  })

  test('fires after a start only if the service has not sent it within a minute', async () => {
    for (const comes of [true, false]) {
      const before = await openFixings()
      await before.passTo(0)
      await before.engine.leave()
      const history = before.history.reopened()
      before.clock.advance(hour)
      const again = await openAlerts(history, { clock: before.clock, prefix: 'x' })
      again.clock.advance(30_000)
      if (comes) again.receive('BRR', { value: '101.50', publishedAtMs: dueMs })
      await again.engine.flush()
      again.clock.advance(2 * minute)
      await again.engine.flush()
      again.clock.advance(2_000)
      expect(again.fired.map((event) => eventTitle(event, format))).toEqual([
        comes ? 'BRR published its fixing: 101.50' : missing,
      ])
    }
  })

  test('does not fire within a minute after the computer wakes', async () => {
    const { clock, engine, receive, titles } = await openFixings()
    clock.sleep(6 * hour)
    engine.woke()
    clock.advance(50_000)
    receive('BRR', { value: '101.50', publishedAtMs: dueMs })
    clock.advance(5 * minute)
    await engine.flush()
    clock.advance(2_000)
    expect(titles()).toEqual(['BRR published its fixing: 101.50'])
  })

  test('does not fire during a pause', async () => {
    const { engine, passTo, titles } = await openFixings()
    engine.setPaused(true)
    await passTo(hour)
    expect(titles()).toEqual([])
    engine.setPaused(false)
    await passTo(hour + 2 * minute)
    expect(titles()).toEqual([missing])
  })

  test('does not fire outside the hours of its rule or after its expiry', async () => {
    const night = await openFixings({ ...each, hours: wholeDay(startMs, 1) })
    await night.passTo(hour)
    expect(night.fired).toEqual([])
    const ended = await openFixings({ ...each, expiresAt: { atMs: dueMs + minute, timeZone: 'UTC' } })
    await ended.passTo(hour)
    expect(ended.fired.map(({ kind }) => kind)).toEqual(['expired'])
    // Nothing is checked in a loop.
    const planned = vi.spyOn(ended.clock, 'after')
    await ended.passTo(2 * hour)
    expect(planned.mock.calls.length).toBeLessThan(20)
  })

  test('fires for a rule created between the due time and the end of the grace time', async () => {
    const opened = await openAlerts()
    const { clock, engine, fired } = opened
    clock.advance(4 * hour + 5 * minute)
    const before = { value: '100.00', publishedAtMs: dueMs - day }
    opened.receive('BRR', before)
    await engine.create(next, 'wait', { id: 'BRR', ...before, source: 'stream' })
    clock.advance(10 * minute)
    await engine.flush()
    clock.advance(2_000)
    expect(fired.map((event) => eventTitle(event, format))).toEqual([missing])
  })
})
