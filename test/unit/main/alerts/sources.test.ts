import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const a = { id: 'id of A', name: 'A' }
const b = { id: 'id of B', name: 'B' }
const everyTime = { repeat: { mode: 'everyCrossing' } } as const
const crosses: AlertDraft = { ...levelDraft('100', { condition: 'crosses' }), ...everyTime }

/** Rules of these drafts. Connection A supplies the index. */
async function open(drafts: readonly AlertDraft[], history = new MemoryHistory(), clock = new FakeClock(startMs)) {
  const opened = await openAlerts(history, { clock, prefix: `${clock.wallMs()}` })
  const { engine } = opened
  opened.turnTo(a)
  for (const draft of drafts) await engine.create(draft, 'wait', undefined)
  return {
    ...opened,
    /** All recorded events, oldest first, from the history. */
    events: async () => {
      await engine.flush()
      const page = await engine.page({})
      return (page.ok ? page.value.events.toReversed() : []).map(({ kind, inputs, sources }) =>
        sources === undefined
          ? `${kind} ${inputs.direction ?? ''} ${inputs.value ?? ''}`
          : `${kind} from ${sources.from} to ${sources.to}`,
      )
    },
    restart: async () => {
      engine.dispose()
      await engine.flush()
      return open([], history, clock)
    },
  }
}

describe('when an index moves to another connection', () => {
  test('its first value does not fire, and the change is one event', async () => {
    const { publish, turnTo, events } = await open([crosses, { ...crosses, ...levelDraft('99.5'), ...everyTime }])
    publish('101')
    turnTo(b)
    publish('50')
    turnTo(a)
    publish('101.7')
    expect(await events()).toEqual(['sourceChanged from A to B', 'sourceChanged from B to A'])
    publish('99')
    expect((await events()).slice(2)).toEqual(['fired down 99'])
  })

  test('a crossing within its own values fires with its own value before', async () => {
    const { publish, turnTo, fired, engine } = await open([crosses])
    publish('101')
    turnTo(b)
    publish('50')
    publish('100.5')
    await engine.flush()
    expect(fired).toMatchObject([{ inputs: { direction: 'up', value: '100.5', previous: { value: '50' } } }])
  })

  test.each([
    ['a hold', { ...levelDraft('100', { condition: 'isAbove' }), ...everyTime, holdMs: 3_000 }],
    [
      'a move',
      {
        ...levelDraft(),
        terms: { condition: 'moves', direction: 'either', amount: '10', unit: 'percent', withinMs: 3_000 },
        ...everyTime,
      },
    ],
  ] as [string, AlertDraft][])('%s uses the values of one source', async (_, draft) => {
    const { publish, turnTo, events } = await open([draft])
    for (const value of ['99', '99', '99', '99', '101', '101']) publish(value)
    turnTo(b)
    for (const value of ['150', '150', '150']) publish(value)
    expect(await events()).toEqual(['sourceChanged from A to B'])
  })

  test('a move continues from earlier values of its source when that returns', async () => {
    const terms = { condition: 'moves', direction: 'up', amount: '10', unit: 'percent', withinMs: 60_000 } as const
    const { publish, turnTo, events, clock } = await open([{ ...levelDraft(), terms, ...everyTime }])
    publish('100')
    clock.advance(57_000)
    publish('104')
    turnTo(b)
    publish('50')
    turnTo(a)
    publish('111')
    expect((await events()).at(-1)).toBe('fired up 111')
  })

  test('the state of each source is remembered after a restart', async () => {
    const first = await open([crosses])
    first.publish('101')
    first.turnTo(b)
    first.publish('50')
    const second = await first.restart()
    second.turnTo(a)
    second.publish('101.7')
    expect((await second.events()).slice(1)).toEqual(['sourceChanged from B to A'])
    const third = await second.restart()
    third.publish('99')
    expect((await third.events()).slice(2)).toEqual(['fired down 99'])
  })

  test('backfilled values are compared only with those of their own source', async () => {
    const { publish, turnTo, learn, events, clock } = await open([crosses])
    publish('101')
    clock.advance(10_000)
    turnTo(b)
    publish('50')
    await learn([
      { value: '40', publishedAtMs: clock.wallMs() - 8_000 },
      { value: '102', publishedAtMs: clock.wallMs() - 6_000 },
    ])
    const late = ['lateFromHistory up 102', 'lateFromHistory down 50']
    expect(await events()).toEqual(['sourceChanged from A to B', ...late])
  })

  test('a rule of mode once that fired is finished for all sources', async () => {
    const { publish, turnTo, events } = await open([levelDraft('100')])
    publish('99')
    publish('101')
    turnTo(b)
    for (const value of ['50', '150']) publish(value)
    expect(await events()).toEqual(['fired up 101'])
  })

  test('its values older than those of the first source are evaluated in order', async () => {
    const { publish, receive, turnTo, events, clock, quotes } = await open([crosses])
    for (const value of ['101', '101', '101']) publish(value)
    turnTo(b)
    receive('BRTI', { value: '50', publishedAtMs: clock.wallMs() - 1_500 })
    expect(quotes.get('BRTI')?.value).toBe('50')
    expect(await events()).toEqual([])
    receive('BRTI', { value: '102', publishedAtMs: clock.wallMs() })
    expect(await events()).toEqual(['sourceChanged from A to B', 'fired up 102'])
  })

  test('a weight is compared only with weights of the same source', async () => {
    const terms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' } as const
    const { engine, events, clock } = await open([{ ...levelDraft('1', { indexId: 'NCI' }), terms, ...everyTime }])
    const see = (weightPercent: string, by: typeof a) => {
      clock.advance(1_000)
      const constituents = [{ constituent: 'BTC', value: '1', weightPercent }]
      engine.considerConstituents('NCI', { value: '1', publishedAtMs: clock.wallMs(), constituents }, by)
    }
    see('59', a)
    see('61', b)
    expect(await events()).toEqual(['sourceChanged from A to B'])
    see('59', b)
    see('61', b)
    see('59.5', a)
    see('60', a)
    expect((await events()).filter((line) => line.startsWith('fired'))).toEqual(['fired  61', 'fired  60'])
  })

  test('an amendment from before the move does not fire', async () => {
    const terms = { condition: 'amended' } as const
    const { publish, turnTo, events, clock } = await open([{ ...levelDraft(), terms, ...everyTime }])
    publish('100')
    turnTo(b)
    publish('50', { amendedAtMs: clock.wallMs() })
    expect(await events()).toEqual(['sourceChanged from A to B'])
    publish('51', { amendedAtMs: clock.wallMs() })
    expect((await events()).slice(1)).toEqual(['fired  51'])
  })
})

test('a rule stored by a version without sources continues with the first source', async () => {
  const first = await open([crosses])
  first.publish('101')
  await first.engine.flush()
  const withoutSources = new MemoryHistory()
  const { history } = first
  for (const turn of history.written) {
    const checkpoints = (turn.checkpoints ?? []).map((each) => ({
      ...each,
      state: JSON.stringify({ ...(JSON.parse(each.state) as object), source: undefined }),
    }))
    await withoutSources.commit({ ...turn, checkpoints })
  }
  const values = await history.query('values', { id: 'BRTI', revisions: 'all', fromMs: 0, toMs: 1e15 })
  if (!values.ok) throw new Error(values.problem.message)
  const withoutIds = values.value.values.map((value) => ({ ...value, connectionId: '' }))
  await withoutSources.commit({ values: withoutIds })
  const second = await open([], withoutSources, first.clock)
  second.publish('99')
  expect(await second.events()).toEqual(['fired down 99'])
})
