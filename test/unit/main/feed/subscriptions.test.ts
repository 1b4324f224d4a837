import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subscriptionMessages, wantedSubscriptions } from '../../../../main/feed/subscriptions'
import type { RequestedResolution } from '../../../../protocol/model'
import type { ClientMessage } from '../../../../protocol/wire'

const none = new Set<string>()
const wanting = (entries: Record<string, RequestedResolution>) => new Map(Object.entries(entries))

test('of one index in several lists, every tick wins', () => {
  const wanted = wantedSubscriptions([
    { id: 'BRTI', maxResolution: 'PER_200MS' },
    { id: 'BRR', maxResolution: 'PER_SECOND' },
    { id: 'BRTI', maxResolution: 'PER_SECOND' },
  ])
  expect([...wanted]).toEqual([
    ['BRTI', 'PER_200MS'],
    ['BRR', 'PER_SECOND'],
  ])
})

test('one a second is the default and goes unsaid, every tick is said', () => {
  const wanted = wanting({ BRR: 'PER_SECOND', BRTI: 'PER_200MS' })
  expect(subscriptionMessages(new Map(), wanted, none)).toEqual([
    { type: 'subscribe', stream: 'value', id: 'BRR' },
    { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
  ])
})

test('another resolution means leaving and joining again, and the leaving comes first', () => {
  const sent = wanting({ BRTI: 'PER_SECOND', OLD: 'PER_SECOND', SAME: 'PER_SECOND' })
  const wanted = wanting({ SAME: 'PER_SECOND', NEW: 'PER_SECOND', BRTI: 'PER_200MS' })
  expect(subscriptionMessages(sent, wanted, none)).toEqual([
    { type: 'unsubscribe', stream: 'value', id: 'BRTI' },
    { type: 'unsubscribe', stream: 'value', id: 'OLD' },
    { type: 'subscribe', stream: 'value', id: 'NEW' },
    { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
  ])
})

test('a refused index is neither asked for again nor left', () => {
  const sent = wanting({ GONE: 'PER_SECOND', KEPT: 'PER_SECOND' })
  const wanted = wanting({ KEPT: 'PER_200MS' })
  expect(subscriptionMessages(sent, wanted, new Set(['GONE', 'KEPT']))).toEqual([])
  expect(subscriptionMessages(sent, wanted, none)).toHaveLength(3)
})

test('the messages turn any state into any other, and nothing is said twice', () => {
  const state = fc.dictionary(
    fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
    fc.constantFrom<RequestedResolution>('PER_SECOND', 'PER_200MS'),
  )
  fc.assert(
    fc.property(state, state, (before, after) => {
      const atService = new Map(Object.entries(before))
      for (const message of subscriptionMessages(wanting(before), wanting(after), none)) apply(message, atService)
      expect(Object.fromEntries(atService)).toEqual({ ...after })
      expect(subscriptionMessages(wanting(after), wanting(after), none)).toEqual([])
    }),
  )
})

/** What a strict service does with a message: joining twice or leaving what was not joined is an error. */
function apply(message: ClientMessage, atService: Map<string, RequestedResolution>): void {
  if (message.type === 'info') throw new Error('unexpected info')
  expect(atService.has(message.id)).toBe(message.type === 'unsubscribe')
  if (message.type === 'unsubscribe') atService.delete(message.id)
  else atService.set(message.id, message.maxResolution ?? 'PER_SECOND')
}
