import { expect, test } from 'vitest'
import { stepsToStore, type FiredStep } from '../../../../main/alerts/fired-step'
import { initialState } from '../../../../main/alerts/rules/state'

function steps(count: number): FiredStep[] {
  return Array.from({ length: count }, (_, at) => ({
    eventId: `e${at}`,
    publication: { value: '1', publishedAtMs: at },
    before: initialState('wait'),
  }))
}

function stored(ruleCount: number, stepCount: number) {
  const all = new Map(Array.from({ length: ruleCount }, (_, at) => [`r${at}`, steps(stepCount)]))
  return stepsToStore(all.set('silent', []))
}

test('the steps of two hundred rules that fire often are all stored', () => {
  expect(stored(200, 20).get('r7')).toHaveLength(20)
  expect(stored(200, 20).has('silent')).toBe(false)
})

test('of more rules the newest steps of each are stored, three at least', () => {
  expect(
    stored(500, 20)
      .get('r7')
      ?.map(({ eventId }) => eventId),
  ).toEqual(
    steps(20)
      .slice(-8)
      .map((each) => each.eventId),
  )
  expect(stored(2_000, 20).get('r1999')).toHaveLength(3)
  expect(stored(2_000, 2).get('r1999')).toHaveLength(2)
})
