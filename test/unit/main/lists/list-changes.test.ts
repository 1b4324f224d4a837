import { describe, expect, test } from 'vitest'
import { maxEntriesInAll, maxLists } from '../../../../main/lists/list-changes'
import { maxEntries } from '../../../../core/settings-schema'
import * as changes from '../../../../main/lists/list-changes'
import { firstSettings, type SettingsChange } from '../../../../main/storage/settings'
import { linesOf } from '../../../../core/list-lines'
import type { Settings, Watchlist } from '../../../../core/model'
import { maxSections } from '../../../../core/settings-schema'
import { maxGlanceIds } from '../../../../core/shapes'
import { valueOf } from '../../../support/value-of'

const entry = (id: string) => ({ id, maxResolution: 'PER_SECOND' as const })
const list = (id: string, name: string, ...ids: string[]): Watchlist => ({ id, name, entries: ids.map(entry) })
const settings: Settings = {
  ...firstSettings(),
  watchlists: [list('a', 'Crypto', 'BRTI', 'NCI', 'BRR'), list('b', 'Équités'), list('c', 'Rates')],
}

/** The settings after a change that must succeed. */
const after = <T>(change: SettingsChange<T>): Settings => valueOf(change).settings

function names({ watchlists }: Settings): string[] {
  return watchlists.map(({ name }) => name)
}

function ids({ watchlists }: Settings): string[] {
  return watchlists[0]?.entries.map(({ id }) => id) ?? []
}

describe('a new list', () => {
  test('stands last and is empty', () => {
    const made = changes.createList(settings, { name: 'Baskets' }, 'd')
    expect(made).toMatchObject({ value: { answer: { listId: 'd' } } })
    expect(after(made).watchlists.at(-1)).toEqual({ id: 'd', name: 'Baskets', entries: [] })
  })

  test.each(['Crypto', 'CRYPTO', 'e\u0301quite\u0301s'])('is not made under a name that is taken: %s', (name) =>
    expect(changes.createList(settings, { name: name }, 'd')).toEqual({
      ok: false,
      problem: { code: 'nameTaken', message: `A watchlist named ${name} already exists. Choose another name.` },
    }),
  )

  test('is the hundredth at most', () => {
    const full = { ...settings, watchlists: Array.from({ length: maxLists - 1 }, (_, at) => list(`l${at}`, `L${at}`)) }
    const made = after(changes.createList(full, { name: 'One more' }, 'd'))
    expect(changes.createList(made, { name: 'Too many' }, 'e')).toMatchObject({ problem: { code: 'tooManyLists' } })
  })
})

describe('the indices of a list', () => {
  const listId = 'a'

  test('take one at their end, or at a given place; far behind the end is the end', () => {
    const added = changes.addIndex(settings, { listId, indexId: 'BVX' })
    expect(added).toMatchObject({ ok: true, value: { answer: { wasThere: false } } })
    expect(ids(after(added))).toEqual(['BRTI', 'NCI', 'BRR', 'BVX'])
    const placed = after(
      changes.addIndex(settings, { listId, indexId: 'NCIS', position: 1, maxResolution: 'PER_200MS' }),
    )
    expect(placed.watchlists[0]?.entries[1]).toEqual({ id: 'NCIS', maxResolution: 'PER_200MS' })
    expect(ids(after(changes.addIndex(settings, { listId, indexId: 'BVX', position: 1_000 }))).at(-1)).toBe('BVX')
  })

  test('stay as they are where they have it', () => {
    const added = changes.addIndex(settings, { listId, indexId: 'BRR', position: 0 })
    expect(added).toMatchObject({ ok: true, value: { answer: { wasThere: true } } })
    expect(after(added)).toBe(settings)
  })

  test('change the resolution of one and keep their order', () => {
    const set = after(changes.setResolution(settings, { listId, indexId: 'NCI', maxResolution: 'PER_200MS' }))
    expect(set.watchlists[0]?.entries[1]).toEqual({ id: 'NCI', maxResolution: 'PER_200MS' })
    expect(ids(set)).toEqual(ids(settings))
  })

  test('are not changed where the list or the index is not there', () => {
    const asked = { listId, indexId: 'BVX', maxResolution: 'PER_200MS' } as const
    for (const each of [changes.addIndex, changes.setResolution]) {
      expect(each(settings, { ...asked, listId: 'none' })).toMatchObject({ problem: { code: 'unknownList' } })
    }
    expect(changes.setResolution(settings, asked)).toMatchObject({ problem: { code: 'notInList' } })
  })

  test('are two thousand at most', () => {
    const entries = Array.from({ length: 2_000 }, (_, at) => entry(`X${at}`))
    const full = { ...settings, watchlists: [{ id: listId, name: 'Long', entries }] }
    expect(changes.addIndex(full, { listId, indexId: 'BVX' })).toMatchObject({ problem: { code: 'listFull' } })
    const shorter = after(changes.removeRows(full, { listId, rowIds: ['X10'] }))
    expect(changes.addIndex(shorter, { listId, indexId: 'BVX' })).toMatchObject({ ok: true })
  })
})

