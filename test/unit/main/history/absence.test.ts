import { describe, expect, test } from 'vitest'
import { Absence } from '../../../../main/history/absence'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

const second = 1_000
const minute = 60 * second

function open() {
  const clock = new FakeClock()
  const startMs = clock.serviceMs()
  const absence = new Absence({
    clock,
    onError,
  })
  let changes = 0
  absence.events.on('changed', () => {
    changes += 1
  })
  absence.setLive(true)
  absence.setVisible(true)
  return { clock, absence, startMs, changes: () => changes }
}

describe('an absence', () => {
  test('is ten minutes without the window or more, once it is shown again', () => {
    const { clock, absence, startMs, changes } = open()
    absence.setVisible(false)
    clock.advance(10 * minute - 1)
    absence.setVisible(true)
    expect(absence.view).toBeNull()
    absence.setVisible(false)
    clock.advance(10 * minute)
    // As when a hidden window is closed.
    absence.setVisible(false)
    expect(absence.view).toBeNull()
    absence.setVisible(true)
    absence.setVisible(true)
    expect(absence.view).toEqual({ fromMs: startMs + 10 * minute - 1, toMs: startMs + 20 * minute - 1, version: 1 })
    expect(changes()).toBe(1)
  })

  test('is a sleep of ten minutes or more under a window that can be seen, and a gap', () => {
    const { clock, absence, startMs } = open()
    clock.advance(9 * minute)
    absence.slept(9 * minute)
    expect(absence.view).toBeNull()
    clock.advance(30 * minute)
    absence.slept(30 * minute)
    const period = { fromMs: startMs + 9 * minute, toMs: startMs + 39 * minute }
    expect(absence.last).toEqual({ ...period, version: 1, gaps: [period] })
  })

  test('has each time without a live connection once, including sleep, but none of seconds', () => {
    const { clock, absence, startMs } = open()
    clock.advance(minute)
    // The interruption begins before the absence and counts from its own start.
    absence.setLive(false)
    clock.advance(minute)
    absence.setVisible(false)
    clock.advance(2 * minute)
    absence.setLive(true)
    clock.advance(minute)
    absence.setLive(false)
    clock.advance(9 * second)
    absence.setLive(true)
    clock.advance(60 * minute)
    // After the sleep the connection is found to be lost.
    absence.slept(59 * minute)
    absence.setLive(false)
    clock.advance(minute)
    absence.setVisible(true)
    const atMs = startMs + 2 * minute
    expect(absence.last?.gaps).toEqual([
      { fromMs: atMs, toMs: atMs + 2 * minute },
      { fromMs: atMs + 4 * minute + 9 * second, toMs: atMs + 64 * minute + 9 * second },
    ])
  })

  test('is reported again when its values arrive, until it is dismissed', () => {
    const { clock, absence, changes } = open()
    absence.learned()
    clock.advance(minute)
    expect(changes()).toBe(0)
    absence.setVisible(false)
    clock.advance(10 * minute)
    absence.setVisible(true)
    for (let id = 0; id < 50; id++) absence.learned()
    clock.advance(second)
    expect(absence.view?.version).toBe(2)
    absence.learned()
    absence.dismiss()
    clock.advance(minute)
    expect(absence.view).toBeNull()
    expect(changes()).toBe(3)
  })
})
