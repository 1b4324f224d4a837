import { expect, test } from 'vitest'
import { IndexRouter } from '../../../../main/connections/index-router'

/** Connections in the user's order, each with the ids it lists at the moment. */
function router(catalogues: Record<string, string[]>) {
  const routed = new IndexRouter()
  const setCandidates = (order = Object.keys(catalogues)) =>
    routed.setCandidates(
      order.map((id) => ({
        id,
        isKnown: () => (catalogues[id]?.length ?? 0) > 0,
        lists: (index) => catalogues[id]?.includes(index) ?? false,
      })),
    )
  setCandidates()
  return { routed, setCandidates }
}

test('an index is asked of the first connection that lists it', () => {
  const { routed } = router({ one: ['BRTI'], two: ['NCI', 'BRTI'] })
  expect(routed.assign(new Set(['BRTI', 'NCI']))).toEqual([])
  expect(routed.ownerOf('BRTI')).toBe('one')
  expect(routed.ownerOf('NCI')).toBe('two')
})

test('an index that nobody lists is asked of the first connection alone', () => {
  const { routed } = router({ one: ['BRTI'], two: ['NCI'] })
  expect(routed.ownerOf('UNKNOWN')).toBe('one')
  expect(router({}).routed.ownerOf('BRTI')).toBeUndefined()
})

test('an index moves once a catalogue that has it is known, and is reported as moved', () => {
  const catalogues: Record<string, string[]> = { one: [], two: [] }
  const { routed } = router(catalogues)
  const ids = new Set(['BRTI', 'NCI'])
  routed.assign(ids)
  expect(routed.ownerOf('NCI')).toBe('one')
  catalogues['two'] = ['NCI']
  expect(routed.assign(ids)).toEqual(['NCI'])
  expect(routed.ownerOf('NCI')).toBe('two')
  expect(routed.assign(ids)).toEqual([])
})

test('an index stays where it is while its connection lists it, even when an earlier one comes to list it too', () => {
  const catalogues: Record<string, string[]> = { one: ['BRTI'], two: ['NCI'] }
  const { routed } = router(catalogues)
  const ids = new Set(['NCI'])
  routed.assign(ids)
  catalogues['one'] = ['BRTI', 'NCI']
  expect(routed.assign(ids)).toEqual([])
  expect(routed.ownerOf('NCI')).toBe('two')
  catalogues['two'] = []
  expect(routed.assign(ids)).toEqual(['NCI'])
  expect(routed.ownerOf('NCI')).toBe('one')
})

test('an index moves to an earlier connection that sends its catalogue late, and then stays there', () => {
  const catalogues: Record<string, string[]> = { one: [], two: ['NCI'] }
  const { routed } = router(catalogues)
  const ids = new Set(['NCI'])
  routed.assign(ids)
  expect(routed.ownerOf('NCI')).toBe('two')
  catalogues['one'] = ['NCI']
  expect(routed.assign(ids)).toEqual(['NCI'])
  expect(routed.assign(ids)).toEqual([])
  expect(routed.ownerOf('NCI')).toBe('one')
})

test('an index that was let go is placed again', () => {
  const catalogues: Record<string, string[]> = { one: [], two: ['NCI'] }
  const { routed } = router(catalogues)
  routed.assign(new Set(['NCI']))
  catalogues['one'] = ['NCI']
  routed.assign(new Set())
  expect(routed.ownerOf('NCI')).toBe('one')
})

test('what a connection held goes to the others when it ends; theirs stays', () => {
  const { routed, setCandidates } = router({ one: ['BRTI', 'NCI'], two: ['NCI', 'BRR'] })
  const ids = new Set(['BRTI', 'NCI', 'BRR'])
  routed.assign(ids)
  expect(routed.release('one')).toEqual(['BRTI', 'NCI'])
  setCandidates(['two'])
  expect(routed.assign(ids)).toEqual([])
  expect([...ids].map((id) => routed.ownerOf(id))).toEqual(['two', 'two', 'two'])
})
