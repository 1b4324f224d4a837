import { describe, expect, test } from 'vitest'
import { IndexPage, pageSubscriptions, type IndexSource } from '../../../../main/index-page/index-page'
import type { OpenedIndex } from '../../../../protocol/desktop'
import {
  resolutions,
  type Constituent,
  type IndexDetail,
  type IndexSummary,
  type Outcome,
} from '../../../../core/model'
import { PageMemory } from '../../../../main/index-page/page-memory'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { RecordedLog } from '../../../support/recorded-log'

const atMs = Date.UTC(2023, 10, 1, 12)
const detail: IndexDetail = { id: 'NCI', name: 'Nasdaq Crypto Index', maxResolution: 'PER_SECOND', facts: [] }
const summary: IndexSummary = { value: '2835.55', publishedAtMs: atMs, last24Hours: [] }
const link: Constituent = { constituent: 'LINK', value: '35.0013', weightPercent: '1.27' }
const publication = (value: string, publishedAtMs = atMs, more = {}) => ({
  value,
  publishedAtMs,
  constituents: [link],
  ...more,
})
const constituents = (value: string, publishedAtMs = atMs, more = {}) => ({
  id: 'NCI',
  publication: publication(value, publishedAtMs, more),
  leftOut: 0,
})

/** A page whose requests wait until the test answers them, and everything it reported. */
function openPage(
  options: { hasSource?: boolean; isKeyInDoubt?: () => boolean; baseOf?: (id: string) => OpenedIndex['base'] } = {},
) {
  const clock = new FakeClock(atMs)
  const reported: OpenedIndex[] = []
  const opened: (string | undefined)[] = []
  const questions: { name: string; answer: (outcome: Outcome<never>) => Promise<void> }[] = []
  const query = (name: string) =>
    new Promise<Outcome<never>>((resolve) => {
      questions.push({
        name,
        answer: async (outcome) => {
          resolve(outcome)
          await Promise.resolve()
          await Promise.resolve()
        },
      })
    })
  const source: IndexSource = {
    detail: (id) => query(`detail ${id}`),
    summary: (id) => query(`summary ${id}`),
    conditions: (id) => query(`conditions ${id}`),
    corporateAction: (id) => query(`corporateAction ${id}`),
  }
  const history = new MemoryHistory()
  const log = new RecordedLog()
  const memory = new PageMemory({ history, clock, log })
  const page = new IndexPage({
    clock,
    memory,
    source: () => ((options.hasSource ?? true) ? source : undefined),
    ...(options.isKeyInDoubt && { isKeyInDoubt: options.isKeyInDoubt }),
    ...(options.baseOf && { baseOf: options.baseOf }),
    onIdChange: () => opened.push(page.id),
    onChange: (news) => reported.push(news),
  })
  const answer = async (name: string, outcome: Outcome<unknown>) => {
    const at = questions.findIndex((question) => question.name === name)
    await questions.splice(at, 1)[0]?.answer(outcome as Outcome<never>)
  }
  return { page, memory, history, log, clock, reported, opened, questions, answer }
}

