import { describe, expect, test } from 'vitest'
import type { AlertView } from '../../../../protocol/alerts'
import type { Outcome, Quote } from '../../../../protocol/model'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { above, openAlerts, startMs } from '../../../support/open-alerts'

function viewOf(outcome: Outcome<AlertView>): AlertView {
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.value
}

describe('a rule', () => {
  test('keeps the level as typed and waits for its first value', async () => {
    const { engine, file } = await openAlerts()
    const outcome = await engine.create(above, undefined)
    const view = { id: 'a', indexId: 'BRTI', condition: 'atOrAbove', level: '100.00', repeat: 'once' }
    expect(outcome).toEqual({ ok: true, value: { ...view, createdAtMs: startMs, phase: 'waiting' } })
    expect(engine.views()).toEqual([viewOf(outcome)])
    expect(file.written.at(-1)).toMatchObject({ rules: [view], states: { a: { phase: 'waiting' } } })
  })

  test('fires once, with both times and the exact texts', async () => {
    const { engine, publish, fired, file } = await openAlerts()
    await engine.create(above, undefined)
    publish('99.990')
    publish('100.000')
    publish('99.00')
    publish('101.00')
    await engine.flush()
    expect(fired).toEqual([
      {
        id: 'b',
        ruleId: 'a',
        indexId: 'BRTI',
        condition: 'atOrAbove',
        level: '100.00',
        value: '100.000',
        publishedAtMs: startMs + 1_000,
        firedAtMs: startMs + 1_000,
        delivery: 'pending',
        isRead: false,
      },
    ])
    expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
    expect(file.written.at(-1)).toMatchObject({ states: { a: { phase: 'triggered' } }, inbox: fired })
  })

  test('that holds already waits, or fires at once where that was asked for', async () => {
    const { engine, quotes, publish, fired } = await openAlerts()
    publish('101.00')
    const latest = quotes.get('BRTI')
    expect(viewOf(await engine.create(above, latest)).phase).toBe('disarmed')
    expect(fired).toEqual([])
    const now = await engine.create({ ...above, level: '100.50', whenAlreadyMet: 'fire' }, latest)
    expect(viewOf(now).phase).toBe('triggered')
    expect(fired).toMatchObject([{ level: '100.50', value: '101.00', publishedAtMs: startMs }])
    publish('102.00')
    await engine.flush()
    expect(fired).toHaveLength(1)
  })

  test('that does not hold is armed at once by the latest value', async () => {
    const { engine, quotes, publish } = await openAlerts()
    publish('99.00')
    expect(viewOf(await engine.create(above, quotes.get('BRTI'))).phase).toBe('armed')
  })

  test('asked to fire at once waits for a value where only a cached one is known', async () => {
    const { engine, quotes, publish, fired } = await openAlerts()
    quotes.seed([{ id: 'BRTI', value: '101.00', publishedAtMs: startMs - 60_000, source: 'cache' }])
    const view = viewOf(await engine.create({ ...above, whenAlreadyMet: 'fire' }, quotes.get('BRTI')))
    expect(view.phase).toBe('waiting')
    publish('101.50')
    await engine.flush()
    expect(fired).toMatchObject([{ value: '101.50' }])
  })

  test.each(['100', '100.00', '1e2', '100.000'])('equal to another, typed as %s, is refused', async (level) => {
    const { engine } = await openAlerts()
    await engine.create(above, undefined)
    const refusal = await engine.create({ ...above, level }, undefined)
    expect(refusal).toMatchObject({ ok: false, problem: { code: 'duplicate' } })
    expect(!refusal.ok && refusal.problem.message).toContain('BRTI at 100.00')
    expect(engine.views()).toHaveLength(1)
  })

  test('that differs in index, condition or level is another', async () => {
    const { engine } = await openAlerts()
    await engine.create(above, undefined)
    for (const other of [{ indexId: 'NCI' }, { condition: 'atOrBelow' }, { level: '100.01' }] as const) {
      expect(await engine.create({ ...above, ...other }, undefined)).toMatchObject({ ok: true })
    }
    expect(engine.views()).toHaveLength(4)
  })

  test('made again after it fired takes the place of the one that is done', async () => {
    const { engine, quotes, publish } = await openAlerts()
    await engine.create(above, undefined)
    publish('99')
    publish('100')
    const again = viewOf(await engine.create(above, quotes.get('BRTI')))
    expect(engine.views()).toEqual([again])
    expect(again.phase).toBe('disarmed')
    expect(engine.inbox()).toHaveLength(1)
  })

  test('without a readable level is refused, and so is one too many', async () => {
    const { engine } = await openAlerts()
    expect(await engine.create({ ...above, level: '1,5' }, undefined)).toMatchObject({
      problem: { code: 'notADecimal' },
    })
    const rules = Array.from({ length: 2_000 }, (_, at) => ({
      id: `r${at}`,
      indexId: 'BRTI',
      condition: 'atOrAbove',
      level: `${at}`,
      repeat: 'once',
      createdAtMs: startMs,
    }))
    const full = await openAlerts(
      new MemoryJsonFile({ kind: 'ok', value: { version: 1, rules, states: {}, inbox: [] } }),
    )
    expect(await full.engine.create({ ...above, level: '9999' }, undefined)).toMatchObject({
      problem: { code: 'tooManyRules' },
    })
  })

  test('that is removed fires no more', async () => {
    const { engine, publish, fired, file } = await openAlerts()
    await engine.create(above, undefined)
    await engine.create({ ...above, level: '101' }, undefined)
    publish('99')
    expect(await engine.remove('a')).toEqual({ ok: true, value: null })
    expect(await engine.remove('a')).toMatchObject({ ok: false, problem: { code: 'unknownRule' } })
    publish('100')
    await engine.remove('b')
    publish('102')
    await engine.flush()
    expect(fired).toEqual([])
    expect(file.written.at(-1)).toMatchObject({ rules: [], states: {} })
  })
})

