import type { IndexId, IndexInfo, Quote } from '../../protocol/model'

/** One row for the clipboard, in columns a spreadsheet takes: id, the published value digit for digit, name, time. */
export function rowText(id: IndexId, info: IndexInfo | undefined, quote: Quote): string {
  return [id, quote.value, info?.name ?? '', new Date(quote.publishedAtMs).toISOString()].join('\t')
}
