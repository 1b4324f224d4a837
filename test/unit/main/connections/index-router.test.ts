import { expect, test } from 'vitest'
import { IndexRouter } from '../../../../main/connections/index-router'

/** Connections in the user's order, each with the ids it currently lists. */
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

test('the first connection that lists an index answers for it', () => {
  const { routed } = router({ one: ['BRTI'], two: ['NCI', 'BRTI'] })
  expect(routed.assign(new Set(['BRTI', 'NCI']))).toEqual([])
  expect(routed.ownerOf('BRTI')).toBe('one')
  expect(routed.ownerOf('NCI')).toBe('two')
})

test('only the first connection answers for an unlisted index', () => {
  const { routed } = router({ one: ['BRTI'], two: ['NCI'] })
  expect(routed.ownerOf('UNKNOWN')).toBe('one')
  expect(router({}).routed.ownerOf('BRTI')).toBeUndefined()
})

test('an index moves when a catalogue with it arrives, and the move is reported', () => {
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

test('an index stays while its connection lists it, even if an earlier one does later', () => {
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

test('an index moves once to an earlier connection whose catalogue is late', () => {
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

test('a released index is assigned again', () => {
  const catalogues: Record<string, string[]> = { one: [], two: ['NCI'] }
  const { routed } = router(catalogues)
  routed.assign(new Set(['NCI']))
  catalogues['one'] = ['NCI']
  routed.assign(new Set())
  expect(routed.ownerOf('NCI')).toBe('one')
})

test('the others take over when a connection ends, and keep their own', () => {
  const { routed, setCandidates } = router({ one: ['BRTI', 'NCI'], two: ['NCI', 'BRR'] })
  const ids = new Set(['BRTI', 'NCI', 'BRR'])
  routed.assign(ids)
  expect(routed.release('one')).toEqual(['BRTI', 'NCI'])
  setCandidates(['two'])
  expect(routed.assign(ids)).toEqual([])
  expect([...ids].map((id) => routed.ownerOf(id))).toEqual(['two', 'two', 'two'])
})
