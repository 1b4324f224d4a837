import { describe, expect, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const kinds = (events: readonly AlertEvent[]) => events.map(({ kind, delivery }) => `${kind}, ${delivery}`)

async function openFiring(draft: AlertDraft = above) {
  const opened = await openWithRule(draft, '99')
  await opened.engine.flush()
  return opened
}

test('a rule fires for a late value from before its expiry, but for none after it', async () => {
  const end = { atMs: startMs + 5_000, timeZone: 'Europe/London' }
  const { engine, clock, publish, receive, fired } = await openFiring({ ...above, expiresAt: end })
  clock.advance(9_000)
  publish('101')
  await engine.flush()
  expect(fired.map(({ kind }) => kind)).toEqual(['expired'])
  receive('BRTI', { value: '102', publishedAtMs: startMs + 4_000 })
  await engine.flush()
  clock.advance(2_000)
  expect(fired).toMatchObject([{ kind: 'expired' }, { kind: 'lateFromHistory', inputs: { value: '102' } }])
})

describe('an expiry', () => {
  const day = 86_400_000
  const endingIn = (ms: number): AlertDraft => ({ ...above, expiresAt: { atMs: startMs + ms, timeZone: 'UTC' } })

  test('comes before a later value if the computer slept through it', async () => {
    const { engine, clock, publish } = await openFiring(endingIn(60_000))
    clock.sleep(7_200_000)
    publish('101')
    await engine.flush()
    expect(kinds(engine.inbox())).toEqual(['expired, pending'])
  })

  test('comes on its day, even far ahead, with one timer', async () => {
    const { engine, clock, fired } = await openFiring(endingIn(100 * day))
    engine.woke()
    expect(clock.pending).toBe(1)
    clock.advance(99 * day - 2_000)
    expect(fired).toEqual([])
    clock.advance(2_000)
    await engine.flush()
    clock.advance(day)
    await engine.flush()
    expect(fired.map(({ kind }) => kind)).toEqual(['expiresSoon', 'expired'])
    engine.dispose()
    expect(clock.pending).toBe(0)
  })

  test('has its warning at the start if the app was closed', async () => {
    const { history } = await openFiring(endingIn(10 * day))
    const next = await openAlerts(history.reopened(), { clock: new FakeClock(startMs + 9.5 * day) })
    expect(next.fired).toMatchObject([{ kind: 'expiresSoon', ruleId: 'a' }])
  })

  test('is recorded and not notified if a mute suppresses it', async () => {
    const { engine, clock, fired } = await openFiring(endingIn(60_000))
    await engine.snooze({ of: 'all' }, null)
    clock.advance(60_000)
    await engine.flush()
    expect(kinds(engine.inbox())).toEqual(['expired, heldBack', 'snoozed, none'])
    expect(fired).toEqual([])
  })
})

describe('an amendment', () => {
  const amended = (value: string) => ({ value, publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 5_000 })

  test.each([
    ['shown', 'pending'],
    ['clicked', 'pending'],
    ['unknown', 'pending'],
    ['inDigest', 'pending'],
    ['pending', 'pending'],
    ['failed', 'pending'],
    ['off', 'none'],
  ] as const)('that undoes an event of delivery %s is a retraction of delivery %s', async (delivery, retraction) => {
    const { engine, publish, receive, fired } = await openFiring()
    publish('100')
    await engine.flush()
    engine.noteOutcome('b', { delivery })
    receive('BRTI', amended('98'))
    await engine.flush()
    const inputs = { value: '98', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 5_000 }
    expect(engine.inbox()[0]).toMatchObject({ kind: 'retracted', aboutEventId: 'b', inputs, delivery: retraction })
    expect(engine.inbox()[1]).toMatchObject({ kind: 'fired', id: 'b' })
    expect(fired.filter(({ kind }) => kind === 'retracted')).toHaveLength(retraction === 'pending' ? 1 : 0)
  })

  test('that confirms an event is recorded and not notified', async () => {
    const { engine, publish, receive, fired } = await openFiring()
    publish('100')
    receive('BRTI', amended('100.5'))
    await engine.flush()
    expect(kinds(engine.inbox())).toEqual(['confirmed, none', 'fired, pending'])
    expect(fired).toHaveLength(1)
    expect(engine.explain('a')[0]).toMatchObject({
      words: 'Re-evaluated: it still fired.',
      value: '100.5',
    })
  })

  test('that makes a rule fire late is notified unless suppressed', async () => {
    const { engine, publish, receive, fired } = await openFiring()
    publish('99')
    receive('BRTI', amended('100'))
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'lateByAmendment', inputs: amended('100') }])
    await engine.arm('a', undefined)
    await engine.snooze({ of: 'rule', ruleId: 'a' }, null)
    publish('99')
    publish('99.5')
    receive('BRTI', { value: '103', publishedAtMs: startMs + 3_000, amendedAtMs: startMs + 9_000 })
    await engine.flush()
    expect(kinds(engine.inbox())).toEqual(['lateByAmendment, heldBack', 'snoozed, none', 'lateByAmendment, pending'])
  })

  test('of the latest value fires a rule that waits for amendments', async () => {
    const { engine, receive, quotes, fired } = await openFiring()
    await engine.create({ ...above, terms: { condition: 'amended' } }, 'wait', quotes.get('BRTI'))
    receive('BRTI', { value: '99.5', publishedAtMs: startMs, amendedAtMs: startMs + 9_000 })
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'fired', terms: { condition: 'amended' }, inputs: { value: '99.5' } }])
  })

  test('that was missed makes a rule on amendments fire late once', async () => {
    const { engine, receive, learn, quotes, clock, fired } = await openFiring()
    const every = { repeat: { mode: 'everyCrossing' } } as const
    await engine.create({ ...above, ...every, terms: { condition: 'amended' } }, 'wait', quotes.get('BRTI'))
    const seen = { value: '99.5', publishedAtMs: startMs, amendedAtMs: startMs + 9_000 }
    receive('BRTI', seen)
    await learn([seen, { value: '98', publishedAtMs: startMs - 1_000, amendedAtMs: startMs + 10_000 }])
    clock.advance(2_000)
    expect(fired.map(({ kind, inputs }) => [kind, inputs.value])).toEqual([
      ['fired', '99.5'],
      ['lateFromHistory', '98'],
    ])
  })
})

