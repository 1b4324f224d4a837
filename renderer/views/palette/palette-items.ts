import type List from '@lucide/svelte/icons/list'
import type { IndexId, IndexInfo, Watchlist } from '../../../core/model'
import { searchCatalogue } from '../../format/catalogue-search'
import { openKey } from '../../state/recents'

/** An entry of the palette that runs a command. */
export interface PaletteCommand {
  name: string
  Icon: typeof List
  /** More search words. */
  words?: string
  /** The keyboard shortcut, such as `Ctrl+N`. */
  keys?: string
  /** Not offered before a text is typed. */
  isOnlySearched?: boolean
  run: () => void
}

export type PaletteItem =
  | { kind: 'open' | 'add'; key: string; id: IndexId; name: string }
  /** `level` is typed text. */
  | { kind: 'alert'; key: string; id: IndexId; name: string; level?: string }
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

/** New alerts for the indices that the terms find. Numbers behind an index are the level: `brti 70,000`. */
function alertItems(catalogue: readonly IndexInfo[], terms: readonly string[]): PaletteItem[] {
  for (let at = terms.length; at > 0; at--) {
    const found = indexItems('alert', catalogue, terms.slice(0, at).join(' '))
    const level = terms.slice(at).join(' ')
    if (found.length > 0) return level === '' ? found : found.map((item) => ({ ...item, level }))
    if (!/^[-.]?\d/.test(terms[at - 1] ?? '')) break
  }
  return []
}

/** The contents of the palette. */
export interface PaletteKnown {
  catalogue: readonly IndexInfo[]
  lists: readonly Watchlist[]
  commands: readonly PaletteCommand[]
  /** Keys of the items chosen last, newest first. */
  recentKeys: readonly string[]
  /** The watchlist on screen with its indices. */
  shown: { name: string; infos: readonly IndexInfo[] }
}

/** The sections before anything is typed: recent items, the indices of the watchlist, watchlists, commands. */
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

/** The items of the recently chosen indices only, because the catalogue may be long. */
function catalogueItems(catalogue: readonly IndexInfo[], keys: readonly string[]): PaletteItem[] {
  const wanted = new Set(keys)
  return indexItems(
    'open',
    catalogue.filter(({ id }) => wanted.has(openKey(id))),
    '',
  )
}

/**
 * The items that match `text`, best first: indices, watchlists, commands. Commands come first if a name of theirs begins
 * with the text and no id does. A leading `add` or `alert` is what to do with the index. `alert` takes a
 * level too. An empty text gives `firstSections`.
 */
export function paletteSections(text: string, known: PaletteKnown): PaletteSection[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean)
  const verb = verbs[terms[0] ?? '']
  const lists = known.lists
    .filter(({ name }) => matches(name, terms))
    .map((list): PaletteItem => ({ kind: 'list', key: `list ${list.id}`, list }))
  const commands = known.commands
    .filter(({ isOnlySearched = false }) => terms.length > 0 || !isOnlySearched)
    .filter(({ name, words = '' }) => matches(`${name} ${words}`, terms))
    .map((command): PaletteItem => ({ kind: 'command', key: `command ${command.name}`, command }))
  const others = [
    { title: 'Watchlists', items: lists },
    { title: 'Commands', items: commands },
  ]
  if (terms.length === 0) return firstSections(known, others).filter(({ items }) => items.length > 0)
  const typed = terms.join(' ')
  const begins = (name: string) => name.toLowerCase().startsWith(typed)
  const named = terms.slice(1)
  const items =
    verb === undefined || named.length === 0
      ? indexItems('open', known.catalogue, typed)
      : verb === 'alert'
        ? alertItems(known.catalogue, named)
        : indexItems(verb, known.catalogue, named.join(' '))
  const isCommandMeant =
    known.commands.some(({ name }) => begins(name)) && !known.catalogue.some(({ id }) => begins(id))
  const indices = { title: 'Indices', items }
  const sections = isCommandMeant ? [...others, indices] : [indices, ...others]
  return sections.filter((section) => section.items.length > 0)
}
