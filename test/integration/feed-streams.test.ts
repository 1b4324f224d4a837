import { expect, test } from 'vitest'
import type { Subscription } from '../../core/model'
import { eventually } from '../support/eventually'
import { goldenText } from '../support/golden'
import { openFeed } from '../support/open-feed'

const wanted: Subscription[] = [
  { stream: 'value', id: 'NCI' },
  { stream: 'constituents', id: 'NCI' },
  { stream: 'active_corporate_action', id: 'TSLAXUSD_RTI' },
  { stream: 'rti_stats', id: 'BRTI' },
]

function listen(feed: Awaited<ReturnType<typeof openFeed>>) {
  const heard: [string, object][] = []
  const { events } = feed.session
  events.on('constituentsPublished', (event) => heard.push(['constituents', event]))
  events.on('corporateActionPublished', (event) => heard.push(['corporateAction', event]))
  events.on('conditionsPublished', (event) => heard.push(['conditions', event]))
  return heard
}

test('publishes each stream under its own name (protocol, 2.2, 2.5, 2.8, 2.9)', async () => {
  const feed = await openFeed({ wanted })
  const heard = listen(feed)
  await feed.connect()
  expect(feed.service.commands.slice(1)).toEqual(wanted.map((each) => ({ type: 'subscribe', ...each })))
  feed.service.send(goldenText('constituents-exchange-family.json'))
  feed.service.send(goldenText('corporate-action-pending.json'))
  feed.service.send(goldenText('corporate-action-none.json'))
  feed.service.send(goldenText('rti-stats.json'))
  await eventually(() =>
    expect(heard.map(([name]) => name)).toEqual(['constituents', 'corporateAction', 'corporateAction', 'conditions']),
  )
  expect(heard[0]?.[1]).toMatchObject({ id: 'NCI', leftOut: 0, publication: { divisor: '203484212.3109' } })
  expect(heard[2]?.[1]).toMatchObject({ id: 'TSLAXUSD_RTI', action: null })
  expect(heard[3]?.[1]).toMatchObject({ id: 'BRTI', publication: { midPrice: '67362.625' } })
  expect(feed.heard.published).toEqual([])
  expect(feed.session.status().streamCount).toBe(4)
})

test('counts a message on an unsubscribed stream as unwanted, even of a subscribed index', async () => {
  const feed = await openFeed({ wanted: [{ stream: 'constituents', id: 'BRTI' }] })
  const heard = listen(feed)
  await feed.connect()
  feed.service.send(goldenText('rti-stats.json'))
  feed.service.sendValue('BRTI', '1')
  await eventually(() => expect(feed.counters.read()).toEqual({ 'feed.unwanted': 2 }))
  expect(heard).toEqual([])
})

test.each([
  ['value', 'constituents'],
  ['constituents', 'value'],
] as const)('an unrequested refusal counts as unwanted: NCI on %s, refused on %s', async (asked, refused) => {
  const feed = await openFeed({ wanted: [{ stream: asked, id: 'NCI' }] })
  await feed.connect()
  feed.service.send({ type: 'subscribe', stream: refused, id: 'NCI', success: false, reason: 'no' })
  await eventually(() => expect(feed.counters.read()).toEqual({ 'feed.unwanted': 1 }))
  expect(feed.heard.refused).toEqual([])
  expect(feed.session.status().streamCount).toBe(1)
})

test('subscribes to every channel again after a drop', async () => {
  const feed = await openFeed({ wanted })
  await feed.connect()
  feed.service.drop()
  const { retryInMs = 0 } = await feed.reached('reconnecting')
  feed.service.commands.length = 0
  feed.clock.advance(retryInMs)
  await eventually(() =>
    expect(feed.service.commands).toEqual([
      { type: 'info' },
      ...wanted.map((each) => ({ type: 'subscribe', ...each })),
    ]),
  )
})
