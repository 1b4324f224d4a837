/** What the thread that reads lists receives, and how its answer is used. Main loads no readers of files. */
import type { Worker } from 'node:worker_threads'
import { failure, ok, type IndexInfo, type Outcome } from '../../core/model'
import { isSameListName } from '../../core/list-lines'
import type { TickerImportPreview } from '../../protocol/responses'
import { ThreadJob } from '../base/thread-job'
import type { FileList } from './list-file'

/** What the thread reads: a file, or a text. */
export interface ListSourceTask {
  source: { path: string } | { text: string }
  /** The indices of the provider. */
  catalogue: readonly (Pick<IndexInfo, 'id' | 'codes'> & Partial<Pick<IndexInfo, 'maxResolution'>>)[]
}

type MatchedTickers = Pick<TickerImportPreview, 'sections' | 'unread'>

/** The lists of a file of this app, or the tickers of another text. */
export type ListSource = FileList[] | MatchedTickers

/** The outcome of the thread. Never rejects. */
export async function takeListSource(worker: Worker): Promise<Outcome<ListSource>> {
  const lost = (reason: string) => failure('internal', `The list could not be read: ${reason} Choose another one.`)
  const ended = await new ThreadJob<never, ListSource>(worker, lost).ended
  if (!ended.ok) return ended
  return ended.value === null ? lost('cancelled.') : ok(ended.value)
}

/** How to import tickers: `taken` by their place, `into` a list, or each section into a list of its name. */
export interface TickerChoice {
  taken: readonly number[]
  into?: string
}

/** The chosen tickers as lists. `name` is for those outside sections. Tickers that name no index are left out. */
export function chosenLists({ sections }: MatchedTickers, { taken, into }: TickerChoice, name: string): FileList[] {
  const chosen = new Set(taken)
  let place = 0
  const lists: FileList[] = []
  for (const section of sections) {
    const listName = into ?? section.name ?? name
    const held = lists.find((list) => isSameListName(list.name, listName))
    const list: Required<FileList> = { name: listName, entries: [], sections: [], ...held }
    const present = new Set(list.entries.map(({ id }) => id))
    const ids = section.tickers.flatMap(({ match }) =>
      chosen.has(place++) && match.kind !== 'unknown' ? match.id : [],
    )
    const added = [...new Set(ids)].filter((id) => !present.has(id))
    if (added.length === 0) continue
    if (into !== undefined && section.name !== undefined) {
      list.sections.push({ name: section.name, at: list.entries.length })
    }
    list.entries.push(...added.map((id) => ({ id })))
    if (held === undefined) lists.push(list)
  }
  return lists
}
