/** The lines of a watchlist in manual order: its indices, and the sections that divide them. */
import type { ListSection, Watchlist, WatchlistEntry } from './model'
import { isSame } from './same'

export type ListLine = WatchlistEntry | ListSection

/** The part of a list that its lines make up. */
export type ListContent = Pick<Watchlist, 'entries' | 'sections'>

/** The part of a list that every seat of a desk has. Sorting and widths are the seat's own. */
export type SharedList = Pick<Watchlist, 'name' | 'entries' | 'sections' | 'columns'>

export function sharedPart({ name, entries, sections, columns }: SharedList): SharedList {
  return { name, entries, ...(sections && { sections }), ...(columns && { columns }) }
}

/** True if two names of lists or sections count as equal. Ignores case and Unicode normalisation. */
export function isSameListName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

export function isSection(line: ListLine): line is ListSection {
  return 'at' in line
}

export function linesOf({ entries, sections = [] }: ListContent): ListLine[] {
  const lines: ListLine[] = [...entries]
  // From the last one, so that the places of the others still hold.
  for (const section of sections.toSorted((a, b) => a.at - b.at).toReversed()) lines.splice(section.at, 0, section)
  return lines
}

/** The inverse of `linesOf`. */
export function contentOf(lines: readonly ListLine[]): ListContent {
  const entries: WatchlistEntry[] = []
  const sections: ListSection[] = []
  for (const line of lines) {
    if (isSection(line)) sections.push({ ...line, at: entries.length })
    else entries.push(line)
  }
  return sections.length === 0 ? { entries } : { entries, sections }
}

/** The lines with these ids, and the others. */
export function splitLines(lines: readonly ListLine[], ids: readonly string[]) {
  const wanted = new Set(ids)
  return { rows: lines.filter(({ id }) => wanted.has(id)), others: lines.filter(({ id }) => !wanted.has(id)) }
}

/** More rows than these are counted. */
const maxNamedRows = 3

/** What somebody did to a list, such as `added BRR, moved rows`. Empty if nothing. */
export function listChangeWords(was: SharedList, is: SharedList): string {
  const [before, after] = [linesOf(was), linesOf(is)]
  const [known, now] = [byId(before), byId(after)]
  const added = after.filter(({ id }) => !known.has(id))
  const removed = before.filter(({ id }) => !now.has(id))
  const order = (lines: readonly ListLine[], others: ReadonlyMap<string, ListLine>) =>
    lines.flatMap(({ id }) => (others.has(id) ? [id] : []))
  const refreshed = is.entries.filter(({ id, maxResolution }) => {
    const held = known.get(id)
    return held !== undefined && !isSection(held) && held.maxResolution !== maxResolution
  })
  const isRenamed = after.some((line) => {
    const held = known.get(line.id)
    return isSection(line) && held !== undefined && isSection(held) && held.name !== line.name
  })
  const parts = [
    was.name === is.name ? '' : `renamed it to ${is.name}`,
    rowWords('added', added),
    rowWords('removed', removed),
    isSame(order(before, now), order(after, known)) ? '' : 'moved rows',
    rowWords('changed the frequency of', refreshed),
    isRenamed ? 'renamed a section' : '',
    isSame(was.columns ?? [], is.columns ?? []) ? '' : 'changed the columns',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function byId(lines: readonly ListLine[]): Map<string, ListLine> {
  return new Map(lines.map((line) => [line.id, line]))
}

function rowWords(did: string, rows: readonly ListLine[]): string {
  if (rows.length === 0) return ''
  if (rows.length > maxNamedRows) return `${did} ${rows.length} rows`
  return `${did} ${rows.map((row) => (isSection(row) ? `section ${row.name}` : row.id)).join(' and ')}`
}
