import { describe, expect, test } from 'vitest'
import { planImport, readListFile, writeListFile } from '../../../../main/lists/list-file'
import type { Watchlist } from '../../../../core/model'

const list: Watchlist = {
  id: 'l1',
  name: 'Crypto',
  entries: [
    { id: 'BRTI', maxResolution: 'PER_200MS' },
    { id: 'NCI', maxResolution: 'PER_SECOND' },
  ],
  sort: { column: 'value', isDescending: true },
  columns: ['value'],
}

const file = (lists: unknown, more: object = {}) =>
  JSON.stringify({ format: 'indexwatch-watchlists', version: 1, lists, ...more })
const named = (name: string, ...ids: string[]) => ({ name, entries: ids.map((id) => ({ id })) })

describe('a file of watchlists', () => {
  test('is read as it was written, without what is the window’s', () => {
    const text = writeListFile([list])
    expect(JSON.parse(text)).toEqual({
      format: 'indexwatch-watchlists',
      version: 1,
      lists: [{ name: 'Crypto', entries: list.entries }],
    })
    expect(readListFile(text)).toEqual({ ok: true, value: [{ name: 'Crypto', entries: list.entries }] })
    expect(readListFile(`\ufeff${text}`)).toMatchObject({ ok: true })
  })

  test('keeps sections with the number of indices above them', () => {
    const sections = [{ name: 'Baskets', at: 1 }]
    const text = writeListFile([{ ...list, sections: [{ id: 's', name: 'Baskets', at: 1 }] }])
    const read = readListFile(text)
    expect(read).toEqual({ ok: true, value: [{ name: 'Crypto', entries: list.entries, sections }] })
    if (!read.ok) throw new Error(read.problem.message)
    const isNew = planImport([], read.value, () => 'new')
    expect(isNew).toMatchObject({ value: { watchlists: [{ sections: [{ id: 'new', ...sections[0] }] }] } })
    const isHeld = planImport([list], read.value, () => 'new')
    expect(isHeld).toMatchObject({ value: { watchlists: [list] } })
  })

  test('adds new rows of a section to the section of the same name, or with a new one', () => {
    const held: Watchlist = {
      ...list,
      sections: [
        { id: 's1', name: 'Majors', at: 0 },
        { id: 's2', name: 'Baskets', at: 1 },
      ],
    }
    const wanted = {
      ...named('Crypto', 'BRR', 'NCI', 'UC5', 'NCIS'),
      sections: [
        { name: 'majors', at: 0 },
        { name: 'Known', at: 1 },
        { name: 'New', at: 2 },
      ],
    }
    const plan = planImport([held], [wanted], () => 'new')
    expect(plan).toMatchObject({
      value: {
        watchlists: [
          {
            entries: ['BRTI', 'BRR', 'NCI', 'UC5', 'NCIS'].map((id) => ({ id })),
            sections: [
              { id: 's1', name: 'Majors', at: 0 },
              { id: 's2', name: 'Baskets', at: 2 },
              { id: 'new', name: 'New', at: 3 },
            ],
          },
        ],
      },
    })
  })

  test('with more sections than a list can have is refused', () => {
    const sections = Array.from({ length: 100 }, (_, at) => ({ name: `S${at}`, at }))
    const ids = sections.map((_, at) => `X${at}`)
    const held: Watchlist = { ...list, sections: [{ id: 's', name: 'Own', at: 0 }] }
    expect(planImport([held], [{ ...named('Crypto', ...ids), sections }], () => 'new')).toMatchObject({
      problem: { code: 'tooManySections' },
    })
  })

  test('may leave resolutions out and hold fields of others', () => {
    const handmade = file([{ ...named(' Crypto ', 'BRTI'), colour: 'red' }], { madeBy: 'hand' })
    expect(readListFile(handmade)).toEqual({ ok: true, value: [named('Crypto', 'BRTI')] })
  })

  test.each([
    ['text', 'BRTI, NCI', 'notJson', 'not valid JSON'],
    ['cut off', file([list]).slice(0, -3), 'notJson', 'not valid JSON'],
    ['nested without end', '['.repeat(100_000), 'notJson', 'not valid JSON'],
    ['a list', '[]', 'otherFormat', '"indexwatch-watchlists"'],
    ['settings', '{"version":2,"watchlists":[]}', 'otherFormat', '"indexwatch-watchlists"'],
    ['newer', file([list], { version: 2 }), 'newerVersion', 'newer version'],
    ['without a version', file([list], { version: undefined }), 'badList', 'version: It must be 1.'],
    ['without lists', file(undefined), 'badList', 'lists: It must be an array.'],
    ['empty', file([]), 'badList', 'lists: It contains no watchlists.'],
    ['with a list that is none', file([named('A'), 5]), 'badList', 'lists[1]: It must be an object'],
    ['with a nameless list', file([{ entries: [] }]), 'badList', 'lists[0]'],
    [
      'with a name too long',
      file([named('x'.repeat(61))]),
      'badList',
      'lists[0].name: A watchlist needs a name of at most 60 characters.',
    ],
    ['without entries', file([{ name: 'A', entries: {} }]), 'badList', 'lists[0].entries: It must be an array.'],
    [
      'with a bad id',
      file([named('A'), named('B'), named('C', 'A', 'B', 'C', 'D', 'E', '<b>')]),
      'badList',
      'lists[2].entries[5].id: An index id has letters',
    ],
    [
      'with an id that is a number',
      file([{ name: 'A', entries: [{ id: 5 }] }]),
      'badList',
      'lists[0].entries[0].id: An',
    ],
    [
      'with an unknown resolution',
      file([{ name: 'A', entries: [{ id: 'BRTI', maxResolution: 'DAILY' }] }]),
      'badList',
      'lists[0].entries[0].maxResolution: It must be one of PER_SECOND and PER_200MS.',
    ],
    [
      'with a name twice',
      file([named('A'), named('B'), named('a')]),
      'duplicateName',
      'lists[2].name: a is the name of',
    ],
    [
      'with an index twice',
      file([named('A', 'X', 'Y', 'X')]),
      'duplicateIndex',
      'lists[0].entries[2].id: X is also entries[0]. Remove one of them.',
    ],
    ['with a bad section', file([{ ...named('A'), sections: [{ name: 'S', at: -1 }] }]), 'badList', 'sections[0].at'],
    ['with too much', file([named('A', ...Array.from({ length: 2_001 }, (_, at) => `X${at}`))]), 'badList', '2,000'],
  ])('that is %s is refused and says where', (_, text, code, words) => {
    const read = readListFile(text)
    expect(read).toMatchObject({ ok: false, problem: { code } })
    if (!read.ok) expect(read.problem.message).toContain(words)
  })
})

