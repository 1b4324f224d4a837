/** What an import of tickers does with each of them. */
import { isSameListName } from '../../core/list-lines'
import type { IndexId, Watchlist } from '../../core/model'
import type { MatchedTicker, UnreadLine } from '../../core/tickers'
import type { TickerImportPreview } from '../../protocol/responses'

/** A ticker that names an index. */
export type TickerRow = MatchedTicker & {
  match: Exclude<MatchedTicker['match'], { kind: 'unknown' }>
  /** Among all tickers of the text. */
  place: number
  /** True if the list has the index already, or gets it by an earlier row. */
  isPresent: boolean
}

export interface TickerRows {
  sections: { name?: string; rows: TickerRow[] }[]
  /** What is not taken, in the order of the lines. */
  left: UnreadLine[]
}

/** True if the text names the index, and not something like it. */
export function isTakenAtFirst({ match }: MatchedTicker): boolean {
  return match.kind === 'known' || (match.kind === 'near' && match.isSame)
}

/** The rows for an import `into` the list of this name, or with '' of each section into a list of its name. */
export function tickerRows(
  { sections, unread, name: newName }: Pick<TickerImportPreview, 'sections' | 'unread' | 'name'>,
  lists: readonly Pick<Watchlist, 'name' | 'entries'>[],
  into: string,
): TickerRows {
  const left = [...unread]
  const given = new Map<string, Set<IndexId>>()
  let place = 0
  const rowsOf = (name: string, tickers: readonly MatchedTicker[]) => {
    const list = lists.find((each) => isSameListName(each.name, name))
    const present = given.get(name) ?? new Set(list?.entries.map(({ id }) => id))
    given.set(name, present)
    const rows: TickerRow[] = []
    for (const ticker of tickers) {
      const { match } = ticker
      if (match.kind === 'unknown') left.push({ text: ticker.text, line: ticker.line, reason: match.remark })
      else {
        rows.push({ ...ticker, match, place, isPresent: present.has(match.id) })
        if (isTakenAtFirst(ticker)) present.add(match.id)
      }
      place++
    }
    return rows
  }
  const shown = sections.map(({ name, tickers }) => ({
    ...(name !== undefined && { name }),
    rows: rowsOf(into === '' ? (name ?? newName) : into, tickers),
  }))
  return { sections: shown.filter(({ rows }) => rows.length > 0), left: left.sort((a, b) => a.line - b.line) }
}
