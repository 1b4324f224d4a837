import { describe, expect, test } from 'vitest'
import type { Quote } from '../../../../core/model'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'
import { valueOf } from '../../../support/value-of'

describe('a rule', () => {
  test('keeps its level as typed and waits for its first value', async () => {
    const { engine, history } = await openAlerts()
    const outcome = await engine.create(above, 'wait', undefined)
    const rule = { ...above, id: 'a', version: 1, createdAtMs: startMs }
    expect(outcome).toEqual({ ok: true, value: { ...rule, phase: 'waiting' } })
    expect(engine.views()).toEqual([valueOf(outcome)])
    expect(history.store.query('alertStart', null)).toMatchObject({
      rules: [{ id: 'a', document: JSON.stringify(rule) }],
      runs: [{ ruleId: 'a', run: 1 }],
    })
  })

  test('fires once, with both times and the exact texts', async () => {
    const { engine, fired, history } = await openWithRule(above, '99.990', '100.000', '99.00', '101.00')
    await engine.flush()
    expect(fired).toEqual([
      {
        id: 'b',
        connection: 'Desk',
        isDemo: false,
        number: 1,
        kind: 'fired',
        ruleId: 'a',
        ruleVersion: 1,
        indexId: 'BRTI',
        terms: { condition: 'risesTo', level: '100.00' },
        severity: 'normal',
        recordedAtMs: startMs + 1_000,
        inputs: {
          value: '100.000',
          publishedAtMs: startMs + 1_000,
          previous: { value: '99.990', publishedAtMs: startMs },
          direction: 'up',
        },
        delivery: 'pending',
        isRead: false,
      },
    ])
    expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
    // One transaction with the value, the resulting state and the event.
    expect(history.written.at(-1)).toMatchObject({
      checkpoints: [{ ruleId: 'a', state: expect.stringContaining('"isDone":true') as string }],
      firings: [{ ruleId: 'a', eventId: 'b' }],
      events: fired,
    })
  })

  test('that is already true waits, or fires immediately if set to fire', async () => {
    const { engine, quotes, publish, fired } = await openAlerts()
    publish('101.00')
    const latest = quotes.get('BRTI')
    expect(valueOf(await engine.create(above, 'wait', latest)).phase).toBe('disarmed')
    expect(fired).toEqual([])
    const now = await engine.create(levelDraft('100.50'), 'fire', latest)
    expect(valueOf(now).phase).toBe('triggered')
    expect(fired).toMatchObject([{ terms: { level: '100.50' }, inputs: { value: '101.00', publishedAtMs: startMs } }])
    publish('102.00')
    await engine.flush()
    expect(fired).toHaveLength(1)
  })

  test('that is not true yet is armed immediately by the latest value', async () => {
    const { engine, quotes, publish } = await openAlerts()
    publish('99.00')
    expect(valueOf(await engine.create(above, 'wait', quotes.get('BRTI'))).phase).toBe('armed')
  })

  test('set to fire immediately waits for a value if only a cached one is known', async () => {
    const { engine, quotes, publish, fired } = await openAlerts()
    quotes.seed([{ id: 'BRTI', value: '101.00', publishedAtMs: startMs - 60_000, source: 'cache' }])
    const view = valueOf(await engine.create(above, 'fire', quotes.get('BRTI')))
    expect(view.phase).toBe('waiting')
    publish('101.50')
    await engine.flush()
    expect(fired).toMatchObject([{ inputs: { value: '101.50' } }])
  })

  test('created again after it fired replaces the finished one', async () => {
    const { engine, quotes } = await openWithRule(above, '99', '100')
    const again = valueOf(await engine.create(above, 'wait', quotes.get('BRTI')))
    expect(engine.views()).toEqual([again])
    expect(again.phase).toBe('disarmed')
    expect(engine.inbox()).toHaveLength(1)
  })

  test('is refused if its level is not a number', async () => {
    const { engine } = await openAlerts()
    expect(await engine.create(levelDraft('1,5'), 'wait', undefined)).toMatchObject({
      problem: { code: 'level' },
    })
  })

  test('that is removed does not fire again', async () => {
    const { engine, publish, fired, history } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    await engine.create(levelDraft('101'), 'wait', undefined)
    publish('99')
    expect(await engine.remove('a')).toEqual({ ok: true, value: null })
    expect(await engine.remove('a')).toMatchObject({ ok: false, problem: { code: 'unknownRule' } })
    publish('100')
    await engine.remove('b')
    publish('102')
    await engine.flush()
    expect(fired).toEqual([])
    expect(history.store.query('alertStart', null)).toEqual({ rules: [], runs: [], checkpoints: [], firings: [] })
  })
})

describe('values', () => {
  test('that come twice, late or in another order fire once', async () => {
    const { engine, receive, fired } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    const at = (second: number, value: string) =>
      receive('BRTI', { value, publishedAtMs: startMs + second * 1_000 }, second % 2 === 0 ? 'stream' : 'rest')
    at(0, '99')
    for (let count = 0; count < 10; count++) at(2, '100')
    // A late value. In its place it is neither a crossing nor the end of one.
    at(1, '98')
    at(2, '100')
    at(3, '101')
    await engine.flush()
    expect(fired.map(({ inputs }) => inputs.value)).toEqual(['100'])
  })

  test('from the cache do not count; the same value received does', async () => {
    const { engine, quotes, receive, fired } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    const cached: Quote = { id: 'BRTI', value: '99', publishedAtMs: startMs - 1_000, source: 'cache' }
    engine.consider(undefined, cached)
    expect(engine.views()).toMatchObject([{ phase: 'waiting' }])
    quotes.seed([cached])
    receive('BRTI', { value: '99', publishedAtMs: startMs - 1_000 }, 'rest')
    expect(engine.views()).toMatchObject([{ phase: 'armed' }])
    engine.consider(cached, { ...cached, value: '101', publishedAtMs: startMs })
    await engine.flush()
    expect(fired).toEqual([])
  })

  test('reach two rules of one index independently, in one write', async () => {
    const { engine, publish, fired, history } = await openWithRule(above)
    await engine.create(levelDraft('101'), 'wait', undefined)
    publish('99')
    await engine.flush()
    const before = history.written.length
    publish('102')
    await engine.flush()
    expect(fired.map(({ terms }) => 'level' in terms && terms.level)).toEqual(['100.00', '101'])
    expect(history.written).toHaveLength(before + 1)
    publish('103')
    await engine.flush()
    expect(history.written).toHaveLength(before + 1)
  })

  test('of other indices change nothing', async () => {
    const { engine, publish, changes } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    const before = changes()
    publish('101', { id: 'NCI' })
    expect(changes()).toBe(before)
  })
})