describe('values', () => {
  test('that come twice, late or in another order fire once', async () => {
    const { engine, quotes, fired } = await openAlerts()
    await engine.create(above, undefined)
    const at = (second: number, value: string) => {
      quotes.apply('BRTI', { value, publishedAtMs: startMs + second * 1_000 }, second % 2 === 0 ? 'stream' : 'rest')
    }
    at(0, '99')
    for (let count = 0; count < 10; count++) at(2, '100')
    // Late: older than the latest, so neither below nor above again.
    at(1, '98')
    at(2, '100')
    at(3, '101')
    await engine.flush()
    expect(fired.map((event) => event.value)).toEqual(['100'])
  })

  test('from the cache do not count; the same value received does', async () => {
    const { engine, quotes, fired } = await openAlerts()
    await engine.create(above, undefined)
    const cached: Quote = { id: 'BRTI', value: '99', publishedAtMs: startMs - 1_000, source: 'cache' }
    engine.consider(undefined, cached)
    expect(engine.views()).toMatchObject([{ phase: 'waiting' }])
    quotes.seed([cached])
    quotes.apply('BRTI', { value: '99', publishedAtMs: startMs - 1_000 }, 'rest')
    expect(engine.views()).toMatchObject([{ phase: 'armed' }])
    engine.consider(cached, { ...cached, value: '101', publishedAtMs: startMs })
    await engine.flush()
    expect(fired).toEqual([])
  })

  test('reach two rules of one index independently, in one write', async () => {
    const { engine, publish, fired, file } = await openAlerts()
    await engine.create(above, undefined)
    await engine.create({ ...above, level: '101' }, undefined)
    publish('99')
    await engine.flush()
    const before = file.written.length
    publish('102')
    await engine.flush()
    expect(fired.map((event) => event.level)).toEqual(['100.00', '101'])
    expect(file.written).toHaveLength(before + 1)
    publish('103')
    await engine.flush()
    expect(file.written).toHaveLength(before + 1)
  })

  test('of other indices cost and change nothing', async () => {
    const { engine, publish, changes } = await openAlerts()
    await engine.create(above, undefined)
    const before = changes()
    publish('101', { id: 'NCI' })
    expect(changes()).toBe(before)
  })

  test('over the level after two hours of sleep say since when', async () => {
    const { engine, publish, clock, fired } = await openAlerts()
    await engine.create(above, undefined)
    publish('99')
    clock.sleep(7_200_000)
    publish('101')
    await engine.flush()
    expect(fired).toMatchObject([{ gapSinceMs: startMs, publishedAtMs: startMs + 7_201_000 }])
  })

  test('over the level say nothing of a gap where the cadence is unknown', async () => {
    const { engine, publish, clock, fired } = await openAlerts()
    await engine.create({ ...above, indexId: 'UNKNOWN' }, undefined)
    publish('99', { id: 'UNKNOWN' })
    clock.sleep(7_200_000)
    publish('101', { id: 'UNKNOWN' })
    await engine.flush()
    expect(fired[0]).not.toHaveProperty('gapSinceMs')
  })
})
