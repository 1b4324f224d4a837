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
  /** What each supervisor was told. */
  const told: string[][] = []
  const supervise = () => {
    const words: string[] = []
    told.push(words)
    return (word: string) => words.push(word)
  }
  return { clock, path, budget, told, comeback: new Comeback({ budget, clock, supervise }) }
}

describe('what outlives the app', () => {
  test('knows at any moment whether the window is open', () => {
    const { comeback, told } = started()
    comeback.setShown(true)
    comeback.turn(true)
    comeback.setShown(false)
    comeback.turn(true)
    expect(told).toEqual([['shown', 'hidden']])
  })

  test('is told when the app ends in order, and is not started again in its last moments', () => {
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

  test('is told of any other signal, and of an end by the user after the end of the session bus', () => {
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

  test('goes and comes with the setting', () => {
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
  test('allows three starts after a crash in five minutes, and the next when the first is five minutes ago', () => {
    const { comeback, told, clock } = started({ crashes: 3 })
    comeback.turn(true)
    expect(told).toEqual([])
    expect(comeback.waitMs).toBe(2 * minuteMs)
    clock.advance(2 * minuteMs - 1)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual([['hidden']])
  })

  test('of two starts allows one more', () => {
    const { comeback, told } = started({ crashes: 2 })
    comeback.turn(true)
    expect(told).toEqual([['hidden']])
  })

  test('that is waited for is forgotten when the app ends', () => {
    const { comeback, clock } = started({ crashes: 3 })
    comeback.turn(true)
    comeback.end()
    expect(clock.pending).toBe(0)
  })

  test('is kept on the disk, and holds no more than five minutes', () => {
    const { path, budget, clock } = started({ crashes: 3 })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(3)
    clock.advance(10 * minuteMs)
    budget.note()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(1)
  })

  test.each(['', '[', '[-1]', '{}', '"x"'])('takes a damaged file for an empty one: %j', (text) => {
    const { path, budget } = started({ crashes: 3 })
    writeFileSync(path, text)
    expect(budget.waitMs()).toBe(0)
  })

  test('forgets times that a clock set back has made times to come', () => {
    const { budget, clock } = started({ crashes: 3 })
    clock.jumpWall(-60 * minuteMs)
    expect(budget.waitMs()).toBe(0)
  })
})