/** Like `openPage`, with NCI open. */
function openNci() {
  const opened = openPage()
  opened.page.open('NCI')
  return opened
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('opening', () => {
  test('reports the open page immediately, then each part', async () => {
    const { page, reported, questions, answer } = openNci()
    expect(reported).toEqual([{ id: 'NCI', problems: [] }])
    expect(questions.map(({ name }) => name)).toEqual(['detail NCI', 'summary NCI'])
    await answer('detail NCI', { ok: true, value: detail })
    page.constituentsPublished(constituents('1'))
    page.conditionsPublished({ id: 'NCI', publication: { value: '1', publishedAtMs: atMs, midPrice: '1.5' } })
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs, action: null })
    await answer('summary NCI', { ok: true, value: summary })
    expect(reported).toHaveLength(6)
    expect(page.view()).toEqual({
      id: 'NCI',
      detail,
      summary,
      constituents: publication('1'),
      firstConstituents: publication('1'),
      conditions: { value: '1', publishedAtMs: atMs, midPrice: '1.5' },
      corporateAction: null,
      problems: [],
    })
    expect(reported.at(-1)).toEqual(page.view())
  })

  test('conditions and corporate action of a real-time index are also queried by REST', async () => {
    const { page, questions, answer } = openNci()
    await answer('summary NCI', { ok: true, value: summary })
    expect(questions.map(({ name }) => name)).toEqual(['detail NCI'])
    await answer('detail NCI', { ok: true, value: detail })
    expect(questions.map(({ name }) => name)).toEqual(['conditions NCI', 'corporateAction NCI'])
    await answer('conditions NCI', { ok: true, value: [{ value: '1', publishedAtMs: atMs, midPrice: '1.5' }] })
    await answer('corporateAction NCI', { ok: true, value: { publishedAtMs: atMs, action: null } })
    expect(page.view()).toMatchObject({ conditions: { midPrice: '1.5' }, corporateAction: null, problems: [] })
  })

  test('an index that publishes daily has neither and is not asked', async () => {
    const { questions, answer } = openNci()
    await answer('detail NCI', { ok: true, value: { ...detail, maxResolution: 'DAILY' } })
    expect(questions.map(({ name }) => name)).toEqual(['summary NCI'])
  })

  test('REST statistics do not replace those of the stream, nor its refusal', async () => {
    const { page, answer } = openNci()
    await answer('detail NCI', { ok: true, value: detail })
    page.conditionsPublished({ id: 'NCI', publication: { value: '2', publishedAtMs: atMs + 1_000 } })
    page.refused({ stream: 'active_corporate_action', id: 'NCI', reason: 'not offered' })
    await answer('conditions NCI', { ok: true, value: [{ value: '1', publishedAtMs: atMs }] })
    await answer('corporateAction NCI', { ok: true, value: { publishedAtMs: atMs, action: null } })
    expect(page.view()?.conditions?.value).toBe('2')
    expect(page.view()?.corporateAction).toBeUndefined()
    expect(page.view()?.problems).toEqual([{ part: 'active_corporate_action', message: 'not offered' }])
  })

  test('an index without statistics shows no problem of them', async () => {
    const { page, answer } = openNci()
    await answer('detail NCI', { ok: true, value: detail })
    await answer('conditions NCI', { ok: false, problem: { code: 'badRequest', message: 'no' } })
    expect(page.view()).toEqual({ id: 'NCI', detail, problems: [] })
    page.open('BRTI')
    await answer('corporateAction NCI', { ok: true, value: { publishedAtMs: atMs, action: null } })
    expect(page.view()).toEqual({ id: 'BRTI', problems: [] })
  })

  test('another index takes the place of the first, whose late answers are not heard', async () => {
    const { page, reported, answer } = openNci()
    page.constituentsPublished(constituents('1'))
    page.open('BRTI')
    await answer('detail NCI', { ok: true, value: detail })
    page.constituentsPublished(constituents('2'))
    page.refused({ stream: 'constituents', id: 'NCI', reason: 'no' })
    expect(page.view()).toEqual({ id: 'BRTI', problems: [] })
    expect(reported).toHaveLength(3)
  })

  test('the same index again changes nothing', () => {
    const { page, reported, questions } = openNci()
    page.constituentsPublished(constituents('1'))
    page.open('NCI')
    expect(page.view()?.constituents).toBeDefined()
    expect([reported.length, questions.length]).toEqual([2, 2])
  })

  test('without a REST interface waits for the stream', () => {
    const { page, questions } = openPage({ hasSource: false })
    page.open('NCI')
    page.connected()
    expect(questions).toEqual([])
    expect(page.view()).toEqual({ id: 'NCI', problems: [] })
  })
})

