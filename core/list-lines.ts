/** The lines of a watchlist in manual order: its indices, and the sections that divide them. */
import type { ListSection, Watchlist, WatchlistEntry } from './model'

export type ListLine = WatchlistEntry | ListSection

/** The part of a list that its lines make up. */
export type ListContent = Pick<Watchlist, 'entries' | 'sections'>

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
