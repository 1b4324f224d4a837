import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  NotificationPolicy,
  type PolicyEvent,
  type PolicyVerdict,
} from '../../../../main/alerts/policy/notification-policy'
import type { AlertEvent } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import { MemoryTape } from '../../../support/memory-tape'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

afterEach(() => {
  vi.restoreAllMocks()
})

const kinds = (events: readonly AlertEvent[]) => events.map(({ kind, delivery }) => `${kind}, ${delivery}`)

async function openFiring(draft: AlertDraft = above) {
  const opened = await openWithRule(draft, '99')
  await opened.engine.flush()
  return opened
}

/** Of what has no end nothing comes due. */
const ending: AlertDraft = { ...above, expiresAt: { atMs: startMs + 400 * 86_400_000, timeZone: 'UTC' } }

/** What a judgement says, in place of what the policy would. */
function decideAs(verdict: PolicyVerdict) {
  return vi.spyOn(NotificationPolicy.prototype, 'decide').mockReturnValue(verdict)
}

function comeDue(...events: PolicyEvent[]) {
  vi.spyOn(NotificationPolicy.prototype, 'due')
    .mockReturnValueOnce({ events, hasChanged: true })
    .mockReturnValue({ events: [], hasChanged: false })
}

describe('a firing that is held back', () => {
  test('is in the inbox with the reason, and nobody is notified', async () => {
    const { engine, publish, fired } = await openFiring()
    const decide = decideAs({ heldBackBy: 'cooldown', events: [] })
    publish('100')
    await engine.flush()
    expect(fired).toEqual([])
    expect(engine.inbox()).toMatchObject([{ kind: 'fired', delivery: 'heldBack', heldBackBy: 'cooldown', number: 1 }])
    expect(decide).toHaveBeenCalledWith(
      expect.objectContaining(above),
      expect.objectContaining({ number: 1 }),
      startMs + 1_000,
    )
  })

  test('by a suspension that it brings about itself notifies of that once', async () => {
    const { engine, publish, fired, tape } = await openFiring()
    decideAs({ heldBackBy: 'suspended', events: [{ ruleId: 'a', kind: 'suspended', reason: 'It fired 15 times.' }] })
    publish('100')
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'suspended', reason: 'It fired 15 times.', number: 2, delivery: 'pending' }])
    expect(tape.written.at(-1)).toMatchObject({ events: [{ kind: 'fired' }, { kind: 'suspended' }] })
  })

  test('of a suspended rule says so in its view, and one that has expired in its own', async () => {
    const { engine, publish, fired } = await openFiring()
    const of = vi.spyOn(NotificationPolicy.prototype, 'of')
    of.mockReturnValue({ suspension: 'It fired 15 times.', cooldown: { untilMs: startMs, heldBack: 2 } })
    expect(engine.views()).toMatchObject([
      { phase: 'suspended', suspension: 'It fired 15 times.', cooldown: { untilMs: startMs, heldBack: 2 } },
    ])
    of.mockReturnValue({ isExpired: true })
    expect(engine.views()).toMatchObject([{ phase: 'expired' }])
    of.mockReturnValue({ suspension: 'It fired 15 times.' })
    publish('101')
    await engine.flush()
    expect(engine.inbox()).toMatchObject([{ kind: 'fired', heldBackBy: 'suspended' }])
    expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
    expect(fired).toEqual([])
  })
})

