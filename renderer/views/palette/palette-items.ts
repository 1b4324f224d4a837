import type List from '@lucide/svelte/icons/list'
import type { IndexId, IndexInfo, Watchlist } from '../../../protocol/model'
import { searchCatalogue } from '../../format/catalogue-search'

/** Something the palette can do that is no index and no list. */
export interface PaletteCommand {
  name: string
  Icon: typeof List
  /** Further words by which it is found. */
  words?: string
  /** The key that does the same, as `Ctrl+N`. */
  keys?: string
  run: () => void
}

export type PaletteItem =
  | { kind: 'open' | 'add' | 'alert'; key: string; id: IndexId; name: string }
  | { kind: 'list'; key: string; list: Watchlist }
  | { kind: 'command'; key: string; command: PaletteCommand }

export interface PaletteSection {
  title: string
  items: PaletteItem[]
}

const maxIndices = 40
const verbs: Readonly<Record<string, 'open' | 'add' | 'alert'>> = { open: 'open', add: 'add', alert: 'alert' }

function matches(text: string, terms: readonly string[]): boolean {
  const words = ` ${text.toLowerCase()}`
  return terms.every((term) => words.includes(` ${term}`))
}

function indexItems(kind: 'open' | 'add' | 'alert', catalogue: readonly IndexInfo[], text: string): PaletteItem[] {
  return searchCatalogue(catalogue, text)
    .slice(0, maxIndices)
    .map(({ id, name = '' }) => ({ kind, key: `${kind} ${id}`, id, name }))
}

/**
 * What is found for `text`, the likeliest first: lists and commands while nothing is typed, then indices before both.
 * A leading `add` or `alert` says what is to be done with the index.
 */
export function paletteSections(
  text: string,
  known: { catalogue: readonly IndexInfo[]; lists: readonly Watchlist[]; commands: readonly PaletteCommand[] },
): PaletteSection[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean)
  const verb = verbs[terms[0] ?? '']
  const lists = known.lists
    .filter(({ name }) => matches(name, terms))
    .map((list): PaletteItem => ({ kind: 'list', key: `list ${list.id}`, list }))
  const commands = known.commands
    .filter(({ name, words = '' }) => matches(`${name} ${words}`, terms))
    .map((command): PaletteItem => ({ kind: 'command', key: `command ${command.name}`, command }))
  const indices =
    verb !== undefined && terms.length > 1
      ? indexItems(verb, known.catalogue, terms.slice(1).join(' '))
      : indexItems('open', known.catalogue, terms.join(' '))
  const listed = { title: 'Lists', items: lists }
  const done = { title: 'Commands', items: commands }
  const found = { title: 'Indices', items: indices }
  const sections = terms.length === 0 ? [listed, done, found] : [found, listed, done]
  return sections.filter(({ items }) => items.length > 0)
}
