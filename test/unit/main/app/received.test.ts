import { expect, test } from 'vitest'
import { distribute } from '../../../../main/app/received'
import { Emitter } from '../../../../main/base/emitter'
import type { ConnectionEvents } from '../../../../main/connections/connection-events'
import type { IndexPage } from '../../../../main/index-page/index-page'
import type { QuoteData } from '../../../../main/quotes/quote-data'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryTape } from '../../../support/memory-tape'
import { noRules } from '../../../support/open-alerts'

const publication = { value: '1', publishedAtMs: 1, constituents: [] }

/** Sends news of an open index's constituents and corporate action; answers who got them, in order. */
function orderOf(failing?: 'page'): { order: string[]; errors: unknown[] } {
  const order: string[] = []
  const errors: unknown[] = []
  const take = (who: string) => () => {
    if (who === failing) throw new Error(`${who} fails`)
    order.push(who)
  }
  const page = { constituentsPublished: take('page'), corporateActionPublished: take('page') }
  const rules = { ...noRules, considerConstituents: take('rules'), considerCorporateAction: take('rules') }
  const events = new Emitter<ConnectionEvents>((error) => errors.push(error))
  const quotes = {} as Pick<QuoteData, 'store' | 'history' | 'demote'>
  const receivers = {
    clock: new FakeClock(),
    tape: new MemoryTape(),
    quotes,
    page: page as unknown as IndexPage,
    rules,
  }
  distribute(events, receivers, () => undefined)
  events.emit('constituentsPublished', { id: 'NCI', publication, leftOut: 0 })
  events.emit('corporateActionPublished', { id: 'NCI', publishedAtMs: 1, action: null })
  return { order, errors }
}

test('rules get constituents and corporate actions before the page does', () => {
  expect(orderOf().order).toEqual(['rules', 'page', 'rules', 'page'])
})

test('rules get them where the page fails', () => {
  const { order, errors } = orderOf('page')
  expect(order).toEqual(['rules', 'rules'])
  expect(errors).toHaveLength(2)
})
