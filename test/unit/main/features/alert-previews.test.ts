import { describe, expect, test } from 'vitest'
import { createPreviews } from '../../../../main/features/alert-previews'
import type { AlertDraft } from '../../../../core/alerts'
import type { OpenedIndex } from '../../../../protocol/desktop'
import type { IndexInfo } from '../../../../core/model'
import { featureCore } from '../../../support/feature-core'
import { openAlerts } from '../../../support/open-alerts'
import { openRest } from '../../../support/open-rest'
import { storedValue } from '../../../support/history-thread'
import { levelDraft } from '../../../support/sample-alerts'
import { successBody } from '../../../support/scripted-service'
import { valueOf } from '../../../support/value-of'

const brti: IndexInfo = { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_SECOND', base: 'BTC' }
const uc5: IndexInfo = { id: 'UC5_RTI_TR', name: 'CF Ultra Cap 5 - Spot Rate', maxResolution: 'PER_SECOND' }
const catalogue = [brti, uc5]

async function start(opened?: Pick<OpenedIndex, 'constituents' | 'conditions' | 'remembered'>) {
  const { engine, quotes, clock, publish, history } = await openAlerts()
  const { service, client } = await openRest()
  const connection = { rest: client as typeof client | undefined }
  const sources = {
    alerts: engine,
    quotes: { store: quotes },
    pages: {
      viewOf: (id: string) => (opened === undefined || id !== uc5.id ? undefined : { id, ...opened, problems: [] }),
    },
    reachWatch: { constituentsOf: () => undefined, conditionsOf: () => undefined },
    connections: {
      refusal: () => undefined,
      catalogue,
      views: [{ indexCount: 2 }],
      resolutionOf: (id: string) => catalogue.find((info) => info.id === id)?.maxResolution,
      decimalsOf: () => 2,
      connectionOf: () => connection,
    },
  }
  const preview = createPreviews(
    featureCore({ clock, history }),
    sources as unknown as Parameters<typeof createPreviews>[1],
  )
  const nowMs = clock.wallMs()
  /** Serves past values, one a second up to now. */
  const serveValues = (values: readonly string[]) => {
    const rows = values.map((value, at) => ({ value, time: nowMs - (values.length - at) * 1_000 }))
    service.routes.set('values?id=BRTI', { body: successBody(rows) })
  }
  serveValues(['99', '100', '99', '101'])
  const ask = async (draft: AlertDraft, ruleId?: string) => {
    return valueOf(await preview({ draft, ...(ruleId !== undefined && { ruleId }) }))
  }
  const questions = () => service.requests.filter((each) => each.path.includes('values')).length
  return { engine, quotes, history, clock, publish, ask, serveValues, service, connection, questions, nowMs }
}

const every = (draft: AlertDraft): AlertDraft => ({ ...draft, repeat: { mode: 'everyCrossing' } })

describe('a draft with faults', () => {
  test('is answered with all faults only, and the service is not queried', async () => {
    const { ask, questions } = await start()
    expect(await ask(levelDraft('-1'))).toEqual({
      problems: [{ field: 'level', message: 'BRTI is never negative. Enter 0 or more.' }],
      isMet: false,
    })
    expect((await ask(levelDraft('1', { indexId: 'XYZ' }))).problems).toMatchObject([{ field: 'indexId' }])
    expect(questions()).toBe(0)
  })

  test('a formula of listed indices has none, one of an unlisted index has', async () => {
    const { ask } = await start()
    for (const indexId of ['mean(BRTI, 60)', 'BRTI \u2212 UC5_RTI_TR'])
      expect((await ask(levelDraft('1', { indexId }))).problems).toEqual([])
    expect((await ask(levelDraft('1', { indexId: 'mean(XYZ, 60)' }))).problems).toMatchObject([{ field: 'indexId' }])
  })

  test('a duplicate is reported, but not of the rule being edited', async () => {
    const { engine, ask } = await start()
    const made = await engine.create(levelDraft('100.00'), 'wait', undefined)
    const id = made.ok ? made.value.id : ''
    const message = 'You already have this alert: BRTI rises to 100.00. Change this draft, or edit the existing alert.'
    expect((await ask(levelDraft('100'))).problems).toEqual([{ field: 'level', message }])
    expect((await ask(levelDraft('100'), id)).problems).toEqual([])
    expect((await ask(levelDraft('101'))).problems).toEqual([])
  })
})

test('a draft on a mean is tried on the values of its index', async () => {
  const { ask } = await start()
  const { backTest } = await ask(levelDraft('99.9', { indexId: 'mean(BRTI, 2)' }))
  expect(backTest?.fires.map(({ value }) => value)).toEqual(['100.00'])
})

describe('whether a condition is already true', () => {
  test.each([
    ['risesTo', '100.10', true],
    ['risesTo', '100.11', false],
    ['fallsTo', '100.1', true],
    ['isAbove', '100.1', false],
    ['isAbove', '100.09', true],
    ['isBelow', '100.1', false],
    ['isBelow', '100.1000001', true],
    ['crosses', '100.1', false],
  ] as const)('a value of 100.10 %s %s: %s', async (condition, level, isMet) => {
    const { publish, ask } = await start()
    publish('100.10')
    expect(await ask(levelDraft(level, { condition }))).toMatchObject({ problems: [], isMet })
    // A preview ignores the time to hold.
    expect(await ask({ ...levelDraft(level, { condition }), holdMs: 60_000 })).toMatchObject({ isMet })
  })

  test('is unknown before the first value of this run', async () => {
    const { ask } = await start()
    expect((await ask(levelDraft('0'))).isMet).toBe(false)
  })
})

describe('the past', () => {
  test('shows when the rule would have fired', async () => {
    const { ask, nowMs } = await start()
    expect((await ask(every(levelDraft('100')))).backTest).toMatchObject({
      sinceMs: nowMs - 4_000,
      untilMs: nowMs - 1_000,
      fires: [
        { publishedAtMs: nowMs - 3_000, value: '100' },
        { publishedAtMs: nowMs - 1_000, value: '101' },
      ],
    })
  })

  test("of a service with known time is not in the future if the computer's clock is slow", async () => {
    const { ask, clock } = await start()
    clock.jumpWall(-60 * 60_000)
    clock.followService({}, clock.wallMs() + 60 * 60_000 - clock.monotonicMs())
    expect((await ask(every(levelDraft('100')))).backTest?.fires).toHaveLength(2)
  })

  test('is requested at most once a minute, and at once for another connection', async () => {
    const { ask, clock, questions, connection } = await start()
    await Promise.all([ask(every(levelDraft('100'))), ask(every(levelDraft('101')))])
    for (const level of ['1', '10', '1000']) await ask(every(levelDraft(level)))
    expect(questions()).toBe(1)
    clock.advance(60_000)
    await ask(every(levelDraft('100')))
    expect(questions()).toBe(2)
    connection.rest = undefined
    expect((await ask(every(levelDraft('100')))).backTest).toBeUndefined()
  })

  test('is from the history if no service answers, up to the last received value', async () => {
    const { ask, quotes, history, connection, nowMs } = await start()
    const endMs = nowMs - 3 * 3_600_000
    const values = ['99', '101', '99', '101'].map((value, at) => {
      return storedValue(0, value, { publishedAtMs: endMs - (3 - at) * 1_000 })
    })
    history.append([storedValue(0, '98', { publishedAtMs: endMs - 2 * 3_600_000 }), ...values])
    quotes.seed([{ id: 'BRTI', value: '101', publishedAtMs: endMs, source: 'cache' }])
    connection.rest = undefined
    const tried = { sinceMs: endMs - 3_000, untilMs: endMs, fires: [{ value: '101' }, { value: '101' }] }
    expect(await ask(every(levelDraft('100')))).toMatchObject({ isMet: false, backTest: tried })
  })

  test('is left out if the service does not answer in time, and is there the next time', async () => {
    const { ask, clock, service, questions, nowMs } = await start()
    let answer = (): void => undefined
    service.routes.set('values?id=BRTI', (_request, response) => {
      answer = () => {
        response.end(successBody([2, 1].map((ago) => ({ value: '99', time: nowMs - ago * 1_000 }))))
      }
    })
    const asked = ask(levelDraft('100'))
    await expect.poll(questions).toBe(1)
    clock.advance(3_000)
    expect(await asked).toEqual({ problems: [], isMet: false })
    answer()
    await expect.poll(async () => (await ask(levelDraft('100'))).backTest?.untilMs).toBe(nowMs - 1_000)
    expect(questions()).toBe(1)
  })

  test('is left out if the service has none or refuses', async () => {
    const { ask, serveValues, service, clock } = await start()
    service.routes.delete('values?id=BRTI')
    expect(await ask(levelDraft('100'))).toEqual({ problems: [], isMet: false })
    serveValues([])
    clock.advance(60_000)
    expect(await ask(levelDraft('100'))).toEqual({ problems: [], isMet: false })
  })

  test('includes how far an index has moved until now', async () => {
    const { ask, serveValues } = await start()
    serveValues(['100', '100', '100', '102'])
    const terms = { condition: 'moves', direction: 'either', amount: '5', unit: 'points', withinMs: 3_000 } as const
    expect((await ask(every({ ...levelDraft(), terms }))).measure).toBe('2')
  })
})

test('a weight is known while the page of its index is open', async () => {
  const constituents = {
    value: '100',
    publishedAtMs: Date.UTC(2023, 10, 1, 12),
    constituents: [{ constituent: 'BTC', value: '1', weightPercent: '55.20' }],
  }
  const draft: AlertDraft = {
    ...levelDraft('', { indexId: uc5.id }),
    terms: { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '50' },
  }
  const opened = await start({ constituents })
  expect(await opened.ask(draft)).toEqual({ problems: [], isMet: true, measure: '55.20' })
  const closed = await start()
  expect(await closed.ask(draft)).toEqual({ problems: [], isMet: false })
  expect(opened.questions() + closed.questions()).toBe(0)
})

test('a spread is known while the page of its index is open and the service sends it', async () => {
  const conditions = { value: '100', publishedAtMs: Date.UTC(2023, 10, 1, 12), valueBid: '99.9', valueAsk: '100.1' }
  const draft: AlertDraft = {
    ...levelDraft('', { indexId: uc5.id }),
    terms: { condition: 'spreadAtOrAbove', spreadBps: '20' },
  }
  const opened = await start({ conditions })
  expect(await opened.ask(draft)).toEqual({ problems: [], isMet: true, measure: '20.00' })
  const kept = await start({ conditions, remembered: { conditions: 1 } })
  expect(await kept.ask(draft)).toEqual({ problems: [], isMet: false })
})
