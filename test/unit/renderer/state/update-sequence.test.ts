import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WindowUpdate } from '../../../../protocol/desktop'
import { UpdateSequence } from '../../../../renderer/state/update-sequence'

function update(number: number): WindowUpdate {
  return { number, quotes: [], rows: [], state: {} }
}

function numbers(updates: readonly WindowUpdate[]): number[] {
  return updates.map(({ number }) => number)
}

test('updates before the snapshot are held, and dropped if it contains them', () => {
  const sequence = new UpdateSequence()
  expect(sequence.receive(update(4))).toEqual({ apply: [], isComplete: true })
  sequence.receive(update(5))
  sequence.receive(update(6))
  const { apply, isComplete } = sequence.settle(5)
  expect(numbers(apply)).toEqual([6])
  expect(isComplete).toBe(true)
})

test('after a snapshot, the next update is applied and an old one is not', () => {
  const sequence = new UpdateSequence()
  sequence.settle(5)
  expect(numbers(sequence.receive(update(6)).apply)).toEqual([6])
  expect(numbers(sequence.receive(update(6)).apply)).toEqual([])
})

test('after a missing number, a snapshot is needed and updates are held', () => {
  const sequence = new UpdateSequence()
  sequence.settle(5)
  expect(sequence.receive(update(7))).toEqual({ apply: [], isComplete: false })
  expect(sequence.receive(update(8))).toEqual({ apply: [], isComplete: true })
  expect(numbers(sequence.settle(7).apply)).toEqual([8])
})

test('a number missing among held updates needs another snapshot', () => {
  const sequence = new UpdateSequence()
  sequence.receive(update(3))
  sequence.receive(update(5))
  expect(sequence.settle(2)).toMatchObject({ isComplete: false })
  expect(numbers(sequence.settle(4).apply)).toEqual([5])
})

test('whatever updates are lost, the applied ones have no gap and reach the end', () =>
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (arrives) => {
      const sequence = new UpdateSequence()
      let applied = 0
      sequence.settle(0)
      for (const [at, isThere] of arrives.entries()) {
        if (!isThere) continue
        const step = sequence.receive(update(at + 1))
        const all = step.isComplete ? step.apply : sequence.settle(at + 1).apply
        if (!step.isComplete) applied = at + 1
        for (const { number } of all) {
          expect(number).toBe(applied + 1)
          applied = number
        }
      }
      expect(applied).toBe(arrives.lastIndexOf(true) + 1)
    }),
  ))