test('a rule is shown what was published before its end, however late, and nothing after it', async () => {
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

describe('what time brings about', () => {
  test('is recorded, stored and notified: the end of a cooldown with its last value', async () => {
    const { engine, publish, clock, fired, tape } = await openFiring(ending)
    vi.spyOn(NotificationPolicy.prototype, 'nextDueMs').mockReturnValue(clock.wallMs() + 60_000)
    publish('100')
    await engine.flush()
    const last = engine.inbox()[0]
    if (last === undefined) throw new Error('nothing fired')
    fired.length = 0
    comeDue({ ruleId: 'a', kind: 'cooldownOver', heldBackCount: 3, last })
    clock.advance(60_000)
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'cooldownOver', heldBackCount: 3, inputs: { value: '100' }, number: 2 }])
    expect(tape.written.at(-1)).toMatchObject({ events: [{ kind: 'cooldownOver' }] })
  })

  test('comes before a value that is seen later, where the machine slept over it', async () => {
    const until = { atMs: startMs + 60_000, timeZone: 'Europe/London' }
    const opened = await openAlerts()
    vi.spyOn(NotificationPolicy.prototype, 'nextDueMs').mockReturnValue(until.atMs)
    await opened.engine.create({ ...above, expiresAt: until }, 'wait', undefined)
    opened.publish('99')
    opened.clock.sleep(7_200_000)
    comeDue({ ruleId: 'a', kind: 'expired' })
    opened.publish('101')
    await opened.engine.flush()
    expect(kinds(opened.engine.inbox())).toEqual(['expired, pending'])
  })

  test('is planned again on waking, is not waited for longer than a clock can, and not asked for without end', async () => {
    const { engine, clock } = await openFiring(ending)
    const next = vi.spyOn(NotificationPolicy.prototype, 'nextDueMs').mockReturnValue(clock.wallMs() + 100 * 86_400_000)
    const due = vi.spyOn(NotificationPolicy.prototype, 'due')
    engine.woke()
    expect(due).toHaveBeenCalledTimes(1)
    clock.advance(25 * 86_400_000)
    expect(due).toHaveBeenCalledTimes(2)
    next.mockReturnValue(clock.wallMs() - 1)
    engine.woke()
    clock.advance(1_000)
    expect(due.mock.calls.length).toBeLessThan(6)
    engine.dispose()
    expect(clock.pending).toBe(0)
  })

  test('while the app was closed comes when its files are read', async () => {
    const { engine, tape } = await openFiring(ending)
    await engine.flush()
    comeDue({ ruleId: 'a', kind: 'expiresSoon' })
    const next = await openAlerts(tape.reopened())
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ kind: 'expiresSoon', ruleId: 'a' }])
  })

  test('is recorded and not notified where a snooze holds it back', async () => {
    const { engine, fired } = await openFiring(ending)
    comeDue({ ruleId: 'a', kind: 'expired', heldBackBy: 'muted' }, { ruleId: 'gone', kind: 'expired' })
    engine.woke()
    await engine.flush()
    expect(engine.inbox()).toMatchObject([{ kind: 'expired', delivery: 'heldBack', heldBackBy: 'muted' }])
    expect(fired).toEqual([])
  })

  test('comes before the firing at which it is found, and a suspension after it', async () => {
    const { engine, publish } = await openFiring()
    const news = [
      { ruleId: 'a', kind: 'cooldownOver', heldBackCount: 1 },
      { ruleId: 'a', kind: 'suspended' },
    ] as const
    decideAs({ events: [...news] })
    publish('100')
    await engine.flush()
    expect(engine.inbox().map(({ kind, number }) => [kind, number])).toEqual([
      ['suspended', 3],
      ['fired', 2],
      ['cooldownOver', 1],
    ])
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
  ] as const)('that undoes an event whose notification is %s is %s', async (delivery, retraction) => {
    const { engine, publish, receive, fired } = await openFiring()
    publish('100')
    await engine.flush()
    engine.noteDelivery('b', delivery)
    receive('BRTI', amended('98'))
    await engine.flush()
    const inputs = { value: '98', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 5_000 }
    expect(engine.inbox()[0]).toMatchObject({ kind: 'retracted', aboutEventId: 'b', inputs, delivery: retraction })
    expect(engine.inbox()[1]).toMatchObject({ kind: 'fired', id: 'b' })
    expect(fired.filter(({ kind }) => kind === 'retracted')).toHaveLength(retraction === 'pending' ? 1 : 0)
  })

  test('that leaves an event true is recorded and not notified', async () => {
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

  test('that makes a rule fire late is notified unless held back', async () => {
    const { engine, publish, receive, fired } = await openFiring()
    publish('99')
    receive('BRTI', amended('100'))
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'lateByAmendment', inputs: amended('100') }])
    await engine.arm('a', undefined)
    decideAs({ heldBackBy: 'snooze', events: [] })
    publish('99')
    publish('99.5')
    receive('BRTI', { value: '103', publishedAtMs: startMs + 3_000, amendedAtMs: startMs + 9_000 })
    await engine.flush()
    expect(kinds(engine.inbox())).toEqual(['lateByAmendment, heldBack', 'lateByAmendment, pending'])
  })

  test('of the latest value goes the same way, and a rule that waits for amendments fires', async () => {
    const { engine, receive, quotes, fired } = await openFiring()
    await engine.create({ ...above, terms: { condition: 'amended' } }, 'wait', quotes.get('BRTI'))
    receive('BRTI', { value: '99.5', publishedAtMs: startMs, amendedAtMs: startMs + 9_000 })
    await engine.flush()
    expect(fired).toMatchObject([{ kind: 'fired', terms: { condition: 'amended' }, inputs: { value: '99.5' } }])
  })

  test('that was missed fires late for a rule that waits for amendments, and one it has seen does not', async () => {
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

test('a snooze is an event of each rule it is about, one where it is about an index or all; read, and not notified', async () => {
  const { engine, fired, tape } = await openAlerts()
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
  expect(engine.inbox()[0]).not.toHaveProperty('note')
  expect(engine.inbox()[0]).toMatchObject({ kind: 'snoozed', isMute: true, untilMs, delivery: 'none', isRead: true })
  expect([engine.unreadCount(), fired]).toEqual([0, []])
  expect((await openAlerts(tape.reopened())).engine.unreadCount()).toBe(0)
  expect(await engine.snooze({ of: 'all' }, startMs)).toMatchObject({ ok: false, problem: { code: 'snoozeOver' } })
})

test('nothing is written on a tape of a newer version, whatever is asked', async () => {
  const tape = new MemoryTape()
  tape.problem = { code: 'newerVersion', message: 'The history is of a newer version.' }
  const { engine } = await openAlerts(tape)
  expect(await engine.snooze({ of: 'all' }, null)).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.endSnooze({ of: 'all' })).toMatchObject({ problem: { code: 'newerAlerts' } })
  expect(await engine.createAll([above], () => undefined)).toMatchObject({ problem: { code: 'newerAlerts' } })
  engine.woke()
  await engine.flush()
  expect(tape.written).toEqual([])
})
