/** Lists of tickers as other programs write them: TradingView, tables with a column of tickers, YAML, and plain text. */
import { formatCount } from '../../core/decimal'
import { failure, ok, type Outcome } from '../../core/model'
import { maxEntries, maxListName, maxSections } from '../../core/settings-schema'
import { tickerSeparator, tickersIn, type TickerSection, type UnreadLine } from '../../core/tickers'
import { readCsv, type CsvLine } from '../base/csv'
import { sanitizeText } from '../base/sanitize'
import { readTickerYaml, type TickerSink } from './ticker-yaml'

/** What a text contains, in its order. A ticker that the text repeats counts once, at its first place. */
export interface TickerText {
  sections: TickerSection[]
  unread: UnreadLine[]
}

const tickerColumns = ['symbol', 'ticker', 'ticker symbol', 'ticker-symbol', 'code', 'id', 'isin', 'sedol']
/** A cell that cannot be a ticker: a number, a percentage, a date, or nothing. */
const otherCell = /^(?:[-+]?[\d.,\u00a0']*%?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*)$/
/** Yahoo's rows of cash. */
const cashSymbol = '$$CASH_TX'
const yamlStart = /^(?:---(?:\s|$)|\[|- )/
const yamlKeys = /^(?:watchlist|lots|groups)\s*:/m

/**
 * Reads a text in the form that it has. Each line is taken or reported. Problems: `otherFormat` without a ticker,
 * `listFull` with more than a list can contain, `badList` for invalid YAML, with the line.
 */
export function readTickerText(text: string): Outcome<TickerText> {
  const reader = new Reader()
  const problem = readInto(reader, text)
  if (problem !== undefined) return failure('badList', problem)
  if (reader.isFull) {
    const max = formatCount(maxEntries)
    return failure('listFull', `It has more than ${max} tickers or ${maxSections} sections. Import it in parts.`)
  }
  const sections = reader.sections.filter(({ name, tickers }) => name !== undefined || tickers.length > 0)
  if (sections.every(({ tickers }) => tickers.length === 0)) {
    return failure('otherFormat', 'It has no tickers. Choose a list of ids or tickers, such as BRTI or BTCUSD.')
  }
  return ok({ sections, unread: reader.unread })
}

function readInto(reader: Reader, text: string): string | undefined {
  const begin = text.split(/\r\n?|\n/).find((line) => !/^\s*(?:#(?!##).*)?$/.test(line)) ?? ''
  if (yamlStart.test(begin) || yamlKeys.test(text)) return readTickerYaml(reader, text)
  const table = tableOf(text)
  if (table === undefined) readLines(reader, text)
  else readTable(reader, table)
  return undefined
}

class Reader implements TickerSink {
  readonly sections: TickerSection[] = [{ tickers: [] }]
  readonly unread: UnreadLine[] = []
  readonly #seen = new Set<string>()

  /** True if there is more than a list can contain. The rest is then not read. */
  get isFull(): boolean {
    // The first section has no name.
    return Math.max(this.#seen.size, this.unread.length) > maxEntries || this.sections.length > maxSections + 1
  }

  begin(name: string, line: number): void {
    const shown = sanitizeText(name, maxListName)
    if (this.isFull) return
    if (shown === '') this.report(name, line, 'A section without a name.')
    else this.sections.push({ name: shown, tickers: [] })
  }

  /** Takes a ticker, or reports what cannot be one. */
  take(written: string, line: number): void {
    if (this.isFull) return
    const text = sanitizeText(written)
    if (text === '') this.report(written, line, 'It has no visible characters.')
    else if (text === cashSymbol) this.report(text, line, 'Cash, not an index.')
    else if (/:.*[-+*/^].*:/.test(text)) this.report(text, line, 'A spread of two symbols.')
    else if (!this.#seen.has(text)) {
      this.#seen.add(text)
      this.sections.at(-1)?.tickers.push({ text, line })
    }
  }

  report(text: string, line: number, reason: string): void {
    if (!this.isFull) this.unread.push({ text: sanitizeText(text), line, reason })
  }
}

/** Lines of tickers. An item that begins with `###` is a section, as TradingView writes it. */
function readLines(reader: Reader, text: string): void {
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^\s*#(?!##)/.test(line)) reader.report(line, at + 1, 'A comment.')
    else readItems(reader, line, at + 1)
  }
}

function readItems(reader: Reader, text: string, line: number): void {
  for (const item of text.split(new RegExp(`(?=###)|${tickerSeparator.source}`))) {
    if (item.startsWith('###')) reader.begin(item.replace(/^#+\s*(?:SECTION\s)?/, ''), line)
    else for (const ticker of tickersIn(item)) reader.take(ticker, line)
  }
}

interface Table {
  lines: CsvLine[]
  /** The columns to look for a ticker in, in this order. */
  columns: number[]
}

/** The table that a text is: with a head that names a column of tickers, or with numbers or dates beside the first. */
function tableOf(text: string): Table | undefined {
  const [said = ''] = /^sep=(.)\r?\n/i.exec(text) ?? []
  // The line keeps its place, so that the other lines keep their numbers.
  const content = text.replace(/^sep=./i, '')
  const separators = said === '' ? [',', ';', '\t'] : [said.charAt(4)]
  const tables = separators
    .filter((separator) => /[,;\t]/.test(separator))
    .map((separator) => readCsv(content, separator).filter(({ cells }) => cells.some((cell) => cell.trim() !== '')))
  for (const [head, ...lines] of tables) {
    const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
    const columns = tickerColumns.map((name) => names.indexOf(name)).filter((at) => at !== -1)
    if (columns.length > 0) return { lines, columns }
  }
  const lines = tables.find((each) => each.some(isRow))
  return lines && { lines, columns: [0] }
}

/** True for a line with more than one column, one of which has no ticker. */
function isRow({ cells }: CsvLine): boolean {
  const others = cells.slice(1).map((cell) => cell.trim())
  return others.some((cell) => /\d/.test(cell) && otherCell.test(cell)) && !cells.some((cell) => cell.includes('###'))
}

function readTable(reader: Reader, { lines, columns }: Table): void {
  for (const { cells, line } of lines) {
    const ticker = columns.map((at) => cells[at]?.trim() ?? '').find((cell) => cell !== '')
    if (ticker === undefined) reader.report(cells.join(' '), line, 'The row has no ticker.')
    else reader.take(ticker, line)
  }
}