describe('pace', () => {
  test('of what changes with every calculation is once a second, and the last one is reported', () => {
    const { page, clock, reported } = openNci()
    reported.length = 0
    for (let i = 0; i < 50; i++) {
      page.constituentsPublished(constituents(String(i), atMs + i * 200))
      clock.advance(200)
    }
    clock.advance(1_000)
    expect(reported.map((opened) => opened.constituents?.value)).toEqual([
      ...['0', '4', '9', '14', '19', '24', '29', '34', '39', '44', '49'],
    ])
    expect(clock.pending).toBe(0)
  })

  test('holds back nothing that comes for the first time, and no problem', () => {
    const { page, reported } = openNci()
    page.constituentsPublished(constituents('1'))
    page.constituentsPublished(constituents('2', atMs + 200))
    page.conditionsPublished({ id: 'NCI', publication: { value: '1', publishedAtMs: atMs } })
    page.refused({ stream: 'active_corporate_action', id: 'NCI', reason: 'Unrecognised id' })
    expect(reported.map((opened) => opened.constituents?.value)).toEqual([undefined, '1', '2', '2'])
  })

  test('ends with the page', () => {
    const { page, clock, reported } = openNci()
    page.constituentsPublished(constituents('1'))
    page.constituentsPublished(constituents('2', atMs + 200))
    page.close()
    clock.advance(5_000)
    expect(reported).toHaveLength(2)
    expect(clock.pending).toBe(0)
    expect(page.view()).toBeUndefined()
    expect(page.id).toBeUndefined()
  })
})

describe('what is shown', () => {
  test('never gives way to something older; an amendment of it does replace it', () => {
    const { page } = openNci()
    page.constituentsPublished(constituents('2', atMs))
    page.constituentsPublished(constituents('1', atMs - 1_000, { amendedAtMs: atMs + 5 }))
    expect(page.view()?.constituents?.value).toBe('2')
    page.constituentsPublished(constituents('2.5', atMs, { amendedAtMs: atMs + 9 }))
    expect(page.view()?.constituents?.value).toBe('2.5')
    expect(page.view()?.firstConstituents?.value).toBe('2')
  })

  test('is not held up by a time from the future', () => {
    const { page } = openNci()
    page.constituentsPublished(constituents('9', atMs + 3_600_000))
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs + 3_600_000, action: null })
    page.conditionsPublished({ id: 'NCI', publication: { value: '1', publishedAtMs: atMs + 3_600_000 } })
    expect(page.view()).toEqual({ id: 'NCI', problems: [] })
    page.constituentsPublished(constituents('1'))
    expect(page.view()?.constituents?.value).toBe('1')
  })

  test('of a corporate action is the last state: pending, then none', () => {
    const { page } = openNci()
    const action = { publishedAtMs: atMs, facts: [{ name: 'state', text: 'PENDING' }] }
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs, action })
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs - 1, action: null })
    expect(page.view()?.corporateAction).toEqual(action)
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs + 1, action: null })
    expect(page.view()?.corporateAction).toBeNull()
  })

  test('says how many constituents are not there, and stops saying so', () => {
    const { page } = openNci()
    page.constituentsPublished({ ...constituents('1'), leftOut: 7 })
    expect(page.view()?.problems).toEqual([{ part: 'constituents', message: 'Showing the first 1 constituents of 8.' }])
    page.constituentsPublished(constituents('2'))
    expect(page.view()?.problems).toEqual([])
  })
})

