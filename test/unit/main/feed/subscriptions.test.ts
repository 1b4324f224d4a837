import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  noRefusals,
  noSubscriptions,
  refusalsWithin,
  subscriptionCount,
  subscriptionMessages,
  wantedSubscriptions,
} from '../../../../main/feed/subscriptions'
import { streams } from '../../../../core/model'
import type { RequestedResolution } from '../../../../core/model'
import type { ClientMessage } from '../../../../protocol/wire'

const wanting = (entries: Record<string, RequestedResolution>) =>
  wantedSubscriptions(Object.entries(entries).map(([id, maxResolution]) => ({ stream: 'value', id, maxResolution })))
const refusing = (...ids: string[]) => ({ ...noRefusals(), value: new Set(ids) })

test('every tick wins if several lists have an index', () => {
  const wanted = wantedSubscriptions([
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    { stream: 'value', id: 'BRR' },
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' },
    { stream: 'constituents', id: 'BRTI', maxResolution: 'PER_200MS' },
  ])
  expect([...wanted.value]).toEqual([
    ['BRTI', 'PER_200MS'],
    ['BRR', 'PER_SECOND'],
  ])
  expect(subscriptionCount(wanted)).toBe(3)
})

test('sends the resolution only for every tick, and only for values', () => {
  const wanted = wantedSubscriptions([
    { stream: 'constituents', id: 'NCI', maxResolution: 'PER_200MS' },
    { stream: 'value', id: 'BRR', maxResolution: 'PER_SECOND' },
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
  ])
  expect(subscriptionMessages(noSubscriptions, wanted, noRefusals())).toEqual([
    { type: 'subscribe', stream: 'value', id: 'BRR' },
    { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    { type: 'subscribe', stream: 'constituents', id: 'NCI' },
  ])
})

test('leaving one channel of an index leaves its others alone (protocol, 2.3)', () => {
  const all = streams.map((stream) => ({ stream, id: 'NCI' }))
  for (const left of streams) {
    const rest = wantedSubscriptions(all.filter(({ stream }) => stream !== left))
    expect(subscriptionMessages(wantedSubscriptions(all), rest, noRefusals())).toEqual([
      { type: 'unsubscribe', stream: left, id: 'NCI' },
    ])
  }
})

test('an index refused on one channel is requested on another', () => {
  const wanted = wantedSubscriptions([
    { stream: 'value', id: 'BRTI' },
    { stream: 'constituents', id: 'BRTI' },
  ])
  expect(subscriptionMessages(noSubscriptions, wanted, refusing('BRTI'))).toEqual([
    { type: 'subscribe', stream: 'constituents', id: 'BRTI' },
  ])
  expect(subscriptionCount(refusalsWithin(refusing('BRTI', 'GONE'), wanted))).toBe(1)
})

test('another resolution is an unsubscribe followed by a subscribe', () => {
  const sent = wanting({ BRTI: 'PER_SECOND', OLD: 'PER_SECOND', SAME: 'PER_SECOND' })
  const wanted = wanting({ SAME: 'PER_SECOND', NEW: 'PER_SECOND', BRTI: 'PER_200MS' })
  expect(subscriptionMessages(sent, wanted, noRefusals())).toEqual([
    { type: 'unsubscribe', stream: 'value', id: 'BRTI' },
    { type: 'unsubscribe', stream: 'value', id: 'OLD' },
    { type: 'subscribe', stream: 'value', id: 'NEW' },
    { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
  ])
})

test('a refused index is neither requested again nor unsubscribed', () => {
  const sent = wanting({ GONE: 'PER_SECOND', KEPT: 'PER_SECOND' })
  const wanted = wanting({ KEPT: 'PER_200MS' })
  expect(subscriptionMessages(sent, wanted, refusing('GONE', 'KEPT'))).toEqual([])
  expect(subscriptionMessages(sent, wanted, noRefusals())).toHaveLength(3)
})

test('the messages turn any state into any other, without repetition', () => {
  const subscription = fc.record({
    stream: fc.constantFrom(...streams),
    id: fc.constantFrom('A', 'B', 'C'),
    maxResolution: fc.constantFrom<RequestedResolution>('PER_SECOND', 'PER_200MS'),
  })
  const state = fc.array(subscription).map(wantedSubscriptions)
  fc.assert(
    fc.property(state, state, (before, after) => {
      const atService = new Map<string, RequestedResolution>()
      for (const message of subscriptionMessages(noSubscriptions, before, noRefusals())) apply(message, atService)
      for (const message of subscriptionMessages(before, after, noRefusals())) apply(message, atService)
      const expected = streams.flatMap((stream) => [...after[stream]].map(([id, asked]) => [`${stream} ${id}`, asked]))
      expect([...atService].sort()).toEqual(expected.sort())
      expect(subscriptionMessages(after, after, noRefusals())).toEqual([])
    }),
  )
})

/** A strict service: subscribing twice, or unsubscribing what was not subscribed, is an error. */
function apply(message: ClientMessage, atService: Map<string, RequestedResolution>): void {
  if (message.type === 'info') throw new Error('unexpected info')
  const key = `${message.stream} ${message.id}`
  expect(atService.has(key)).toBe(message.type === 'unsubscribe')
  if (message.type === 'unsubscribe') atService.delete(key)
  else atService.set(key, message.maxResolution ?? 'PER_SECOND')
}
