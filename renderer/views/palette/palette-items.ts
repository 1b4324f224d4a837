import type List from '@lucide/svelte/icons/list'
import type { IndexId, IndexInfo, Watchlist } from '../../../core/model'
import { searchCatalogue } from '../../format/catalogue-search'
import { openKey } from '../../state/recents'

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
const maxRecent = 5
const verbs: Readonly<Record<string, 'open' | 'add' | 'alert'>> = { open: 'open', add: 'add', alert: 'alert' }

function matches(text: string, terms: readonly string[]): boolean {
  const words = ` ${text.toLowerCase()}`
  return terms.every((term) => words.includes(` ${term}`))
}

function indexItems(kind: 'open' | 'add' | 'alert', catalogue: readonly IndexInfo[], text: string): PaletteItem[] {
  return searchCatalogue(catalogue, text)
    .slice(0, maxIndices)
    .map(({ id, name = '' }) => ({ kind, key: kind === 'open' ? openKey(id) : `${kind} ${id}`, id, name }))
}

/** What the palette can find, as things are now. */
export interface PaletteKnown {
  catalogue: readonly IndexInfo[]
  lists: readonly Watchlist[]
  commands: readonly PaletteCommand[]
  /** What was chosen last, the newest first. */
  recentKeys: readonly string[]
  /** The list that is shown, with what is known of its indices. */
  shown: { name: string; infos: readonly IndexInfo[] }
}

/** While nothing is typed: what was chosen last, the indices of the list that is shown, then lists and commands. */
function firstSections(
  { catalogue, recentKeys, shown }: PaletteKnown,
  others: readonly PaletteSection[],
): PaletteSection[] {
  const ofList = { title: shown.name, items: indexItems('open', shown.infos, '') }
  const sections = [ofList, ...others]
  const offered = [...catalogueItems(catalogue, recentKeys), ...sections.flatMap(({ items }) => items)]
  const byKey = new Map(offered.map((item) => [item.key, item]))
  const recent = recentKeys.flatMap((key) => byKey.get(key) ?? []).slice(0, maxRecent)
  const taken = new Set(recent.map(({ key }) => key))
  return [
    { title: 'Recent', items: recent },
    ...sections.map(({ title, items }) => ({ title, items: items.filter(({ key }) => !taken.has(key)) })),
  ]
}

/** Of the catalogue only those that were chosen: it may be long. */
function catalogueItems(catalogue: readonly IndexInfo[], keys: readonly string[]): PaletteItem[] {
  const wanted = new Set(keys)
  return indexItems(
    'open',
    catalogue.filter(({ id }) => wanted.has(openKey(id))),
    '',
  )
}

/**
 * What is found for `text`, the likeliest first: indices, then lists and commands. A leading `add` or `alert` says what is
 * to be done with the index. For what there is while nothing is typed see `firstSections`.
 */
export function paletteSections(text: string, known: PaletteKnown): PaletteSection[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean)
  const verb = verbs[terms[0] ?? '']
  const lists = known.lists
    .filter(({ name }) => matches(name, terms))
    .map((list): PaletteItem => ({ kind: 'list', key: `list ${list.id}`, list }))
  const commands = known.commands
    .filter(({ name, words = '' }) => matches(`${name} ${words}`, terms))
    .map((command): PaletteItem => ({ kind: 'command', key: `command ${command.name}`, command }))
  const others = [
    { title: 'Watchlists', items: lists },
    { title: 'Commands', items: commands },
  ]
  const indices = () =>
    verb !== undefined && terms.length > 1
      ? indexItems(verb, known.catalogue, terms.slice(1).join(' '))
      : indexItems('open', known.catalogue, terms.join(' '))
  const sections =
    terms.length === 0 ? firstSections(known, others) : [{ title: 'Indices', items: indices() }, ...others]
  return sections.filter(({ items }) => items.length > 0)
}
