import { expect, test } from 'vitest'
import { StoredDataReader } from '../../../../main/app/stored-data'
import { Emitter } from '../../../../main/base/emitter'
import type { HistoryTrouble } from '../../../../main/history-store/contract'
import type { HistoryStoreEvents } from '../../../../main/history-store/history-store'
import { failure } from '../../../../core/model'
import type { ProblemCode } from '../../../../core/problems'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

const troubleOf = (code: ProblemCode, isOpen = false): HistoryTrouble => ({
  isOpen,
  problem: failure(code, '').problem,
})

function open() {
  const clock = new FakeClock()
  const events = new Emitter<HistoryStoreEvents>(onError)
  const history: { trouble: HistoryTrouble | undefined; events: typeof events } = { trouble: undefined, events }
  const attempts: number[] = []
  const answers: boolean[] = []
  const reader = new StoredDataReader({
    clock,
    history,
    read: () => {
      attempts.push(clock.monotonicMs() - 1_000)
      return Promise.resolve(answers.shift() ?? false)
    },
    onChange: () => undefined,
  })
  const settle = (trouble: HistoryTrouble | undefined) => {
    history.trouble = trouble
    events.emit('troubleChanged', null)
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(1_000)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
  }
  return { reader, attempts, answers, settle, pass, history }
}

test('reads unread data as soon as the history is open', async () => {
  const { reader, attempts, answers, settle, pass, history } = open()
  history.trouble = troubleOf('inUse')
  reader.opened(false)
  await pass(3_600_000)
  expect([attempts, reader.hasFailed]).toEqual([[], false])
  answers.push(true)
  settle(undefined)
  // Nothing has failed while it is being read.
  expect(reader.hasFailed).toBe(false)
  await pass(60_000)
  expect([attempts, reader.hasFailed]).toEqual([[3_600_000], false])
})

test('retries an open history ever less often until it succeeds', async () => {
  const { reader, attempts, answers, pass } = open()
  reader.opened(false)
  await pass(20_000)
  expect([attempts, reader.hasFailed]).toEqual([[1_000, 3_000, 7_000, 15_000], true])
  await pass(3_600_000)
  expect(attempts.length).toBeGreaterThan(60)
  answers.push(true)
  await pass(60_000)
  const { length } = attempts
  await pass(600_000)
  expect([attempts.length, reader.hasFailed]).toEqual([length, false])
})

test('reads nothing from a history that was left', async () => {
  const { reader, attempts, settle, pass } = open()
  reader.opened(false)
  reader.left()
  settle(undefined)
  await pass(60_000)
  expect(attempts).toEqual([])
})