describe('a list', () => {
  test('gets another name, also its own written otherwise, but not that of another list', () => {
    expect(names(after(changes.renameList(settings, { listId: 'a', name: 'CRYPTO' })))[0]).toBe('CRYPTO')
    const taken = changes.renameList(settings, { listId: 'a', name: 'rates' })
    expect(taken).toMatchObject({ problem: { code: 'nameTaken' } })
    expect(changes.renameList(settings, { listId: 'x', name: 'X' })).toMatchObject({ problem: { code: 'unknownList' } })
  })

  test('that is removed comes back to its place with all it had', () => {
    const arranged = after(changes.arrangeList(settings, { listId: 'b', columns: ['value'] }))
    const removed = changes.removeList(arranged, { listId: 'b' })
    expect(names(after(removed))).toEqual(['Crypto', 'Rates'])
    expect(removed).toMatchObject({ value: { answer: { position: 1 } } })
    if (removed.ok) expect(after(changes.restoreList(after(removed), removed.value.answer))).toEqual(arranged)
  })

  test('is not put back twice, nor beside another of its name', () => {
    const back = { list: list('b', 'Équités'), position: 1 }
    expect(changes.restoreList(settings, back)).toMatchObject({ problem: { code: 'listThere' } })
    const other = { ...back, list: list('z', 'crypto') }
    expect(changes.restoreList(settings, other)).toMatchObject({ problem: { code: 'nameTaken' } })
    const long = { ...list('z', 'Long'), entries: Array.from({ length: maxEntries + 1 }, (_, at) => entry(`X${at}`)) }
    expect(changes.restoreList(settings, { list: long, position: 0 })).toMatchObject({ problem: { code: 'listFull' } })
  })

  test('is not filled beyond what all lists may hold together', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => entry(`X${at}`))
    const watchlists = Array.from({ length: maxEntriesInAll / maxEntries }, (_, at) => ({
      ...list(`l${at}`, `L${at}`),
      entries: many(at === 0 ? maxEntries - 1 : maxEntries),
    }))
    const almost = { ...settings, watchlists: [list('a', 'A'), ...watchlists] }
    const full = after(changes.addIndex(almost, { listId: 'a', indexId: 'LAST' }))
    expect(changes.addIndex(full, { listId: 'a', indexId: 'MORE' })).toMatchObject({ problem: { code: 'listsFull' } })
    const back = { list: { ...list('z', 'Z'), entries: many(2) }, position: 0 }
    expect(changes.restoreList(almost, back)).toMatchObject({ problem: { code: 'listsFull' } })
    expect(changes.restoreList(settings, back)).toMatchObject({ ok: true })
  })

  test('that is the only one stays', () => {
    const one = { ...settings, watchlists: [list('a', 'Crypto')] }
    expect(changes.removeList(one, { listId: 'a' })).toMatchObject({ problem: { code: 'lastList' } })
    expect(changes.removeList(one, { listId: 'x' })).toMatchObject({ problem: { code: 'unknownList' } })
  })

  test.each([
    [0, ['Rates', 'Crypto', 'Équités']],
    [1, ['Crypto', 'Rates', 'Équités']],
    [99, ['Crypto', 'Équités', 'Rates']],
  ])('is moved to place %i', (position, expected) =>
    expect(names(after(changes.moveList(settings, { listId: 'c', position })))).toEqual(expected),
  )

  test('is given an order, columns and widths one without the other, and gets each back', () => {
    const sort = { column: 'percent', isDescending: true } as const
    const sorted = after(changes.arrangeList(settings, { listId: 'a', sort }))
    const both = after(changes.arrangeList(sorted, { listId: 'a', columns: ['flags', 'value'] }))
    expect(both.watchlists[0]).toMatchObject({ sort, columns: ['flags', 'value'] })
    const own = after(changes.arrangeList(both, { listId: 'a', sort: null }))
    expect(own.watchlists[0]).not.toHaveProperty('sort')
    expect(own.watchlists[0]?.columns).toEqual(['flags', 'value'])
    const usual = after(changes.arrangeList(own, { listId: 'a', columns: null }))
    expect(usual).toEqual(settings)
    const wide = after(changes.arrangeList(both, { listId: 'a', widths: { value: 200 } }))
    expect(wide.watchlists[0]).toMatchObject({ sort, columns: ['flags', 'value'], widths: { value: 200 } })
    expect(after(changes.arrangeList(wide, { listId: 'a', widths: null }))).toEqual(both)
    expect(changes.arrangeList(settings, { listId: 'x' })).toMatchObject({ problem: { code: 'unknownList' } })
  })
})

