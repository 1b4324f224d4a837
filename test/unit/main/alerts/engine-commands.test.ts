import { describe, expect, test } from 'vitest'
import { maxRules } from '../../../../main/alerts/refusals'
import type { AlertDraft, RuleValidity } from '../../../../core/alerts'
import { BusyClock } from '../../../support/busy-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

describe('editing a rule', () => {
  test('begins it again as its next version, and its inbox keeps what it was', async () => {
    const { engine, publish, fired, quotes } = await openWithRule(above, '99', '100')
    await engine.flush()
    const draft: AlertDraft = { ...levelDraft('90', { condition: 'fallsTo' }), note: 'Lower.', severity: 'urgent' }
    const outcome = await engine.edit('a', draft, 'wait', quotes.get('BRTI'))
    expect(outcome).toMatchObject({ ok: true, value: { ...draft, id: 'a', version: 2, phase: 'armed' } })
    publish('89')
    await engine.flush()
    expect(fired).toMatchObject([
      { ruleVersion: 1, terms: above.terms },
      { ruleVersion: 2, terms: draft.terms, note: 'Lower.', severity: 'urgent' },
    ])
  })

  test('forgets what the version before was judged by', async () => {
    const { engine } = await openWithRule(above, '99')
    expect(engine.explain('a')).toMatchObject([{ value: '99', phaseBefore: 'waiting', phaseAfter: 'armed' }])
    await engine.edit('a', levelDraft('200'), 'wait', undefined)
    expect(engine.explain('a')).toEqual([])
  })

  test('into one that is there already, or of one that is gone, is refused', async () => {
    const { engine } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    await engine.create(levelDraft('200'), 'wait', undefined)
    expect(await engine.edit('b', levelDraft('0100'), 'wait', undefined)).toMatchObject({
      problem: { code: 'duplicate' },
    })
    expect(await engine.edit('z', above, 'wait', undefined)).toMatchObject({ problem: { code: 'unknownRule' } })
    expect(await engine.edit('a', { ...above, note: 'Same.' }, 'wait', undefined)).toMatchObject({ ok: true })
  })
})

describe('arming a rule again', () => {
  test('that is done has it wait for its condition once more, with the same words', async () => {
    const { engine, publish, fired, quotes } = await openWithRule(above, '99', '100')
    expect(await engine.arm('a', quotes.get('BRTI'))).toMatchObject({ value: { version: 1, phase: 'disarmed' } })
    publish('99')
    publish('101')
    await engine.flush()
    expect(fired.map(({ inputs }) => inputs.value)).toEqual(['100', '101'])
  })

  test('that has expired, or is gone, is refused with what to do', async () => {
    const { engine, clock } = await openAlerts()
    await engine.create(
      { ...above, expiresAt: { atMs: startMs + 1_000, timeZone: 'Europe/London' } },
      'wait',
      undefined,
    )
    clock.advance(1_000)
    const refusal = await engine.arm('a', undefined)
    expect(refusal).toMatchObject({ ok: false, problem: { code: 'expiresAt' } })
    expect(!refusal.ok && refusal.problem.message).toContain('choose a later expiry')
    expect(await engine.arm('z', undefined)).toMatchObject({ problem: { code: 'unknownRule' } })
  })
})