describe('problems', () => {
  test('name their part and go when it comes', async () => {
    const { page, answer } = openNci()
    await answer('detail NCI', { ok: false, problem: { code: 'badRequest', message: 'Unknown id.' } })
    await answer('summary NCI', { ok: false, problem: { code: 'timedOut', message: 'Too long.' } })
    page.refused({ stream: 'constituents', id: 'NCI', reason: 'Unrecognised id' })
    expect(page.view()?.problems).toEqual([
      { part: 'detail', message: 'Unknown id.' },
      { part: 'summary', message: 'Too long.' },
      { part: 'constituents', message: 'Unrecognised id' },
    ])
    page.constituentsPublished(constituents('1'))
    expect(page.view()?.problems.map(({ part }) => part)).toEqual(['detail', 'summary'])
  })

  test('are cleared on a new connection, and known parts stay', async () => {
    const { page, reported, questions, answer } = openNci()
    await answer('detail NCI', { ok: true, value: detail })
    await answer('summary NCI', { ok: false, problem: { code: 'timedOut', message: 'Too long.' } })
    questions.length = 0
    page.connected()
    expect(reported.at(-1)).toEqual({ id: 'NCI', detail, problems: [] })
    expect(questions.map(({ name }) => name)).toEqual(['detail NCI', 'summary NCI'])
    await answer('summary NCI', { ok: true, value: summary })
    expect(page.view()).toEqual({ id: 'NCI', detail, summary, problems: [] })
  })

  test('and values are dropped with the service', async () => {
    const { page, reported, answer } = openNci()
    page.constituentsPublished(constituents('1'))
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs, action: null })
    page.refused({ stream: 'rti_stats', id: 'NCI', reason: 'no' })
    const before = reported.length
    page.serviceChanged()
    await answer('detail NCI', { ok: true, value: detail })
    expect(page.view()).toEqual({ id: 'NCI', problems: [] })
    expect(reported).toHaveLength(before)
    page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs - 9_000, action: null })
    expect(page.view()?.corporateAction).toBeNull()
  })
})

test('the open page is reported only when it changes', () => {
  const { page, opened } = openNci()
  page.open('NCI')
  page.serviceChanged()
  page.connected()
  page.open('BRTI')
  page.close()
  page.close()
  expect(opened).toEqual(['NCI', 'BRTI', undefined])
})

test('while no page is open nothing is reported', () => {
  const { page, reported, opened, questions } = openPage()
  page.constituentsPublished(constituents('1'))
  page.refused({ stream: 'value', id: 'NCI', reason: 'no' })
  page.connected()
  page.serviceChanged()
  page.close()
  expect([reported, opened, questions]).toEqual([[], [], []])
})

test('the ranges that the history has from their start are stated', async () => {
  const { page, history } = openPage()
  const dayMs = 86_400_000
  const known = { id: 'NCI', learnedAtMs: atMs, origin: 'stream' as const, connection: 'Desk' }
  // A single value long ago does not make the month whole.
  history.append([300, 6.99, 1].map((days) => ({ ...known, value: '1', publishedAtMs: atMs - days * dayMs })))
  page.open('NCI')
  await history.query('size', null)
  await settle()
  expect(page.view()?.wholeRanges).toEqual(['7d'])
})