describe('the rows of a list', () => {
  const idsOf = ({ watchlists }: Settings, at: number) => watchlists[at]?.entries.map(({ id }) => id)
  /** Crypto with five rows, Équités with two of them. */
  const two: Settings = {
    ...settings,
    watchlists: [list('a', 'Crypto', 'A', 'B', 'C', 'D', 'E'), list('b', 'Équités', 'X', 'C')],
  }
  const undone = (now: Settings, undo: Parameters<typeof changes.undoRows>[1]) => after(changes.undoRows(now, undo))

  function moved(args: Partial<Parameters<typeof changes.moveRows>[1]>) {
    const change = valueOf(changes.moveRows(two, { fromId: 'a', toId: 'b', rowIds: ['B', 'C'], ...args }))
    return { now: change.settings, ...change.answer }
  }

  test.each([
    [['E'], 0, 'EABCD'],
    [['D', 'B'], 1, 'ABDCE'],
    [['A'], 99, 'BCDEA'],
  ])('%s are moved together to place %i, counted without them', (rowIds, position, expected) => {
    const { now, undo } = moved({ toId: 'a', rowIds, position })
    expect(idsOf(now, 0)?.join('')).toBe(expected)
    expect(undone(now, undo)).toEqual(two)
  })

  test('move to another list, which gets none twice, and return by one undo', () => {
    const { now, present, undo } = moved({})
    expect([idsOf(now, 0), idsOf(now, 1)]).toEqual([
      ['A', 'D', 'E'],
      ['X', 'C', 'B'],
    ])
    expect(present).toEqual(['C'])
    expect(undone(now, undo)).toEqual(two)
  })

  test('are added to another list and stay in their own', () => {
    const { now, undo } = moved({ isCopy: true })
    expect([idsOf(now, 0), idsOf(now, 1)]).toEqual([
      ['A', 'B', 'C', 'D', 'E'],
      ['X', 'C', 'B'],
    ])
    expect(undone(now, undo)).toEqual(two)
  })

  test('are removed together and return by one undo', () => {
    const removed = changes.removeRows(two, { listId: 'a', rowIds: ['A', 'C', 'E'] })
    expect(idsOf(after(removed), 0)).toEqual(['B', 'D'])
    if (removed.ok) expect(undone(after(removed), removed.value.answer)).toEqual(two)
  })

  test('return beside their neighbours, and later changes of others stay', () => {
    const removed = changes.removeRows(two, { listId: 'a', rowIds: ['C', 'D'] })
    if (!removed.ok) throw new Error(removed.problem.message)
    const readded = after(changes.addIndex(after(removed), { listId: 'a', indexId: 'C', maxResolution: 'PER_200MS' }))
    const later = after(changes.addIndex(readded, { listId: 'a', indexId: 'NEW', position: 0 }))
    const back = undone(later, removed.value.answer)
    expect(idsOf(back, 0)).toEqual(['NEW', 'A', 'B', 'C', 'D', 'E'])
    expect(back.watchlists[0]?.entries[3]?.maxResolution).toBe('PER_200MS')
  })

  test('are not moved if a list is unknown, no row is there, or the other list is full', () => {
    const asked = { fromId: 'a', toId: 'b', rowIds: ['A'] }
    expect(changes.moveRows(two, { ...asked, toId: 'x' })).toMatchObject({ problem: { code: 'unknownList' } })
    expect(changes.moveRows(two, { ...asked, rowIds: ['Z'] })).toMatchObject({ problem: { code: 'notInList' } })
    expect(changes.removeRows(two, { listId: 'a', rowIds: ['Z'] })).toMatchObject({ problem: { code: 'notInList' } })
    const full = list('b', 'Full', ...Array.from({ length: maxEntries }, (_, at) => `F${at}`))
    const crowded = { ...two, watchlists: [...two.watchlists.slice(0, 1), full] }
    expect(changes.moveRows(crowded, asked)).toMatchObject({ problem: { code: 'listFull' } })
  })
})

