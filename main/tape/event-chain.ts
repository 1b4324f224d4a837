/**
 * The events of the inbox as a chain, in the order they were recorded: each has its place and a hash of itself and of the
 * one before. The end of the chain is kept beside it, so that the last ones are missed as well.
 */
import type { AlertEvent, ChainBreak } from '../../core/alert-events'
import { isRecord } from '../base/sanitize'
import { maxEventsRead, type ChainPart, type ChainPlace } from './contract'
import { eventHash, eventIn, firstHash } from './event-hash'
import type { Statements } from './statements'

const chainStart: ChainPlace = { link: 0, hash: firstHash }

function chainEnd(statements: Statements): ChainPlace | undefined {
  const row = statements.rows<[number, string]>('SELECT link, hash FROM chain_end')[0]
  return row && { link: row[0], hash: row[1] }
}

/** Makes an event that was just written the end of the chain, unless it is in the chain already. */
export function linkEvent(statements: Statements, event: AlertEvent): void {
  const isNew = statements.rows('SELECT 1 FROM event WHERE id = ? AND link IS NULL', [event.id]).length > 0
  if (!isNew) return
  const end = chainEnd(statements) ?? chainStart
  // As it will be read: what has no value is not written.
  const cells = [end.link + 1, eventHash(end.hash, eventIn(JSON.stringify(event)))]
  statements.run('UPDATE event SET link = ?, hash = ? WHERE id = ?', [...cells, event.id])
  statements.run('INSERT OR REPLACE INTO chain_end (no, link, hash) VALUES (1, ?, ?)', cells)
}

type LinkRow = [link: number, hash: string | null, id: string, number: number, document: string]

/** Checks the next events of the chain. */
export function checkChain(statements: Statements, after: ChainPlace = chainStart): ChainPart {
  // Read first: what is recorded meanwhile comes after it.
  const end = chainEnd(statements) ?? chainStart
  const rows = statements.rows<LinkRow>(
    'SELECT link, hash, id, number, document FROM event WHERE link > ? AND link <= ? ORDER BY link LIMIT ?',
    [after.link, end.link, maxEventsRead],
  )
  const part: ChainPart = { events: [] }
  let place = after
  for (const [link, hash, id, number, document] of rows) {
    const event = eventIn(document)
    const named = { number, ...recordedAt(event) }
    if (link !== place.link + 1) {
      return { ...part, break: { kind: link > place.link ? 'missing' : 'added', ...named } }
    }
    const isItself = !isRecord(event) || (event['id'] === id && event['number'] === number)
    if (!isItself || eventHash(place.hash, event) !== hash) return { ...part, break: { kind: 'changed', ...named } }
    part.events.push(named)
    place = { link, hash }
  }
  if (rows.length === maxEventsRead) return { ...part, next: place }
  const found = breakAtEnd(statements, place, end)
  return found === undefined ? { ...part, end: place.hash } : { ...part, break: found }
}

function breakAtEnd(statements: Statements, place: ChainPlace, end: ChainPlace): ChainBreak | undefined {
  if (place.link !== end.link || place.hash !== end.hash) return { kind: 'missing' }
  const [odd] = statements.rows<[number, string]>(
    `SELECT number, document FROM event WHERE link IS NULL OR link < 1 OR link > coalesce((SELECT link FROM chain_end), 0)
       OR link IN (SELECT link FROM event GROUP BY link HAVING count(*) > 1) ORDER BY number LIMIT 1`,
  )
  return odd && { kind: 'added', number: odd[0], ...recordedAt(eventIn(odd[1])) }
}

function recordedAt(event: unknown): { recordedAtMs?: number } {
  const recordedAtMs = isRecord(event) ? event['recordedAtMs'] : undefined
  return typeof recordedAtMs === 'number' ? { recordedAtMs } : {}
}
