/** Tickers in YAML: a list of texts, or the file of the program ticker with its watchlist, lots and groups. */
import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { tickersIn } from '../../core/tickers'

/** Takes what a text contains, in its order. */
export interface TickerSink {
  begin(section: string, line: number): void
  take(ticker: string, line: number): void
  report(text: string, line: number, reason: string): void
}

const maxAliases = 100

/** Returns what is wrong with the text. */
export function readTickerYaml(sink: TickerSink, text: string): string | undefined {
  const lines = new LineCounter()
  const document = parsed(text, lines)
  if (document === undefined) return 'It is nested too deeply. Paste the tickers instead.'
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) {
    return `Line ${lines.linePos(fault.pos[0]).line} is not plain YAML. Correct it, or paste the tickers instead.`
  }
  const walk = new Walk(document, lines, sink)
  walk.takeAll()
  return walk.aliasCount > maxAliases ? `It has more than ${maxAliases} aliases. Paste the tickers instead.` : undefined
}

function parsed(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    // Only texts. Comparing the keys of a long map would take minutes.
    return parseDocument(text, { lineCounter, schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  } catch {
    // The parser recurses for each level, so deep nesting overflows its stack.
    return undefined
  }
}

/** The schema has only texts and nothing. */
function textOf({ value }: Scalar): string {
  return typeof value === 'string' ? value : ''
}

/** Goes through the known places only, so that aliases in a circle end. */
class Walk {
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #sink: TickerSink
  aliasCount = 0

  constructor(document: Document, lines: LineCounter, sink: TickerSink) {
    this.#document = document
    this.#lines = lines
    this.#sink = sink
  }

  takeAll(): void {
    const root = this.#document.contents
    if (isMap(root)) {
      this.#takeTickers(root, ['groups'])
      for (const group of this.#itemsOf(root, 'groups')) {
        if (!isMap(group)) {
          this.#takeText(group)
          continue
        }
        const name = this.#field(group, 'name')
        if (isScalar(name)) this.#sink.begin(textOf(name), this.#lineOf(name))
        this.#takeTickers(group, ['name'])
      }
    } else if (isSeq(root)) for (const item of root.items) this.#takeText(this.#resolved(item))
    else this.#takeText(root)
  }

  /** Takes watchlist, lots and holdings. Reports all other fields except these. */
  #takeTickers(map: YAMLMap, others: readonly string[]): void {
    for (const { key } of map.items) {
      const name = isScalar(key) ? textOf(key) : ''
      if (others.includes(name) || !isScalar(key)) continue
      if (name === 'watchlist') for (const item of this.#itemsOf(map, name)) this.#takeText(item)
      else if (name === 'lots' || name === 'holdings') {
        for (const lot of this.#itemsOf(map, name)) this.#takeText(isMap(lot) ? this.#field(lot, 'symbol') : lot)
      } else this.#sink.report(name, this.#lineOf(key), 'Only watchlist, lots and groups are read.')
    }
  }

  #takeText(node: unknown): void {
    if (isScalar(node)) {
      for (const ticker of tickersIn(textOf(node))) this.#sink.take(ticker, this.#lineOf(node))
    } else if (isMap(node) || isSeq(node)) this.#sink.report('', this.#lineOf(node), 'A ticker is a single text.')
  }

  #itemsOf(map: YAMLMap, name: string): unknown[] {
    const list = this.#field(map, name)
    return isSeq(list) ? list.items.map((item) => this.#resolved(item)) : [list]
  }

  #field(map: YAMLMap, name: string): unknown {
    return this.#resolved(map.items.find(({ key }) => isScalar(key) && key.value === name)?.value)
  }

  #resolved(node: unknown): unknown {
    if (!isAlias(node) || ++this.aliasCount > maxAliases) return node
    const found = node.resolve(this.#document)
    if (found === undefined) this.#sink.report(`*${node.source}`, this.#lineOf(node), 'An alias without its anchor.')
    return found
  }

  #lineOf(node: Node): number {
    return this.#lines.linePos(node.range?.[0] ?? 0).line
  }
}
