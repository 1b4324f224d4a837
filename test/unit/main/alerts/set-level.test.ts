import { expect, test } from 'vitest'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { above, openAlerts, startMs } from '../../../support/open-alerts'

test('a moved level is kept as typed and saved, and the rule stays where it is in the list', async () => {
  const { engine, file, clock } = await openAlerts()
  await engine.create(above, undefined)
  await engine.create({ ...above, level: '200.00' }, undefined)
  clock.advance(5_000)
  const moved = { id: 'a', indexId: 'BRTI', condition: 'atOrAbove', level: '150.10', repeat: 'once' }
  expect(await engine.setLevel('a', '150.10', undefined)).toEqual({
    ok: true,
    value: { ...moved, createdAtMs: startMs + 5_000, phase: 'waiting' },
  })
  expect(engine.views().map(({ level }) => level)).toEqual(['150.10', '200.00'])
  expect(file.written.at(-1)).toMatchObject({
    rules: [moved, { level: '200.00' }],
    states: { a: { phase: 'waiting' } },
  })
  const { engine: next } = await openAlerts(file.reopened())
  expect(next.views().map(({ level }) => level)).toEqual(['150.10', '200.00'])
})

test('a moved rule starts anew against the latest value and fires nothing by being moved', async () => {
  const { engine, quotes, publish, fired } = await openAlerts()
  await engine.create(above, undefined)
  publish('99.00')
  publish('101.00')
  await engine.flush()
  expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
  expect(fired).toHaveLength(1)
  // Met by the latest value already: it waits for the value to come back.
  expect(await engine.setLevel('a', '100.50', quotes.get('BRTI'))).toMatchObject({ value: { phase: 'disarmed' } })
  expect(await engine.setLevel('a', '105.00', quotes.get('BRTI'))).toMatchObject({ value: { phase: 'armed' } })
  publish('104.99')
  await engine.flush()
  expect(fired).toHaveLength(1)
  publish('105.0')
  await engine.flush()
  expect(fired).toMatchObject([{ level: '100.00' }, { ruleId: 'a', level: '105.00', value: '105.0' }])
})

test('a cached value does not arm a moved rule', async () => {
  const { engine, quotes } = await openAlerts()
  await engine.create(above, undefined)
  quotes.seed([{ id: 'BRTI', value: '99.00', publishedAtMs: startMs, source: 'cache' }])
  expect(await engine.setLevel('a', '105.00', quotes.get('BRTI'))).toMatchObject({ value: { phase: 'waiting' } })
})

test('a level that another rule of this index and condition has, however written, is refused', async () => {
  const { engine, file } = await openAlerts()
  await engine.create(above, undefined)
  await engine.create({ ...above, level: '105.00' }, undefined)
  await engine.create({ ...above, level: '110.00', condition: 'atOrBelow' }, undefined)
  const writes = file.written.length
  const refused = await engine.setLevel('a', '1.05e2', undefined)
  expect(refused).toMatchObject({ ok: false, problem: { code: 'duplicate' } })
  if (!refused.ok) expect(refused.problem.message).toContain('BRTI at 105.00')
  expect(engine.views()[0]?.level).toBe('100.00')
  expect(file.written).toHaveLength(writes)
  // Its own level and that of the other condition are no other rule's.
  expect(await engine.setLevel('a', '100.0', undefined)).toMatchObject({ ok: true, value: { level: '100.0' } })
  expect(await engine.setLevel('a', '110.00', undefined)).toMatchObject({ ok: true })
})

test('a rule that is gone, a text that is no number and a file of a newer version are told apart', async () => {
  const { engine } = await openAlerts()
  await engine.create(above, undefined)
  expect(await engine.setLevel('z', '1', undefined)).toMatchObject({ problem: { code: 'unknownRule' } })
  expect(await engine.setLevel('a', 'high', undefined)).toMatchObject({ problem: { code: 'notADecimal' } })
  const newer = new MemoryJsonFile({ kind: 'ok', value: { version: 99 } })
  const { engine: foreign } = await openAlerts(newer)
  expect(await foreign.setLevel('a', '1', undefined)).toMatchObject({ problem: { code: 'newerAlerts' } })
})
