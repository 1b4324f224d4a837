import { describe, expect, test } from 'vitest'
import { maxRules } from '../../../../main/alerts/refusals'
import type { AlertDraft, RuleValidity } from '../../../../core/alerts'
import { BusyClock } from '../../../support/busy-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

describe('editing a rule', () => {
  test('begins its next version, and earlier events keep the old one', async () => {
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

  test('clears the explanation of the version before', async () => {
    const { engine } = await openWithRule(above, '99')
    expect(engine.explain('a')).toMatchObject([{ value: '99', phaseBefore: 'waiting', phaseAfter: 'armed' }])
    await engine.edit('a', levelDraft('200'), 'wait', undefined)
    expect(engine.explain('a')).toEqual([])
  })

  test('keeps the explanation if it only re-arms, with the firing and the values after it', async () => {
    const { engine, publish, quotes } = await openWithRule(above, '99', '100', '101')
    await engine.flush()
    await engine.arm('a', quotes.get('BRTI'))
    publish('102')
    await engine.flush()
    expect(engine.explain('a').map(({ value, hasFired }) => [value, hasFired])).toEqual([
      ['102', false],
      ['101', false],
      ['101', false],
      ['100', true],
      ['99', false],
    ])
  })

  test('is refused if it would be a duplicate or the rule is gone', async () => {
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

describe('re-arming a rule', () => {
  test('that has fired lets it fire again, with the same version', async () => {
    const { engine, publish, fired, quotes } = await openWithRule(above, '99', '100')
    expect(await engine.arm('a', quotes.get('BRTI'))).toMatchObject({ value: { version: 1, phase: 'disarmed' } })
    publish('99')
    publish('101')
    await engine.flush()
    expect(fired.map(({ inputs }) => inputs.value)).toEqual(['100', '101'])
  })

  test('that has expired or is gone is refused with a remedy', async () => {
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

describe('several drafts together', () => {
  test('are all created in one write', async () => {
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

  test('begin with the latest value, so that the next one can be the crossing', async () => {
    const { engine, publish, fired, quotes } = await openAlerts()
    publish('150')
    await engine.createAll([above, levelDraft('200')], (id) => quotes.get(id))
    expect(engine.views().map(({ phase }) => phase)).toEqual(['disarmed', 'armed'])
    publish('250')
    await engine.flush()
    expect(fired).toMatchObject([{ ruleId: 'b', inputs: { value: '250' } }])
  })

  test('wait for the next value if the latest is of an earlier run', async () => {
    const { engine, quotes } = await openAlerts()
    quotes.seed([{ id: 'BRTI', value: '150', publishedAtMs: startMs, source: 'cache' }])
    await engine.createAll([levelDraft('200')], (id) => quotes.get(id))
    expect(engine.views()).toMatchObject([{ phase: 'waiting' }])
  })

  test.each([
    ['a duplicate of a rule', [levelDraft('300'), levelDraft('100')], 'duplicate'],
    ['a duplicate of another', [levelDraft('300'), levelDraft('0300')], 'duplicate'],
    ['without a level', [levelDraft('300'), levelDraft('1,5')], 'level'],
    ['beyond the limit', Array.from({ length: maxRules }, (_, at) => levelDraft(`${at + 1_000}`)), 'tooManyRules'],
  ])('are not created if one is %s', async (_, drafts, code) => {
    const { engine, history } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    expect(await engine.createAll(drafts, () => undefined)).toMatchObject({ ok: false, problem: { code } })
    expect(engine.views()).toHaveLength(1)
    expect(history.written).toHaveLength(1)
  })

  /** A clock with short turns, so that thousands of rules take many. */
  const openBusy = () => openAlerts(new MemoryHistory(), { clock: new BusyClock(startMs) })
  const thousands = Array.from({ length: 1_200 }, (_, at) => levelDraft(`${at + 1_000}`))

  test('do not block values, which existing rules are evaluated on', async () => {
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

  test('are created once each, even if one is also created by hand during it', async () => {
    const { engine } = await openBusy()
    const making = engine.createAll(thousands, () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await engine.create(levelDraft('2199'), 'wait', undefined)).toMatchObject({ ok: true })
    expect(await making).toEqual({ ok: true, value: { adds: 1_199 } })
    expect(engine.views()).toHaveLength(1_200)
  })

  test('are all created, even if a rule created by hand takes the last place, and no further one', async () => {
    const { engine } = await openBusy()
    const most = Array.from({ length: maxRules }, (_, at) => levelDraft(`${at + 1_000}`))
    const making = engine.createAll(most, () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await engine.create(above, 'wait', undefined)).toMatchObject({ ok: true })
    expect(await making).toEqual({ ok: true, value: { adds: maxRules } })
    expect(await engine.create(levelDraft('1'), 'wait', undefined)).toMatchObject({ problem: { code: 'tooManyRules' } })
  })

  test('are not created in the next service after a switch', async () => {
    const { engine } = await openBusy()
    const making = engine.createAll(thousands, () => undefined)
    await engine.leave()
    expect(await making).toMatchObject({ ok: false, problem: { code: 'notReady' } })
    expect(engine.views()).toEqual([])
  })
})

describe('a rule that is deleted', () => {
  test('has no notification for a firing that was being stored', async () => {
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

  test('does not fire when its index publishes again', async () => {
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
    ['an unchecked rule', 'unchecked'],
    ['a rule that cannot fire', { cannotFire: 'BRTI has no values.', sinceMs: 0 }],
  ])('works for %s', async (_what, reach) => {
    const { engine } = await openWithRule(above)
    await engine.noteReach(new Map([['a', reach]]))
    await engine.remove('a')
    expect(await engine.putBack('a')).toMatchObject({ ok: true, value: { id: 'a', reach } })
  })

  test('restores each of several hundred rules that were deleted together', async () => {
    const { engine } = await openAlerts()
    const drafts = Array.from({ length: 300 }, (_, at) => levelDraft(String(100 + at)))
    await engine.createAll(drafts, () => undefined)
    const ids = engine.views().map(({ id }) => id)
    await Promise.all(ids.map((id) => engine.remove(id)))
    expect(engine.count).toBe(0)
    for (const id of ids) expect(await engine.putBack(id)).toMatchObject({ ok: true })
    expect(engine.views().map(({ id }) => id)).toEqual(ids)
  })

  test('stays in effect after a restart', async () => {
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

  test('fires late once for a value published since the deletion', async () => {
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

  test('retracts a firing amended since the deletion, even if the app is killed immediately', async () => {
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

  test('begins a rule without a value at the first value since the deletion', async () => {
    const { engine, publish, fired, clock } = await openWithRule(above)
    await engine.remove('a')
    publish('99')
    publish('101')
    await engine.putBack('a')
    await engine.flush()
    clock.advance(10_000)
    expect(fired).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '101' } }])
  })

  test('is refused if an equal rule was created since, or if the rule was never deleted', async () => {
    const { engine } = await openWithRule(above)
    expect(await engine.putBack('a')).toMatchObject({ problem: { code: 'unknownRule' } })
    await engine.remove('a')
    await engine.create(above, 'wait', undefined)
    expect(await engine.putBack('a')).toMatchObject({ problem: { code: 'duplicate' } })
  })
})
