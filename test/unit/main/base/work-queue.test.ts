import { expect, test } from 'vitest'
import { inTurns, WorkQueue, type Work } from '../../../../main/base/work-queue'
import { BusyClock } from '../../../support/busy-clock'
import { FakeClock } from '../../../support/fake-clock'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function open(clock = new BusyClock()) {
  const errors: unknown[] = []
  const done: string[] = []
  const queue = new WorkQueue(clock, (error) => errors.push(error))
  /** Work with this many steps, each of which is recorded. */
  const counting = (name: string, count: number): Work => {
    let at = 0
    return (isOver) => {
      while (at < count) {
        done.push(`${name}${at++}`)
        if (isOver() && at < count) return false
      }
      return true
    }
  }
  return { queue, done, errors, counting }
}

test('runs what fits into a turn at once', () => {
  const { queue, done, counting } = open()
  queue.add(counting('a', 3))
  queue.add(counting('b', 1))
  expect([done, queue.isBusy]).toEqual([['a0', 'a1', 'a2', 'b0'], false])
})

test('continues in later turns, and the rest waits in order', async () => {
  const { queue, done, counting } = open()
  queue.add(counting('a', 250))
  queue.add(counting('b', 1))
  const first = done.length
  expect(first).toBeLessThan(110)
  await nextTurn()
  expect(done.length - first).toBeLessThan(110)
  await queue.idle()
  expect([done.length, done.at(-2), done.at(-1)]).toEqual([251, 'a249', 'b0'])
})

test('work added by work runs right after it', async () => {
  const { queue, done, counting } = open()
  queue.add(counting('a', 200))
  queue.add(() => {
    queue.add(counting('b', 1))
    queue.add(counting('c', 1))
    return true
  })
  queue.add(counting('d', 1))
  await queue.idle()
  expect(done.slice(200)).toEqual(['b0', 'c0', 'd0'])
})

test('work that throws counts as done, and the rest runs', () => {
  const { queue, done, errors, counting } = open()
  queue.add(() => {
    throw new Error('no')
  })
  queue.add(counting('a', 1))
  expect([done, errors]).toEqual([['a0'], [new Error('no')]])
})

test('can finish all remaining work at once', () => {
  const { queue, done, counting } = open()
  queue.add(counting('a', 1_000))
  queue.finish()
  expect([done.length, queue.isBusy]).toEqual([1_000, false])
})

test('handles many items in shares per turn', async () => {
  const done: number[] = []
  const all = inTurns(
    new BusyClock(),
    Array.from({ length: 300 }, (_, at) => at),
    (at) => done.push(at),
  )
  let most = done.length
  for (let before = done.length; before < 300; before = done.length) {
    await nextTurn()
    most = Math.max(most, done.length - before)
  }
  await all
  expect([done.length, done[299], most < 110]).toEqual([300, 299, true])
})

test('handles few items at once', () => {
  const done: string[] = []
  void inTurns(new FakeClock(), ['a', 'b'], (each) => done.push(each))
  expect(done).toEqual(['a', 'b'])
})