describe('a stored part', () => {
  const action = { publishedAtMs: atMs, facts: [{ name: 'state', text: 'PENDING' }] }

  /** All parts were received ten minutes ago. No service answers now. */
  async function reopened() {
    const before = openPage()
    before.page.open('NCI')
    await before.answer('detail NCI', { ok: true, value: detail })
    before.page.constituentsPublished(constituents('1'))
    before.page.conditionsPublished({ id: 'NCI', publication: { value: '1', publishedAtMs: atMs, midPrice: '1.5' } })
    before.page.corporateActionPublished({ id: 'NCI', publishedAtMs: atMs, action })
    before.page.close()
    before.clock.advance(600_000)
    before.page.open('NCI')
    await before.history.query('size', null)
    await settle()
    return before
  }

  test('is shown with the time of its receipt until the service sends it', async () => {
    const { page, answer } = await reopened()
    expect(page.view()).toEqual({
      id: 'NCI',
      detail,
      constituents: publication('1'),
      firstConstituents: publication('1'),
      conditions: { value: '1', publishedAtMs: atMs, midPrice: '1.5' },
      corporateAction: action,
      remembered: { detail: atMs, constituents: atMs, conditions: atMs, corporateAction: atMs },
      problems: [],
    })
    page.constituentsPublished(constituents('2', atMs + 600_000))
    await answer('detail NCI', { ok: true, value: { ...detail, name: 'Other' } })
    expect(page.view()).toMatchObject({
      detail: { name: 'Other' },
      constituents: { value: '2' },
      // The first constituents are those received since the page was opened.
      firstConstituents: { value: '2' },
      remembered: { conditions: atMs, corporateAction: atMs },
    })
    expect(page.view()?.remembered).not.toHaveProperty('constituents')
  })

  test('takes the place of nothing that the service sent first', async () => {
    const { page, history } = await reopened()
    page.close()
    page.open('NCI')
    page.conditionsPublished({ id: 'NCI', publication: { value: '2', publishedAtMs: atMs + 1, midPrice: '2.5' } })
    await history.query('size', null)
    await settle()
    expect(page.view()?.conditions?.midPrice).toBe('2.5')
    expect(page.view()?.remembered).not.toHaveProperty('conditions')
  })

  test('is kept when a member comes or goes, else every five minutes, and never from the future', async () => {
    const { page, history, clock } = openPage()
    const newest = async () => {
      const answer = await history.query('snapshotAt', { kind: 'constituents', id: 'NCI', atMs: atMs + 9e9 })
      return answer.ok ? answer.value?.publishedAtMs : undefined
    }
    page.constituentsPublished(constituents('1'))
    clock.advance(1_000)
    page.constituentsPublished(constituents('2', atMs + 1_000))
    expect(await newest()).toBe(atMs)
    const joined = constituents('3', atMs + 2_000, { constituents: [link, { ...link, constituent: 'BTC' }] })
    page.constituentsPublished(joined)
    expect(await newest()).toBe(atMs + 2_000)
    clock.advance(300_000)
    page.constituentsPublished({ ...joined, publication: { ...joined.publication, publishedAtMs: atMs + 301_000 } })
    expect(await newest()).toBe(atMs + 301_000)
    page.constituentsPublished(constituents('9', atMs + 86_400_000))
    expect(await newest()).toBe(atMs + 301_000)
  })

  test('is stored immediately if the divisor changes', async () => {
    const { page, history, clock } = openPage()
    page.constituentsPublished(constituents('1', atMs, { divisor: '100.0' }))
    clock.advance(1_000)
    page.constituentsPublished(constituents('1', atMs + 1_000, { divisor: '101.0' }))
    const range = { fromMs: 0, toMs: atMs + 9e9, stepMs: 1 }
    const kept = await history.query('snapshotSamples', { kind: 'constituents', id: 'NCI', ...range })
    expect(kept.ok && kept.value.map(({ publishedAtMs }) => publishedAtMs - atMs)).toEqual([1_000, 0])
  })

  test('is logged and left out where it cannot be read', async () => {
    const { page, history, log } = openPage()
    await history.commit({
      snapshots: [{ kind: 'constituents', id: 'NCI', publishedAtMs: atMs, learnedAtMs: atMs, document: '{"value":1}' }],
    })
    page.open('NCI')
    await history.query('size', null)
    await settle()
    expect(page.view()).toEqual({ id: 'NCI', problems: [] })
    expect(log.texts('warn').join()).toContain('could not be read from the history')
  })
})

