import { expect, test } from 'vitest'
import { firstSettings } from '../../../main/storage/settings'
import { glanceList, tickerList } from '../../../protocol/glance'

const entries = Array.from({ length: 8 }, (_, at) => ({ id: `I${at}`, maxResolution: 'PER_200MS' as const }))
const settings = { ...firstSettings(), watchlists: [{ id: 'l', name: 'Mine', entries }] }
const idsOf = ({ entries: shown }: ReturnType<typeof tickerList>) => shown.map(({ id }) => id)

test('the tray shows pinned indices, or without any the first five of the first list', () => {
  expect(glanceList({ ...settings, pinnedIds: ['B', 'A'] })).toMatchObject({ entries: [{ id: 'B' }, { id: 'A' }] })
  expect(glanceList(settings)).toEqual({ id: 'l', name: 'Mine', entries: entries.slice(0, 5) })
  expect(glanceList({ ...settings, watchlists: [] })).toEqual({ id: '', name: '', entries: [] })
})

test("the ticker shows its own choice, or else the tray's", () => {
  const pinned = { ...settings, pinnedIds: ['B', 'A'] }
  const own = { ...pinned, tickerIds: ['Z', 'B'] }
  expect(idsOf(tickerList(own))).toEqual(['Z', 'B'])
  expect(idsOf(glanceList(own))).toEqual(['B', 'A'])
  expect(tickerList(pinned)).toEqual(glanceList(pinned))
  expect(tickerList(settings)).toEqual(glanceList(settings))
})
