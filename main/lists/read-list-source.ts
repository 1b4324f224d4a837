/** Reads a file or a text of lists in any known form, and matches its tickers with indices. */
import { basename } from 'node:path'
import { decodeText } from '../../core/file-text'
import { failure, ok, type Outcome } from '../../core/model'
import { matchSpelling, matchTicker, maxTickerText } from '../../core/tickers'
import { readUserBytes } from '../storage/user-file'
import { maxListFileBytes, readListFile } from './list-file'
import type { ListSource, ListSourceTask } from './list-source'
import { readTickerText } from './ticker-text'

/** Reads in the thread. Never rejects. */
export async function readListSource({ source, catalogue }: ListSourceTask): Promise<Outcome<ListSource>> {
  if ('text' in source) return sourceOf(source.text, catalogue)
  const name = basename(source.path)
  const bytes = await readUserBytes(source.path, maxListFileBytes)
  if (!bytes.ok) return bytes
  const text = decodeText(bytes.value)
  if (text === undefined) return failure('notText', `${name} is not a text. Choose another file.`)
  return sourceOf(text, catalogue)
}

function sourceOf(text: string, catalogue: ListSourceTask['catalogue']): Outcome<ListSource> {
  if (/^\s*\{/.test(text)) return readListFile(text)
  if (text.length > maxTickerText) {
    return failure('tooLarge', 'A list of tickers can have at most 1 MB. Import it in parts.')
  }
  const read = readTickerText(text)
  if (!read.ok) return read
  if (catalogue.length === 0) {
    return failure('notReady', 'The provider has not sent its index list yet. Try again when it is connected.')
  }
  const { sections, unread } = read.value
  const match = (written: string) => {
    const found = matchTicker(catalogue, written)
    return found.kind === 'unknown' ? (matchSpelling(catalogue, written) ?? found) : found
  }
  return ok({
    unread,
    sections: sections.map(({ tickers, ...section }) => ({
      ...section,
      tickers: tickers.map((ticker) => ({ ...ticker, match: match(ticker.text) })),
    })),
  })
}