describe('the history of market conditions', () => {
  const minute = 60_000
  const depthAt = (publishedAtMs: number, utilizedDepth: string) => ({ value: '1', publishedAtMs, utilizedDepth })
  const historyOf = (page: IndexPage) =>
    page
      .view()
      ?.conditionsHistory?.map(({ publishedAtMs, utilizedDepth }) => [(publishedAtMs - atMs) / minute, utilizedDepth])
  const settled = async (history: MemoryHistory) => {
    await history.query('size', null)
    await settle()
    await settle()
  }

  test('is what REST has of the past hour, with what the stream sends, one a minute', async () => {
    const { page, clock, answer } = openNci()
    await answer('detail NCI', { ok: true, value: detail })
    page.conditionsPublished({ id: 'NCI', publication: depthAt(atMs, '10') })
    await answer('conditions NCI', {
      ok: true,
      value: [
        depthAt(atMs - 61 * minute, '1'),
        depthAt(atMs - 60 * minute, '2'),
        depthAt(atMs - minute, '3'),
        depthAt(atMs + 60 * minute, '9'),
      ],
    })
    expect(historyOf(page)).toEqual([
      [-60, '2'],
      [-1, '3'],
      [0, '10'],
    ])
    clock.advance(minute)
    page.conditionsPublished({ id: 'NCI', publication: depthAt(atMs + 0.5 * minute, '11') })
    page.conditionsPublished({ id: 'NCI', publication: depthAt(atMs + minute, '12') })
    expect(historyOf(page)).toEqual([
      [-1, '3'],
      [0, '10'],
      [1, '12'],
    ])
    page.open('BRTI')
    expect(historyOf(page)).toBeUndefined()
  })

  test('is kept in the history each minute, also while no page is open, and with what REST had', async () => {
    const { page, history, clock, answer } = openPage()
    for (let second = 0; second < 180; second++) {
      page.conditionsPublished({ id: 'NCI', publication: depthAt(clock.wallMs(), String(second)) })
      clock.advance(1_000)
    }
    const kept = await history.query('snapshotSamples', {
      kind: 'conditions',
      id: 'NCI',
      fromMs: 0,
      toMs: 9e15,
      stepMs: 1,
    })
    expect(kept.ok && kept.value.map(({ publishedAtMs }) => (publishedAtMs - atMs) / 1_000)).toEqual([165, 110, 55, 0])
    page.open('NCI')
    await answer('detail NCI', { ok: true, value: detail })
    await answer('conditions NCI', { ok: true, value: [depthAt(atMs - 5 * minute, '7')] })
    page.close()
    page.open('NCI')
    await settled(history)
    expect(historyOf(page)?.map(([, depth]) => depth)).toEqual(['7', '0', '110', '165'])
  })

  test('is that of the hour before the last ones this computer has, where no service answers', async () => {
    const { page, history, clock } = openPage({ hasSource: false })
    for (const at of [-90, -50, -1, 0]) {
      const publication = depthAt(atMs + at * minute, String(-at))
      page.conditionsPublished({ id: 'NCI', publication })
      clock.advance(minute)
    }
    clock.advance(24 * 60 * minute)
    page.open('NCI')
    await settled(history)
    expect(historyOf(page)).toEqual([
      [-50, '50'],
      [-1, '1'],
      [0, '0'],
    ])
    expect(page.view()?.remembered).toHaveProperty('conditions')
  })
})

describe('the baseline that the user set', () =>
  test('is reported with the page of its index, and again when it changes', () => {
    let base: OpenedIndex['base']
    const { page, reported } = openPage({ baseOf: (id) => (id === 'NCI' ? base : undefined) })
    page.open('NCI')
    expect(reported.at(-1)).not.toHaveProperty('base')
    base = { constituents: publication('1'), setAtMs: atMs }
    page.baseChanged('UC5')
    expect(reported).toHaveLength(1)
    page.baseChanged('NCI')
    expect(reported.at(-1)?.base).toEqual(base)
    base = undefined
    page.baseChanged('NCI')
    expect(reported.at(-1)).not.toHaveProperty('base')
  }))

test('only real-time indices get more than value and constituents', () => {
  const asked = (resolution: (typeof resolutions)[number] | undefined) =>
    pageSubscriptions('NCI', resolution).map(({ stream }) => stream)
  const realTime = ['value', 'constituents', 'active_corporate_action', 'rti_stats']
  expect(asked('PER_200MS')).toEqual(realTime)
  expect(asked('PER_SECOND')).toEqual(realTime)
  for (const slow of [undefined, ...resolutions.slice(2)]) expect(asked(slow)).toEqual(['value', 'constituents'])
})

