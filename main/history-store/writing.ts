/** Writes batches into the tables. */
import { eventWords } from '../../core/alert-event-words'
import type { EventFormat } from '../../core/evaluation/condition'
import type { AlertEvent } from '../../core/alert-events'
import { formatDecimal } from '../../core/decimal'
import type { IndexId } from '../../core/model'
import type { Learned, RunStretch, StoredValue, WriteBatch } from './contract'
import { unpacked, type QueuedBatch } from './packed-values'
import type { Statements } from './statements'
import { flagsOf, valueFlags } from './value-rows'

interface Series {
  no: number
  /** Values before this published time have been thinned. */
  thinnedThrough: number
}

/** Numbers that stand for an index, and for an origin with its connection. Call `forget` after a rollback. */
export class IdCache {
  readonly #statements: Statements
  readonly #series = new Map<IndexId, Series>()
  readonly #sources = new Map<string, number>()
  /** Connection ids by source number, and as a set. Read when first needed. */
  #connections: { ofSource: Map<number, string>; ids: Set<string> } | undefined

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** Undefined if the history has no values of this index. */
  knownSeries(id: IndexId): number | undefined {
    return this.#find(id)?.no
  }

  series(id: IndexId): Series {
    const known = this.#find(id)
    if (known !== undefined) return known
    this.#statements.run('INSERT INTO series (id) VALUES (?)', [id])
    return this.series(id)
  }

  source({ origin, connection, connectionId = '' }: StoredValue): number {
    const key = `${origin} ${connectionId} ${connection}`
    const known = this.#sources.get(key)
    if (known !== undefined) return known
    const cells = [origin, connection, connectionId]
    const named = 'SELECT no FROM source WHERE origin = ? AND connection = ? AND connection_id = ?'
    const find = () => this.#statements.first(named, cells)
    if (find() === undefined) {
      this.#statements.run('INSERT INTO source (origin, connection, connection_id) VALUES (?, ?, ?)', cells)
    }
    const no = find() ?? 0
    this.#sources.set(key, no)
    this.#known.ofSource.set(no, connectionId)
    if (connectionId !== '') this.#known.ids.add(connectionId)
    return no
  }

  /**
   * True if the history has a value of another connection at this time. It stays. Values of two connections are never
   * revisions of each other.
   */
  isTakenByOther({ connectionId = '', publishedAtMs }: StoredValue, series: number): boolean {
    const { ofSource, ids } = this.#known
    if (connectionId === '' || ids.size < 2) return false
    const source = 'SELECT source FROM value WHERE series = ? AND published = ? LIMIT 1'
    const there = this.#statements.first(source, [series, publishedAtMs])
    const id = there === undefined ? '' : (ofSource.get(there) ?? '')
    return id !== '' && id !== connectionId
  }

  get #known(): { ofSource: Map<number, string>; ids: Set<string> } {
    if (this.#connections !== undefined) return this.#connections
    const rows = this.#statements.rows<[number, string]>('SELECT no, connection_id FROM source')
    const ids = rows.flatMap(([, id]) => (id === '' ? [] : [id]))
    return (this.#connections = { ofSource: new Map(rows), ids: new Set(ids) })
  }

  noteThinned(id: IndexId, thinnedThrough: number): void {
    const series = this.series(id)
    series.thinnedThrough = thinnedThrough
    this.#statements.run('UPDATE series SET thinned_through = ? WHERE no = ?', [thinnedThrough, series.no])
  }

  forget(): void {
    this.#series.clear()
    this.#sources.clear()
    this.#connections = undefined
  }

  #find(id: IndexId): Series | undefined {
    const known = this.#series.get(id)
    if (known !== undefined) return known
    const row = this.#statements.rows<[number, number]>('SELECT no, thinned_through FROM series WHERE id = ?', [id])[0]
    if (row === undefined) return undefined
    const series = { no: row[0], thinnedThrough: row[1] }
    this.#series.set(id, series)
    return series
  }
}

/**
 * Of two texts for one revision the later by code units is kept, in whatever order they arrive. The quote store does
 * the same.
 */
const insertValue = `
  INSERT INTO value (series, published, amended, text, learned_after, source, flags) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET text = excluded.text, flags = excluded.flags | (flags & ${valueFlags.kept})
  WHERE excluded.text > text OR (excluded.text = text AND (excluded.flags & 1) > (flags & 1))`

/** Writes batches in order. The caller has opened a transaction. `isRepeat`: they may have been written already. */
export function writeBatches(
  batches: readonly QueuedBatch[],
  { statements, idCache, isRepeat }: { statements: Statements; idCache: IdCache; isRepeat: boolean },
): Learned[] {
  const learned = new Map<IndexId, Learned>()
  for (const batch of batches) {
    for (const value of unpacked(batch).values ?? []) {
      const isNew = writeValue(value, statements, idCache)
      if (isNew || isRepeat) noteLearned(learned, value)
    }
    writeRest(batch, statements, idCache)
  }
  return [...learned.values()]
}