describe('several drafts at once', () => {
  test('are all made, in one write', async () => {
    const { engine, history } = await openAlerts()
    expect(await engine.createAll([above, levelDraft('200')], () => undefined)).toEqual({
      ok: true,
      value: { adds: 2 },
    })
    expect(engine.views().map(({ id, phase }) => [id, phase])).toEqual([
      ['a', 'waiting'],
      ['b', 'waiting'],
    ])
    expect(history.written).toHaveLength(1)
  })

  test('begin with the latest value, so that the very next one may be the crossing', async () => {
    const { engine, publish, fired, quotes } = await openAlerts()
    publish('150')
    await engine.createAll([above, levelDraft('200')], (id) => quotes.get(id))
    expect(engine.views().map(({ phase }) => phase)).toEqual(['disarmed', 'armed'])
    publish('250')
    await engine.flush()
    expect(fired).toMatchObject([{ ruleId: 'b', inputs: { value: '250' } }])
  })

  test('wait for the next value where the latest is of an earlier run', async () => {
    const { engine, quotes } = await openAlerts()
    quotes.seed([{ id: 'BRTI', value: '150', publishedAtMs: startMs, source: 'cache' }])
    await engine.createAll([levelDraft('200')], (id) => quotes.get(id))
    expect(engine.views()).toMatchObject([{ phase: 'waiting' }])
  })

  test.each([
    ['there already', [levelDraft('300'), levelDraft('100')], 'duplicate'],
    ['twice among them', [levelDraft('300'), levelDraft('0300')], 'duplicate'],
    ['without a level', [levelDraft('300'), levelDraft('1,5')], 'level'],
    ['too many', Array.from({ length: maxRules }, (_, at) => levelDraft(`${at + 1_000}`)), 'tooManyRules'],
  ])('are not made where one is %s', async (_, drafts, code) => {
    const { engine, history } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    expect(await engine.createAll(drafts, () => undefined)).toMatchObject({ ok: false, problem: { code } })
    expect(engine.views()).toHaveLength(1)
    expect(history.written).toHaveLength(1)
  })

  /** A clock with short turns, so that thousands of rules take many. */
  const openBusy = () => openAlerts(new MemoryHistory(), { clock: new BusyClock(startMs) })
  const thousands = Array.from({ length: 1_200 }, (_, at) => levelDraft(`${at + 1_000}`))

  test('leave turns for values, which the rules created so far are evaluated on', async () => {
    const { engine, publish, fired } = await openBusy()
    await engine.create(above, 'wait', undefined)
    publish('99')
    let isMade = false
    const making = engine.createAll(thousands, () => undefined).then(() => (isMade = true))
    await new Promise((resolve) => setImmediate(resolve))
    publish('101')
    expect(isMade).toBe(false)
    await making
    await engine.flush()
    expect(fired.map(({ ruleId }) => ruleId)).toEqual(['a'])
    expect(engine.views()).toHaveLength(1_201)
  })

  test('are there once each, also one that is made by hand while many are being made', async () => {
    const { engine } = await openBusy()
    const making = engine.createAll(thousands, () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await engine.create(levelDraft('2199'), 'wait', undefined)).toMatchObject({ ok: true })
    expect(await making).toEqual({ ok: true, value: { adds: 1_199 } })
    expect(engine.views()).toHaveLength(1_200)
  })

  test('are all made where one that is made by hand meanwhile takes the last place', async () => {
    const { engine } = await openBusy()
    const most = Array.from({ length: maxRules }, (_, at) => levelDraft(`${at + 1_000}`))
    const making = engine.createAll(most, () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await engine.create(above, 'wait', undefined)).toMatchObject({ ok: true })
    expect(await making).toEqual({ ok: true, value: { adds: maxRules } })
  })

  test('are not made for the service that is used next', async () => {
    const { engine } = await openBusy()
    const making = engine.createAll(thousands, () => undefined)
    await engine.leave()
    expect(await making).toMatchObject({ ok: false, problem: { code: 'notReady' } })
    expect(engine.views()).toEqual([])
  })
})

describe('a rule that is deleted', () => {
  test('is notified of no more, though it fired and its event was being stored', async () => {
    const { engine, publish, fired, history } = await openWithRule(above)
    await engine.create(levelDraft('100.5'), 'wait', undefined)
    publish('99')
    await engine.flush()
    const letThrough = history.holdWrites()
    publish('101')
    const removing = engine.remove('a')
    letThrough()
    await removing
    await engine.flush()
    expect(fired.map(({ ruleId }) => ruleId)).toEqual(['b'])
    expect(engine.inbox().map(({ ruleId, delivery }) => [ruleId, delivery])).toEqual([
      ['b', 'pending'],
      ['a', 'off'],
    ])
    expect((await openAlerts(history.reopened())).engine.views().map(({ id }) => id)).toEqual(['b'])
  })

  test('stays away when its index publishes again, also one that is in no list', async () => {
    const { engine, publish, fired } = await openAlerts()
    await engine.create(levelDraft('100', { indexId: 'NCI' }), 'wait', undefined)
    publish('99', { id: 'NCI' })
    publish('101', { id: 'NCI' })
    await engine.flush()
    expect(fired).toHaveLength(1)
    await engine.remove('a')
    publish('99', { id: 'NCI' })
    publish('101', { id: 'NCI' })
    engine.considerPast('NCI', { value: '50', publishedAtMs: startMs })
    await engine.flush()
    expect(fired).toHaveLength(1)
    expect(engine.explain('a')).toEqual([])
  })
})