test('values are asked for once a second: a row that wants every tick asks for itself', () =>
  expect(pageSubscriptions('BRTI', 'PER_200MS')[0]).toEqual({
    stream: 'value',
    id: 'BRTI',
    maxResolution: 'PER_SECOND',
  }))

describe('the constituents at midnight', () => {
  const midnight = Date.UTC(2023, 10, 1)
  const minuteMs = 60_000

  async function openAfter(...closings: [value: string, publishedAtMs: number][]) {
    const opened = openPage()
    for (const [value, publishedAtMs] of closings) {
      const exchanges = [{ exchange: 'Kraken', weightPercent: '100' }]
      const document = JSON.stringify(publication(value, publishedAtMs, { constituents: [{ ...link, exchanges }] }))
      const snapshot = { kind: 'constituents' as const, id: 'NCI', publishedAtMs, learnedAtMs: publishedAtMs, document }
      await opened.history.commit({ snapshots: [snapshot] })
    }
    opened.page.open('NCI')
    await settle()
    return opened
  }

  test('are the last known before midnight in UTC, and are there with the page', async () => {
    const { page } = await openAfter(
      ['1', midnight - 10 * minuteMs],
      ['2', midnight - 5 * minuteMs],
      ['3', midnight + minuteMs],
    )
    expect(page.view()?.closing).toEqual(publication('2', midnight - 5 * minuteMs))
  })

  test('are not older ones', async () => {
    const { page } = await openAfter(['1', midnight - 121 * minuteMs])
    expect(page.view()).toBeDefined()
    expect(page.view()).not.toHaveProperty('closing')
  })

  test('are others with the next day, also where nothing is known of its close', async () => {
    const { page, clock, history } = await openAfter(['1', midnight - 5 * minuteMs])
    const publish = async (value: string, publishedAtMs: number) => {
      clock.advance(publishedAtMs - clock.serviceMs())
      page.constituentsPublished(constituents(value, publishedAtMs))
      await history.query('size', null)
      await settle()
      return page.view()?.closing?.value
    }
    const nextMidnight = midnight + 1_440 * minuteMs
    expect(await publish('5', nextMidnight - minuteMs)).toBe('1')
    expect(await publish('6', nextMidnight + minuteMs)).toBe('5')
    expect(await publish('7', nextMidnight + 3 * 1_440 * minuteMs)).toBeUndefined()
  })

  test('are not those of another index', async () => {
    const { page, history } = await openAfter(['1', midnight - 5 * minuteMs])
    page.close()
    page.open('NCI')
    page.open('BRTI')
    await history.query('size', null)
    await settle()
    expect(page.view()).not.toHaveProperty('closing')
  })
})

describe('a preview', () => {
  const preview = () => {
    const key = { isUnconfirmed: true }
    const opened = openPage({ isKeyInDoubt: () => key.isUnconfirmed })
    opened.page.open('NCI', true)
    return { ...opened, key, asked: () => opened.questions.map(({ name }) => name) }
  }
  const both = ['detail NCI', 'summary NCI']

  test('asks for nothing until the key is accepted', () => {
    const { page, key, asked } = preview()
    expect(asked()).toEqual([])
    page.open('NCI', true)
    expect(asked()).toEqual([])
    key.isUnconfirmed = false
    page.connected()
    expect(asked()).toEqual(both)
  })

  test('asks, once, when the user opens it', () => {
    const { page, asked } = preview()
    page.open('NCI')
    page.open('NCI')
    expect(asked()).toEqual(both)
  })

  test('a page that the user opens asks whatever the key', () => {
    const { page, questions } = openPage({ isKeyInDoubt: () => true })
    page.open('NCI')
    expect(questions.map(({ name }) => name)).toEqual(both)
  })
})