describe('the sections of a list', () => {
  const section = (id: string, at: number, name = id) => ({ id, name, at })
  const divided: Settings = {
    ...settings,
    watchlists: [{ ...list('a', 'Crypto', 'A', 'B', 'C'), sections: [section('s', 0), section('t', 2)] }],
  }
  const asked = { listId: 'a' }
  /** The ids of the lines of the list. */
  function lines({ watchlists: [first] }: Settings): string {
    return first === undefined
      ? ''
      : linesOf(first)
          .map(({ id }) => id)
          .join('')
  }

  test('are added above a row or at the end, and renamed', () => {
    const above = changes.nameSection(settings, { ...asked, name: 'Rates', beforeId: 'NCI' }, 's1')
    expect(after(above).watchlists[0]?.sections).toEqual([{ id: 's1', name: 'Rates', at: 1 }])
    expect(lines(after(changes.nameSection(divided, { ...asked, name: 'Rates' }, 'u')))).toBe('sABtCu')
    const renamed = changes.nameSection(divided, { ...asked, sectionId: 't', name: 'Rates' }, 'u')
    expect(after(renamed).watchlists[0]?.sections?.[1]).toEqual({ id: 't', name: 'Rates', at: 2 })
  })

  test.each([
    ['an index', ['C'], 1, 'sCABt'],
    ['a section', ['t'], 0, 'tsABC'],
    ['an index into the section above', ['C'], 3, 'sABCt'],
  ])('keep their rows when %s is moved', (_, rowIds, position, expected) => {
    const moved = changes.moveRows(divided, { fromId: 'a', toId: 'a', rowIds, position })
    expect(lines(after(moved))).toBe(expected)
    if (moved.ok) expect(after(changes.undoRows(after(moved), moved.value.answer.undo))).toEqual(divided)
  })

  test('keep their rows when indices are added and removed, and return by undo', () => {
    expect(lines(after(changes.addIndex(divided, { ...asked, indexId: 'N', position: 2 })))).toBe('sABtNC')
    const removed = changes.removeRows(divided, { ...asked, rowIds: ['A', 't'] })
    expect(lines(after(removed))).toBe('sBC')
    if (removed.ok) expect(after(changes.undoRows(after(removed), removed.value.answer))).toEqual(divided)
    const none = after(changes.removeRows(divided, { ...asked, rowIds: ['s', 't'] }))
    expect(none.watchlists[0]).not.toHaveProperty('sections')
  })

  test('are a hundred at most', () => {
    const sections = Array.from({ length: maxSections }, (_, at) => section(`s${at}`, 0))
    const full = { ...settings, watchlists: [{ ...list('a', 'Crypto'), sections }] }
    const added = changes.nameSection(full, { ...asked, name: 'One more' }, 'u')
    expect(added).toMatchObject({ problem: { code: 'tooManySections' } })
  })
})

describe('pins', () => {
  test('stand in the order they were set, each once', () => {
    let pinned = settings
    for (const indexId of ['NCI', 'BRTI', 'NCI', 'BRR']) {
      pinned = after(changes.setPinned(pinned, { indexId, isPinned: true }))
    }
    expect(pinned.pinnedIds).toEqual(['NCI', 'BRTI', 'BRR'])
    const fewer = after(changes.setPinned(pinned, { indexId: 'BRTI', isPinned: false }))
    expect(fewer.pinnedIds).toEqual(['NCI', 'BRR'])
    expect(after(changes.setPinned(fewer, { indexId: 'BRTI', isPinned: false }))).toBe(fewer)
  })

  test('are ten at most', () => {
    const pinnedIds = Array.from({ length: maxGlanceIds }, (_, at) => `X${at}`)
    const full = { ...settings, pinnedIds }
    expect(changes.setPinned(full, { indexId: 'NCI', isPinned: true })).toEqual({
      ok: false,
      problem: { code: 'pinsFull', message: 'At most 10 indices can be pinned. Unpin one first.' },
    })
    expect(changes.setPinned(full, { indexId: 'X9', isPinned: true })).toMatchObject({ ok: true })
    expect(changes.setPinned(full, { indexId: 'X9', isPinned: false })).toMatchObject({ ok: true })
  })
})