test('a snooze is one read event for each rule, or one for an index or all', async () => {
  const { engine, fired, history } = await openAlerts()
  for (const [level, indexId] of [
    ['1', 'BRTI'],
    ['2', 'BRTI'],
    ['3', 'NCI'],
  ] as const) {
    await engine.create(
      { ...levelDraft(level, { indexId }), group: level === '1' ? 'swing' : 'other', note: 'mine' },
      'wait',
      undefined,
    )
  }
  const untilMs = startMs + 3_600_000
  const recordedFor = async (scope: Parameters<typeof engine.snooze>[0]) => {
    const before = engine.inbox().length
    expect(await engine.snooze(scope, untilMs)).toEqual({ ok: true, value: null })
    return engine
      .inbox()
      .slice(0, engine.inbox().length - before)
      .map(({ ruleId }) => ruleId)
  }
  expect(await recordedFor({ of: 'rule', ruleId: 'b' })).toEqual(['b'])
  expect(await recordedFor({ of: 'index', indexId: 'BRTI' })).toEqual(['a'])
  expect(await recordedFor({ of: 'group', group: 'other' })).toEqual(['c', 'b'])
  expect(engine.inbox()[0]).not.toHaveProperty('isMute')
  expect(await recordedFor({ of: 'all' })).toEqual(['a'])
  expect(engine.inbox()[0]?.note).toBeUndefined()
  expect(engine.inbox()[0]).toMatchObject({ kind: 'snoozed', isMute: true, untilMs, delivery: 'none', isRead: true })
  expect([engine.unreadCount(), fired]).toEqual([0, []])
  expect((await openAlerts(history.reopened())).engine.unreadCount()).toBe(0)
  expect(await engine.snooze({ of: 'all' }, startMs)).toMatchObject({ ok: false, problem: { code: 'snoozeOver' } })
})

test('neither a command nor a value writes to a history of a newer version', async () => {
  const history = new MemoryHistory()
  history.problem = { code: 'newerVersion', message: 'The history is of a newer version.' }
  const { engine, notices, publish } = await openAlerts(history)
  expect([notices, engine.isJudging]).toEqual([[], false])
  expect(await engine.snooze({ of: 'all' }, null)).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.endSnooze({ of: 'all' })).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.create(above, 'wait', undefined)).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.createAll([above], () => undefined)).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.setLevel('a', '1', undefined)).toMatchObject({ problem: { code: 'newerAlerts' } })
  publish('100')
  engine.woke()
  await engine.flush()
  expect(history.written).toEqual([])
})
