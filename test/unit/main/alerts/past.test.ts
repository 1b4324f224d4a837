import { describe, expect, test } from 'vitest'
import type { PastExplanation } from '../../../../core/alert-events'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'
import { valueOf } from '../../../support/value-of'

type Opened = Awaited<ReturnType<typeof openAlerts>>

const at = (seconds: number) => startMs + seconds * 1_000
const every = { ...levelDraft('100'), repeat: { mode: 'everyCrossing' } } as const

async function explained({ engine }: Opened, seconds: number): Promise<PastExplanation> {
  await engine.flush()
  return valueOf(await engine.explainAt('a', at(seconds)))
}

async function newest(opened: Opened, seconds: number) {
  const then = await explained(opened, seconds)
  return then.kind === 'judged' ? then.evaluations[0] : then
}

/** A rule that has seen these values, one a second. */
async function seen(values: readonly string[], draft = every as Parameters<Opened['engine']['create']>[0]) {
  const opened = await openAlerts()
  await opened.engine.create(draft, 'wait', undefined)
  for (const value of values) opened.publish(value)
  return opened
}

describe('the explanation of a rule at a past time', () => {
  test('is the evaluation of the value in effect then, with the ones before', async () => {
    const opened = await seen(['99', '101.50', '102', '98', '103'])
    const then = await explained(opened, 1.4)
    expect(then).toMatchObject({
      kind: 'judged',
      rule: { terms: { level: '100' } },
      evaluations: [
        { publishedAtMs: at(1), value: '101.50', hasFired: true, phaseBefore: 'armed' },
        { publishedAtMs: at(0), value: '99', phaseBefore: 'waiting', phaseAfter: 'armed' },
      ],
    })
    expect(await explained(opened, 2)).toMatchObject({
      evaluations: [{ publishedAtMs: at(2), value: '102', hasFired: false }, { hasFired: true }],
    })
    // At a later time it is still the last value.
    expect(await newest(opened, 60)).toMatchObject({ value: '103', hasFired: true })
  })

  test('uses the version of the rule in effect then', async () => {
    const opened = await seen(['99', '101'])
    await opened.engine.edit('a', levelDraft('200'), 'wait', undefined)
    for (const value of ['150', '201']) opened.publish(value)
    expect(await explained(opened, 1)).toMatchObject({
      rule: { version: 1, terms: { level: '100' } },
      evaluations: [{ value: '101', hasFired: true }, {}],
    })
    expect(await explained(opened, 3)).toMatchObject({
      rule: { version: 2, terms: { level: '200' } },
      evaluations: [{ value: '201', hasFired: true }, { value: '150' }],
    })
  })

  test('uses the version of that time, even if it had no value or only the first one', async () => {
    const before = await seen(['99', '101'])
    before.engine.dispose()
    await before.engine.flush()
    const opened = await openAlerts(before.history.reopened())
    const { engine, quotes, clock } = opened
    quotes.seed([{ id: 'BRTI', value: '101', publishedAtMs: at(1), source: 'cache' }])
    clock.advance(10_000)
    await engine.setLevel('a', '200', quotes.get('BRTI'))
    clock.advance(10_000)
    await engine.setLevel('a', '300', quotes.get('BRTI'))
    clock.advance(1_000)
    expect(await explained(opened, 5)).toMatchObject({ rule: { version: 1 }, evaluations: [{ value: '101' }, {}] })
    expect(await explained(opened, 15)).toEqual({ kind: 'notYet' })
    opened.publish('99')
    await engine.setLevel('a', '400', quotes.get('BRTI'))
    clock.advance(1_000)
    expect(await explained(opened, 20)).toEqual({ kind: 'notYet', sinceMs: at(21) })
    expect(await explained(opened, 21.5)).toMatchObject({ rule: { version: 3 }, evaluations: [{ value: '99' }] })
    expect(await explained(opened, 23)).toMatchObject({ rule: { version: 4 }, evaluations: [{ value: '99' }] })
  })

  test('uses amended values', async () => {
    const opened = await seen(['99', '98', '97'])
    opened.receive('BRTI', { value: '101', publishedAtMs: at(1), amendedAtMs: at(3) })
    expect(await explained(opened, 1)).toMatchObject({ evaluations: [{ value: '101', hasFired: true }, {}] })
  })

  test('is the same after a restart and after many values', async () => {
    const before = await seen(['99', '101'])
    for (let i = 0; i < 4_000; i++) before.publish(i % 2 === 0 ? '101.10' : '101.20')
    before.publish('98')
    before.engine.dispose()
    await before.engine.flush()
    const opened = await openAlerts(before.history.reopened())
    expect(await explained(opened, 1)).toMatchObject({ evaluations: [{ value: '101', hasFired: true }, {}] })
    expect(await explained(opened, 4_002)).toMatchObject({
      evaluations: [{ publishedAtMs: at(4_002), value: '98', phaseAfter: 'armed' }, { value: '101.20' }, {}, {}],
    })
  })

  test('of a move uses the window before it', async () => {
    const terms = { condition: 'moves', direction: 'up', amount: '5', unit: 'points', withinMs: 120_000 } as const
    const opened = await seen([], { ...every, terms })
    for (let i = 0; i < 400; i++) opened.publish(i === 390 ? '106' : '100')
    expect(await newest(opened, 390)).toMatchObject({ publishedAtMs: at(390), hasFired: true, value: '6' })
    expect(await newest(opened, 380)).toMatchObject({ publishedAtMs: at(380), hasFired: false, value: '0' })
  })

  test('is empty before the first value, with the time of that', async () => {
    const opened = await seen(['99'])
    expect(await explained(opened, -1)).toEqual({ kind: 'notYet', sinceMs: at(0) })
    expect(await explained(await seen([]), 5)).toEqual({ kind: 'notYet' })
  })

  test('is not available for a condition without values', async () => {
    const opened = await seen(['99'], { ...levelDraft(), terms: { condition: 'noUpdate' } })
    expect(await explained(opened, 5)).toEqual({ kind: 'notByValues' })
  })

  test('is refused for an unknown rule', async () => {
    const { engine } = await openAlerts()
    expect(await engine.explainAt('z', at(0))).toMatchObject({ problem: { code: 'unknownRule' } })
  })
})
