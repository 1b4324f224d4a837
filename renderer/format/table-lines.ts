/** The lines of a long table: which there are, and which of them are near enough to the screen to be drawn. */
import type { ConstituentRow } from './constituents'

/** A constituent, or one exchange of the constituent above it. */
export interface TableLine {
  key: string
  row: ConstituentRow
  /** Place among the row's exchanges; absent for the constituent itself. */
  exchangeAt?: number
}

/** The lines from the top: after each row that is unfolded come its exchanges. */
export function tableLines(rows: readonly ConstituentRow[], isUnfolded: (key: string) => boolean): TableLine[] {
  return rows.flatMap((row) => {
    const line: TableLine = { key: row.key, row }
    const { exchanges } = row.constituent
    if (exchanges === undefined || !isUnfolded(row.key)) return [line]
    return [line, ...exchanges.map((_, at) => ({ key: `${row.key}\n${at}`, row, exchangeAt: at }))]
  })
}

/** A table up to this long is drawn whole. */
const mostWholeLines = 60
/** Lines drawn above and below what is on screen, so that scrolling and the Tab key find the next ones there. */
const spareLines = 10
const stepLines = 5

export interface LineWindow {
  from: number
  /** The first line that is not drawn again. */
  to: number
}

/** Where the table's lines lie, in CSS pixels. */
export interface LinePlace {
  /** From the top of what is visible down to the first line; negative when that is scrolled away. */
  topPx: number
  /** Height of what is visible. */
  visiblePx: number
  linePx: number
}

/** Which of `count` lines to draw. It moves in steps, so that not every pixel of scrolling draws anew. */
export function lineWindow(count: number, { topPx, visiblePx, linePx }: LinePlace): LineWindow {
  if (count <= mostWholeLines || linePx <= 0) return { from: 0, to: count }
  const first = Math.floor((-topPx / linePx - spareLines) / stepLines) * stepLines
  const drawn = Math.ceil(visiblePx / linePx) + 2 * spareLines + stepLines
  const from = Math.min(Math.max(0, first), Math.max(0, count - drawn))
  return { from, to: Math.min(count, from + drawn) }
}
