/** What a workbook of values has beside them: the events and the constituents of the indices. */
import { constituentRows, inboxRecord, type ProgramRecord } from '../../core/records'
import type { ExportRequest } from '../../protocol/history'
import { constituentsSchema, readDocument } from '../base/stored-index'
import { recordTable, type Table } from '../base/table-files'
import type { Queries } from '../history-store/contract'

/** Synchronous, because exports run in their own thread or process. */
interface ContextReader {
  query<Name extends 'events' | 'snapshotAt'>(name: Name, params: Queries[Name]['params']): Queries[Name]['result']
}

type Wanted = Pick<ExportRequest, 'indexIds' | 'fromMs' | 'toMs'>

/** Events for values published in the range, newest first. */
export function eventTable(history: ContextReader, { indexIds, fromMs, toMs }: Wanted): Table {
  const pages = function* (): Generator<ProgramRecord[], void> {
    for (let before: number | undefined; ;) {
      const { events, next } = history.query('events', before === undefined ? {} : { before })
      const wanted = events.filter(({ indexId, inputs, recordedAtMs }) => {
        const atMs = inputs.publishedAtMs ?? recordedAtMs
        return indexIds.includes(indexId) && atMs >= fromMs && atMs < toMs
      })
      yield wanted.map(inboxRecord)
      if (next === undefined) return
      before = next
    }
  }
  return recordTable('Events', 'inboxEvent', pages())
}

/** The constituents in the last calculation before the end of the range. */
export function constituentTable(history: ContextReader, { indexIds, toMs }: Wanted): Table {
  const pages = function* (): Generator<ProgramRecord[], void> {
    for (const id of indexIds) {
      const found = history.query('snapshotAt', { kind: 'constituents', id, atMs: toMs - 1 })
      const publication = found === null ? undefined : readDocument(constituentsSchema, found.document)
      if (publication !== undefined) yield constituentRows(id, publication)
    }
  }
  return recordTable('Constituents', 'constituent', pages())
}
