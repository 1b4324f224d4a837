import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Comeback, ComebackBudget } from '../../../../main/app/comeback'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

vi.mock('electron', () => ({ app: {} }))

const minuteMs = 60_000

function started({ crashes = 0 } = {}) {
  const clock = new FakeClock()
  const path = join(temporaryFolder(), 'comebacks.json')
  const budget = new ComebackBudget(path, clock)
  for (let crash = 0; crash < crashes; crash++) {
    budget.note()
    clock.advance(minuteMs)
  }
  /** The words sent to each supervisor. */
  const told: string[][] = []
  const supervise = () => {
    const words: string[] = []
    told.push(words)
    return (word: string) => words.push(word)
  }
  return { clock, path, budget, told, comeback: new Comeback({ budget, clock, supervise }) }
}

describe('the supervisor', () => {
  test('always knows whether the window is open', () => {
    const { comeback, told } = started()
    comeback.setShown(true)
    comeback.turn(true)
    comeback.setShown(false)
    comeback.turn(true)
    expect(told).toEqual([['shown', 'hidden']])
  })

  test('is told when the app ends normally, and is not started again then', () => {
    const { comeback, told } = started()
    comeback.turn(true)
    comeback.end()
    comeback.turn(true)
    comeback.setShown(false)
    expect(told).toEqual([['hidden', 'bye']])
  })

  test('is not told of a signal that comes with the end of the session bus', () => {
    const { comeback, told, clock } = started()
    comeback.turn(true)
    comeback.busEnded()
    clock.advance(1_000)
    comeback.end({ isBySignal: true })
    expect(told).toEqual([['hidden']])
  })

  test("is told of another signal, and of the user's quit after the bus ended", () => {
    const ended = [
      { afterBusMs: 10_000, isBySignal: true },
      { afterBusMs: 1_000, isBySignal: false },
    ].map(({ afterBusMs, isBySignal }) => {
      const { comeback, told, clock } = started()
      comeback.turn(true)
      comeback.busEnded()
      clock.advance(afterBusMs)
      comeback.end({ isBySignal })
      return told
    })
    expect(ended).toEqual([[['hidden', 'bye']], [['hidden', 'bye']]])
  })

  test('starts and stops with the setting', () => {
    const { comeback, told } = started()
    comeback.turn(false)
    expect(told).toEqual([])
    comeback.turn(true)
    comeback.turn(false)
    comeback.turn(true)
    expect(told).toEqual([['hidden', 'bye'], ['hidden']])
  })
})

describe('the budget', () => {
  test('allows three restarts in five minutes', () => {
    const { comeback, told, clock } = started({ crashes: 3 })
    comeback.turn(true)
    expect(told).toEqual([])
    expect(comeback.waitMs).toBe(2 * minuteMs)
    clock.advance(2 * minuteMs - 1)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual([['hidden']])
  })

  test('allows one more after two restarts', () => {
    const { comeback, told } = started({ crashes: 2 })
    comeback.turn(true)
    expect(told).toEqual([['hidden']])
  })

  test('that is waited for is dropped when the app ends', () => {
    const { comeback, clock } = started({ crashes: 3 })
    comeback.turn(true)
    comeback.end()
    expect(clock.pending).toBe(0)
  })

  test('is stored, with the last five minutes only', () => {
    const { path, budget, clock } = started({ crashes: 3 })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(3)
    clock.advance(10 * minuteMs)
    budget.note()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(1)
  })

  test.each(['', '[', '[-1]', '{}', '"x"'])('reads a damaged file as empty: %j', (text) => {
    const { path, budget } = started({ crashes: 3 })
    writeFileSync(path, text)
    expect(budget.waitMs()).toBe(0)
  })

  test('ignores times in the future after the clock was set back', () => {
    const { budget, clock } = started({ crashes: 3 })
    clock.jumpWall(-60 * minuteMs)
    expect(budget.waitMs()).toBe(0)
  })
})