describe('an import', () => {
  const newId = () => 'new'

  test('fills up the list of that name, changes the resolutions it gives and makes the others', () => {
    const planned = planImport(
      [list, { id: 'l2', name: 'Other', entries: [] }],
      [
        { name: 'CRYPTO', entries: [{ id: 'BRR' }, { id: 'NCI', maxResolution: 'PER_200MS' }, { id: 'BRTI' }] },
        { name: 'Rates', entries: [{ id: 'ETH_SRR', maxResolution: 'PER_200MS' }] },
      ],
      newId,
    )
    expect(planned).toEqual({
      ok: true,
      value: {
        adds: 2,
        changes: 1,
        lists: [
          { name: 'Crypto', isNew: false, adds: ['BRR'], changes: ['NCI'] },
          { name: 'Rates', isNew: true, adds: ['ETH_SRR'], changes: [] },
        ],
        watchlists: [
          {
            ...list,
            entries: [
              { id: 'BRTI', maxResolution: 'PER_200MS' },
              { id: 'NCI', maxResolution: 'PER_200MS' },
              { id: 'BRR', maxResolution: 'PER_SECOND' },
            ],
          },
          { id: 'l2', name: 'Other', entries: [] },
          { id: 'new', name: 'Rates', entries: [{ id: 'ETH_SRR', maxResolution: 'PER_200MS' }] },
        ],
      },
    })
  })

  test('of what was just exported does nothing', () => {
    const read = readListFile(writeListFile([list]))
    const planned = read.ok ? planImport([list], read.value, newId) : read
    expect(planned).toMatchObject({ ok: true, value: { adds: 0, changes: 0, watchlists: [list] } })
  })

  test('that does not fit is refused as a whole', () => {
    const many = (start: number) => Array.from({ length: 1_500 }, (_, at) => ({ id: `X${start + at}` }))
    const held = { ...list, entries: many(0).map(({ id }) => ({ id, maxResolution: 'PER_SECOND' as const })) }
    const over = planImport([held], [{ name: 'Crypto', entries: many(1_500) }], newId)
    expect(over).toMatchObject({ problem: { code: 'listFull' } })
    expect(planImport([held], [{ name: 'Crypto', entries: many(0) }], newId)).toMatchObject({ ok: true })
    const lists = Array.from({ length: 100 }, (_, at) => ({ id: `l${at}`, name: `L${at}`, entries: [] }))
    const oneMore = planImport(lists, [{ name: 'One more', entries: [] }], newId)
    expect(oneMore).toMatchObject({ problem: { code: 'tooManyLists' } })
    const full = Array.from({ length: 6 }, (_, at) => ({ name: `L${at}`, entries: many(0) }))
    expect(planImport([], full, newId)).toMatchObject({ ok: true })
    expect(planImport([held], full, newId)).toMatchObject({ problem: { code: 'listsFull' } })
  })
})
