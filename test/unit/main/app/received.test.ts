import { expect, test } from 'vitest'
import { distribute } from '../../../../main/app/received'
import { Emitter } from '../../../../main/base/emitter'
import type { ConnectionEvents } from '../../../../main/connections/connection-events'
import type { IndexPage } from '../../../../main/index-page/index-page'
import { PastValues } from '../../../../main/quotes/past-values'
import type { QuoteData } from '../../../../main/quotes/quote-data'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { noRules } from '../../../support/open-alerts'

const publication = { value: '1', publishedAtMs: 1, constituents: [] }

/** Sends constituents, market conditions and a corporate action of an open index. Returns who got them, in order. */
function orderOf(failing?: 'page'): { order: string[]; errors: unknown[] } {
  const order: string[] = []
  const errors: unknown[] = []
  const take = (who: string) => () => {
    if (who === failing) throw new Error(`${who} fails`)
    order.push(who)
  }
  const page = {
    constituentsPublished: take('page'),
    conditionsPublished: take('page'),
    corporateActionPublished: take('page'),
  }
  const rules = {
    ...noRules,
    considerConstituents: take('rules'),
    considerConditions: take('rules'),
    considerCorporateAction: take('rules'),
  }
  const events = new Emitter<ConnectionEvents>((error) => errors.push(error))
  const quotes = {} as Pick<QuoteData, 'store' | 'pastValues' | 'demote'>
  const receivers = {
    clock: new FakeClock(),
    history: new MemoryHistory(),
    quotes,
    pages: { all: () => [page as unknown as IndexPage] },
    rules,
  }
  distribute(events, receivers, () => undefined)
  events.emit('constituentsPublished', { id: 'NCI', publication, leftOut: 0 })
  events.emit('conditionsPublished', { id: 'NCI', publication })
  events.emit('corporateActionPublished', { id: 'NCI', publishedAtMs: 1, action: null })
  return { order, errors }
}

test('rules get constituents, market conditions and corporate actions before the page does', () =>
  expect(orderOf().order).toEqual(['rules', 'page', 'rules', 'page', 'rules', 'page']))

test('rules get them even if the page fails', () => {
  const { order, errors } = orderOf('page')
  expect(order).toEqual(['rules', 'rules', 'rules'])
  expect(errors).toHaveLength(3)
})

test('tells rules of unknown ranges, and records only those that are final', async () => {
  const events = new Emitter<ConnectionEvents>(() => undefined)
  const heard: number[] = []
  const rules = { ...noRules, notKnown: (_: string, { fromMs }: { fromMs: number }) => heard.push(fromMs) }
  const history = new MemoryHistory()
  const quotes = {} as Pick<QuoteData, 'store' | 'pastValues' | 'demote'>
  distribute(events, { clock: new FakeClock(), history, quotes, pages: { all: () => [] }, rules }, () => undefined)
  events.emit('stayedUnknown', { id: 'BRTI', fromMs: 1_000, toMs: 2_000, isForNow: true })
  events.emit('stayedUnknown', { id: 'BRTI', fromMs: 3_000, toMs: 4_000 })
  await history.query('latest', null)
  expect(heard).toEqual([1_000, 3_000])
  expect(history.written.flatMap(({ spans = [] }) => spans)).toMatchObject([{ fromMs: 3_000, toMs: 4_000 }])
})

/** Streams values of BRTI, dated these milliseconds after the clock, to the store, the past values and the history. */
function receive(aheadsMs: readonly number[]) {
  const clock = new FakeClock()
  const events = new Emitter<ConnectionEvents>(() => undefined)
  const store = new QuoteStore({ clock, onError: () => undefined })
  const pastValues = new PastValues({ clock, changeBase: () => 'sessionFirst' })
  const history = new MemoryHistory()
  const quotes = { store, pastValues, demote: () => undefined }
  distribute(events, { clock, history, quotes, pages: { all: () => [] }, rules: noRules }, () => undefined)
  aheadsMs.forEach((aheadMs, at) => {
    const value = { value: String(100 + at), publishedAtMs: clock.wallMs() + aheadMs }
    events.emit('published', { id: 'BRTI', publication: value, source: 'stream', resolution: 'PER_SECOND' })
  })
  return { store, pastValues, history }
}

test('a first value of 2099 is ignored: changes start from the first accepted one', async () => {
  const { store, pastValues, history } = receive([73 * 365 * 86_400_000, 0, 1_000])
  expect(store.get('BRTI')?.value).toBe('102')
  expect(pastValues.facts('BRTI').reference?.value).toBe('101')
  expect(await history.query('latest', null)).toMatchObject({ value: [{ value: '102' }] })
})

test('twin: without it, changes start from the first', () =>
  expect(receive([0, 1_000]).pastValues.facts('BRTI').reference?.value).toBe('100'))
