import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { CrashRestart, RestartBudget } from '../../../../main/app/crash-restart'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

vi.mock('electron', () => ({ app: {} }))

const minuteMs = 60_000

function started({ crashes = 0 } = {}) {
  const clock = new FakeClock()
  const path = join(temporaryFolder(), 'comebacks.json')
  const budget = new RestartBudget(path, clock)
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
  return { clock, path, budget, told, crashRestart: new CrashRestart({ budget, clock, supervise }) }
}

describe('the supervisor', () => {
  test('always knows whether the window is open', () => {
    const { crashRestart, told } = started()
    crashRestart.setShown(true)
    crashRestart.turn(true)
    crashRestart.setShown(false)
    crashRestart.turn(true)
    expect(told).toEqual([['shown', 'hidden']])
  })

  test('is told when the app ends normally, and is not started again then', () => {
    const { crashRestart, told } = started()
    crashRestart.turn(true)
    crashRestart.end()
    crashRestart.turn(true)
    crashRestart.setShown(false)
    expect(told).toEqual([['hidden', 'bye']])
  })

  test('is not told of a signal that comes with the end of the session bus', () => {
    const { crashRestart, told, clock } = started()
    crashRestart.turn(true)
    crashRestart.busEnded()
    clock.advance(1_000)
    crashRestart.end({ isBySignal: true })
    expect(told).toEqual([['hidden']])
  })

  test("is told of another signal, and of the user's quit after the bus ended", () => {
    const ended = [
      { afterBusMs: 10_000, isBySignal: true },
      { afterBusMs: 1_000, isBySignal: false },
    ].map(({ afterBusMs, isBySignal }) => {
      const { crashRestart, told, clock } = started()
      crashRestart.turn(true)
      crashRestart.busEnded()
      clock.advance(afterBusMs)
      crashRestart.end({ isBySignal })
      return told
    })
    expect(ended).toEqual([[['hidden', 'bye']], [['hidden', 'bye']]])
  })

  test('starts and stops with the setting', () => {
    const { crashRestart, told } = started()
    crashRestart.turn(false)
    expect(told).toEqual([])
    crashRestart.turn(true)
    crashRestart.turn(false)
    crashRestart.turn(true)
    expect(told).toEqual([['hidden', 'bye'], ['hidden']])
  })
})

describe('the budget', () => {
  test('allows three restarts in five minutes', () => {
    const { crashRestart, told, clock } = started({ crashes: 3 })
    crashRestart.turn(true)
    expect(told).toEqual([])
    expect(crashRestart.waitMs).toBe(2 * minuteMs)
    clock.advance(2 * minuteMs - 1)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual([['hidden']])
  })

  test('allows one more after two restarts', () => {
    const { crashRestart, told } = started({ crashes: 2 })
    crashRestart.turn(true)
    expect(told).toEqual([['hidden']])
  })

  test('that is waited for is dropped when the app ends', () => {
    const { crashRestart, clock } = started({ crashes: 3 })
    crashRestart.turn(true)
    crashRestart.end()
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
