import { expect, test } from 'vitest'
import { isStaleIndex, type Owners } from '../../../../main/access/latest'
import type { Resolution } from '../../../../core/model'

function known(ages: Record<string, number>, resolutions: Record<string, Resolution> = {}): Owners {
  return {
    connections: { resolutionOf: (id: string) => resolutions[id] },
    quotes: { store: { ageMs: (id: string) => ages[id] } },
  } as unknown as Owners
}

test('a value is stale by the frequency of its index, a formula if a part is', () => {
  const context = known({ A: 10_000, B: 9_999 }, { A: 'PER_SECOND', B: 'PER_SECOND' })
  expect(isStaleIndex(context, 'A')).toBe(true)
  expect(isStaleIndex(context, 'B')).toBe(false)
  expect(isStaleIndex(context, 'B − A')).toBe(true)
  expect(isStaleIndex(known({ A: 10_000 }, { A: 'DAILY' }), 'A', 'PER_SECOND')).toBe(false)
})

test('an index of unknown frequency becomes stale only if a frequency is assumed', () => {
  const context = known({ A: 10_000 })
  expect(isStaleIndex(context, 'A')).toBe(false)
  expect(isStaleIndex(context, 'A', 'PER_SECOND')).toBe(true)
})
