import { expect, test } from 'vitest'
import {
  BurstBuffer,
  garbage,
  silent,
  swapped,
  twice,
  withGaps,
  withGarbage,
} from '../../../../simulator/faults/deliveries'
import type { Delivery } from '../../../../simulator/stream/client'

/** What arrives of the updates 1, 2, 3 and so on. */
function arrivals(delivery: Delivery, count: number): string[] {
  const arrived: string[] = []
  for (let number = 1; number <= count; number++) {
    delivery(Buffer.from(String(number)), (message) => arrived.push(message.toString()))
  }
  return arrived
}

test('each delivery does what its scenario describes', () => {
  expect(arrivals(silent(), 3)).toEqual([])
  expect(arrivals(twice(), 2)).toEqual(['1', '1', '2', '2'])
  expect(arrivals(swapped(), 5)).toEqual(['2', '1', '4', '3'])
  expect(arrivals(withGaps(), 11)).toEqual(['1', '2', '3', '4', '6', '7', '8', '9', '11'])
  expect(arrivals(withGarbage(), 5)).toEqual(['1', '2', '3', '4', garbage[0], '5'])
})

test('a burst buffer sends everything at once, in order, each update to its own client', () => {
  const buffer = new BurstBuffer()
  const [one, other]: [string[], string[]] = [[], []]
  for (const number of ['1', '2']) {
    buffer.delivery()(Buffer.from(number), (message) => one.push(message.toString()))
    buffer.delivery()(Buffer.from(number), (message) => other.push(message.toString()))
  }
  expect([one, other]).toEqual([[], []])
  buffer.flush()
  buffer.flush()
  expect([one, other]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ])
})

test('garbage repeats: every message once, then the first again', () => {
  const pieces = arrivals(withGarbage(), 5 * (garbage.length + 1)).filter((text) => !/^\d+$/.test(text))
  expect(pieces).toEqual([...garbage, garbage[0]])
})