function writeValue(value: StoredValue, statements: Statements, idCache: IdCache): boolean {
  const { id, publishedAtMs, amendedAtMs = 0, learnedAtMs } = value
  const { no, thinnedThrough } = idCache.series(id)
  const source = idCache.source(value)
  if (idCache.isTakenByOther(value, no)) return false
  const changes = statements.run(insertValue, [
    no,
    publishedAtMs,
    amendedAtMs,
    value.value,
    learnedAtMs - publishedAtMs,
    source,
    flagsOf(value),
  ])
  if (changes > 0 && publishedAtMs < thinnedThrough) idCache.noteThinned(id, publishedAtMs)
  return changes > 0
}

function noteLearned(learned: Map<IndexId, Learned>, { id, publishedAtMs }: StoredValue): void {
  const known = learned.get(id)
  if (known === undefined) learned.set(id, { id, fromMs: publishedAtMs })
  else known.fromMs = Math.min(known.fromMs, publishedAtMs)
}

function writeRest(batch: WriteBatch, statements: Statements, idCache: IdCache): void {
  for (const { id, fromMs, toMs, state, askedAtMs } of batch.spans ?? []) {
    const series = idCache.series(id).no
    statements.put('span', { series, from_ms: fromMs, to_ms: toMs, state, asked: askedAtMs })
  }
  writeRules(batch, statements)
  for (const event of batch.events ?? []) writeEvent(event, statements, idCache)
  if (batch.readThrough !== undefined) {
    statements.run('UPDATE event SET is_read = 1 WHERE is_read = 0 AND number <= ?', [batch.readThrough])
  }
  for (const { key, atMs, document } of batch.documents ?? []) statements.put('document', { key, at: atMs, document })
  for (const key of batch.removedDocuments ?? []) statements.run('DELETE FROM document WHERE key = ?', [key])
  for (const { kind, id, publishedAtMs: published, learnedAtMs: learned, document } of batch.snapshots ?? []) {
    statements.put('snapshot', { kind, series: idCache.series(id).no, published, learned, document })
  }
}

function writeRules(batch: WriteBatch, statements: Statements): void {
  const drop = (
    table: 'firing' | 'checkpoint',
    { ruleId, run, fromMs, toMs = Number.MAX_SAFE_INTEGER }: RunStretch,
  ) => {
    const which = 'WHERE rule = ? AND run = ? AND published BETWEEN ? AND ?'
    statements.run(`DELETE FROM ${table} ${which}`, [ruleId, run, fromMs, toMs])
  }
  for (const { id, position, document } of batch.rules ?? []) statements.put('rule', { id, position, document })
  for (const id of batch.removedRules ?? []) {
    // Its runs stay, so that the deletion can be undone. They are dropped after the next opening (`dropRuns`).
    statements.run('DELETE FROM rule WHERE id = ?', [id])
  }
  for (const { ruleId: rule, run, document, startedAtMs: started, endedAtMs: ended = null } of batch.runs ?? []) {
    statements.put('run', { rule, run, document, started, ended })
  }
  for (const stretch of batch.droppedFirings ?? []) drop('firing', stretch)
  for (const { publishedAtMs: published, direction = '', eventId: event = null, ...firing } of batch.firings ?? []) {
    const { ruleId: rule, run, document } = firing
    statements.put('firing', { rule, run, published, direction, event, document })
  }
  for (const stretch of batch.droppedCheckpoints ?? []) drop('checkpoint', stretch)
  for (const { ruleId: rule, run, publishedAtMs: published, state } of batch.checkpoints ?? []) {
    statements.put('checkpoint', { rule, run, published, state })
  }
}

const upsertEvent = `
  INSERT INTO event (id, number, kind, rule, index_id, published, is_read, words, document, about)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET number = excluded.number, kind = excluded.kind, published = excluded.published,
    is_read = max(is_read, excluded.is_read), words = excluded.words, document = excluded.document, about = excluded.about`

function writeEvent(event: AlertEvent, statements: Statements, idCache: IdCache): void {
  const { id, number, kind, ruleId, indexId, inputs, isRead, aboutEventId = null } = event
  statements.run(upsertEvent, [
    id,
    number,
    kind,
    ruleId,
    indexId,
    inputs.publishedAtMs ?? null,
    isRead ? 1 : 0,
    searchedText(event),
    JSON.stringify(event),
    aboutEventId,
  ])
  const series = idCache.knownSeries(indexId)
  if (series === undefined) return
  for (const publishedAtMs of timesOf(event)) {
    statements.run(
      `UPDATE value SET flags = flags | ${valueFlags.kept} WHERE series = ? AND published = ? AND flags & ${valueFlags.kept} = 0`,
      [series, publishedAtMs],
    )
  }
}

/** Published times of the values that an event depends on. */
function timesOf({ inputs }: AlertEvent): Set<number> {
  const { publishedAtMs, previous, reference, heldSinceMs, silentSinceMs, gapSinceMs } = inputs
  const times = [
    publishedAtMs,
    previous?.publishedAtMs,
    reference?.publishedAtMs,
    heldSinceMs,
    silentSinceMs,
    gapSinceMs,
  ]
  return new Set(times.filter((time) => time !== undefined))
}

const format: EventFormat = { number: formatDecimal, time: (ms) => new Date(ms).toISOString() }

/** The text a search looks through. Numbers are found as published and as shown on screen. */
function searchedText(event: AlertEvent): string {
  const { indexId, note, inputs } = event
  const parts = [indexId, eventWords(event, format), note, inputs.value].filter((part) => part !== undefined)
  return parts.join('\n').toLowerCase()
}