describe('undoing the deletion of a rule', () => {
  test('brings back the same rule with its version, state, history and place', async () => {
    const { engine, publish, fired, quotes, history, clock } = await openWithRule(above, '99', '100')
    await engine.create(levelDraft('500'), 'wait', quotes.get('BRTI'))
    await engine.edit('a', levelDraft('98', { condition: 'fallsTo' }), 'wait', quotes.get('BRTI'))
    publish('97')
    await engine.snooze({ of: 'rule', ruleId: 'a' }, clock.wallMs() + 60_000)
    await engine.flush()
    const before = { views: engine.views(), snoozes: engine.snoozes(), explained: engine.explain('a') }
    await engine.remove('a')
    expect(engine.views()).toMatchObject([{ terms: { level: '500' } }])
    expect(await engine.putBack('a')).toEqual({ ok: true, value: before.views[0] })
    await engine.flush()
    expect({ views: engine.views(), snoozes: engine.snoozes(), explained: engine.explain('a') }).toEqual(before)
    const runs = await history.query('runs', { ruleId: 'a' })
    expect(runs).toMatchObject({ ok: true, value: [{ run: 1 }, { run: 2 }] })
    expect(fired.map(({ ruleVersion }) => ruleVersion)).toEqual([1, 2])
  })

  test.each<[string, RuleValidity]>([
    ['unchecked', 'unchecked'],
    ['one that cannot fire', { cannotFire: 'BRTI has no values.', sinceMs: 0 }],
  ])('works for %s', async (_what, reach) => {
    const { engine } = await openWithRule(above)
    await engine.noteReach(new Map([['a', reach]]))
    await engine.remove('a')
    expect(await engine.putBack('a')).toMatchObject({ ok: true, value: { id: 'a', reach } })
  })

  test('outlives a restart as if the rule had never been deleted', async () => {
    const { engine, history, clock } = await openWithRule(above, '99')
    await engine.remove('a')
    await engine.putBack('a')
    await engine.flush()
    engine.dispose()
    await engine.flush()
    const again = await openAlerts(history, { clock, prefix: 'x' })
    expect(again.engine.views()).toMatchObject([{ id: 'a', phase: 'armed' }])
    again.publish('101')
    await again.engine.flush()
    expect(again.fired).toMatchObject([{ kind: 'fired', ruleId: 'a' }])
  })

  test('judges what was published meanwhile, late and once', async () => {
    const { engine, publish, fired, clock } = await openWithRule(above, '99')
    await engine.remove('a')
    publish('101')
    publish('99')
    await engine.putBack('a')
    await engine.flush()
    publish('102')
    await engine.flush()
    clock.advance(10_000)
    expect(fired).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101' } }])
  })

  test('judges what was amended since the deletion, also where the app is killed at once', async () => {
    const { engine, publish, history, clock } = await openWithRule(above, '99')
    publish('101')
    publish('98')
    await engine.flush()
    await engine.remove('a')
    publish('99.50', { publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 6_000 })
    await engine.putBack('a')
    const again = await openAlerts(history.reopened(), { clock, prefix: 'x' })
    await again.engine.flush()
    expect(again.engine.inbox()).toMatchObject([{ kind: 'retracted' }, { kind: 'fired' }])
  })

  test('lets a finished rule fire on a value from its deletion, if its firing is undone', async () => {
    const { engine, publish, receive } = await openWithRule(above, '99')
    publish('101')
    publish('98')
    await engine.flush()
    await engine.remove('a')
    publish('102')
    await engine.putBack('a')
    await engine.flush()
    receive('BRTI', { value: '99.50', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 6_000 })
    await engine.flush()
    expect(engine.inbox()).toMatchObject([{ kind: 'confirmed', inputs: { value: '102' } }, { kind: 'fired' }])
    expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
  })

  test('begins a rule without a value with the first that came since the deletion', async () => {
    const { engine, publish, fired, clock } = await openWithRule(above)
    await engine.remove('a')
    publish('99')
    publish('101')
    await engine.putBack('a')
    await engine.flush()
    clock.advance(10_000)
    expect(fired).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101' } }])
  })

  test('is refused where an equal rule was made meanwhile, and where the rule was never deleted', async () => {
    const { engine } = await openWithRule(above)
    expect(await engine.putBack('a')).toMatchObject({ problem: { code: 'unknownRule' } })
    await engine.remove('a')
    await engine.create(above, 'wait', undefined)
    expect(await engine.putBack('a')).toMatchObject({ problem: { code: 'duplicate' } })
  })
})
