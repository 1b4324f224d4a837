import { expect, test } from 'vitest'
import { catalogue } from '../../../simulator/catalogue'
import { corporateActionAt, corporateActionsBetween } from '../../../simulator/corporate-actions'
import { knownIndex } from '../../support/known-index'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const nowMs = Date.UTC(2026, 8, 15, 18, 30)
const seed = 1

const tesla = knownIndex('TSLAXUSD_RTI')

test('an action is announced as pending, takes effect at its time and ends', () => {
  const states = corporateActionsBetween(seed, tesla, { afterMs: nowMs, untilMs: nowMs + 3 * hourMs })
  expect(states).toHaveLength(18)
  const start = states.findIndex(({ action }) => action === null)
  const [none, pending, effective, gone] = states.slice(start, start + 4)
  expect([none?.action, pending?.action?.state, effective?.action?.state, gone?.action]).toEqual([
    null,
    'PENDING',
    'EFFECTIVE',
    null,
  ])
  expect(pending?.time).toBe(pending?.action?.announcedTime)
  expect(effective?.time).toBe(pending?.action?.effectiveTime)
  expect([pending?.action?.version, effective?.action?.version]).toEqual([1, 2])
  expect({ ...pending?.action, state: '', version: 0 }).toEqual({ ...effective?.action, state: '', version: 0 })
  expect(gone?.time).toBe((effective?.time ?? 0) + 10 * minuteMs)
})

test('the state in effect is the last one that began', () => {
  for (const index of catalogue.filter(({ isTokenizedEquity }) => isTokenizedEquity)) {
    for (let minute = 0; minute < 120; minute++) {
      const atMs = nowMs + minute * minuteMs + 1
      const begun = corporateActionsBetween(seed, index, { afterMs: atMs - hourMs, untilMs: atMs })
      expect(corporateActionAt(seed, index, atMs)).toEqual(begun.at(-1))
    }
  }
})

test('each state is returned once, however the time is divided', () => {
  const whole = corporateActionsBetween(seed, tesla, { afterMs: nowMs, untilMs: nowMs + 2 * hourMs })
  const pieces = []
  for (let atMs = nowMs; atMs < nowMs + 2 * hourMs; atMs += 1_000) {
    pieces.push(...corporateActionsBetween(seed, tesla, { afterMs: atMs, untilMs: atMs + 1_000 }))
  }
  expect(pieces).toEqual(whole)
})

test('each action continues from the previous multiplier, and every kind occurs', () => {
  const states = corporateActionsBetween(seed, tesla, { afterMs: nowMs, untilMs: nowMs + 5 * hourMs })
  const effective = states.flatMap(({ action }) => (action?.state === 'EFFECTIVE' ? [action] : []))
  expect(new Set(effective.map(({ kind }) => kind))).toEqual(new Set(['SPLIT', 'DIVIDEND', 'SYMBOL_CHANGE']))
  for (const [at, action] of effective.slice(1).entries()) {
    expect(action.currentMultiplier).toBe(effective[at]?.newMultiplier)
    expect(action.newMultiplier).toMatch(/^\d+(\.\d{1,6})?$/)
  }
  const split = effective.find(({ description }) => description.startsWith('Four new'))
  expect(Number(split?.newMultiplier) / Number(split?.currentMultiplier)).toBeCloseTo(4, 5)
})

test('actions depend on the seed and the index', () => {
  const at = (ofSeed: number, id: string) => corporateActionAt(ofSeed, knownIndex(id), nowMs)
  expect(at(1, 'TSLAXUSD_RTI')).toEqual(at(1, 'TSLAXUSD_RTI'))
  expect(at(1, 'TSLAXUSD_RTI').time).not.toBe(at(1, 'NVDAXUSD_RTI').time)
  expect(at(1, 'TSLAXUSD_RTI').time).not.toBe(at(2, 'TSLAXUSD_RTI').time)
})

test('before 2026 there are actions too', () => {
  const state = corporateActionsBetween(seed, tesla, { afterMs: 0, untilMs: hourMs }).find(({ action }) => action)
  expect(state?.action?.newMultiplier).toMatch(/^\d/)
})
