/** The SQL of each query. */
import type { TimeRange } from '../../core/ranges'
import { eventSchema, type AlertEvent } from '../../core/alert-events'
import type { IndexId } from '../../core/model'
import {
  maxEventsInPart,
  maxEventsRead,
  maxSnapshotsInPart,
  type AmendmentsPage,
  type Gap,
  type QueryName,
  type Queries,
  type RuleCheckpoint,
  type StoredSize,
  type StoredSnapshot,
  type StoredValue,
  type CoveredSpan,
  type ValueOrigin,
} from './contract'
import { readDocument } from '../base/stored-index'
import type { Cell, Statements } from './statements'
import {
  pageSize,
  toValue,
  valueColumns,
  type EncodedColumns,
  type EncodedValues,
  type ValueRow,
  type ValueSource,
} from './value-rows'
import type { IdCache } from './writing'

/** What is sent between the threads: values encoded, all other results unchanged. */
export type EncodedResult<Q extends QueryName> = Q extends 'values' ? EncodedValues : Queries[Q]['result']

/** `clearBefore` and `setBounds` take long. `tidying.ts` runs them in steps. */
export type QuickQuery = Exclude<QueryName, 'clearBefore' | 'setBounds'>

export type QueryTable = { [Q in QuickQuery]: (params: Queries[Q]['params']) => EncodedResult<Q> }

const maxSamples = 20_000
const maxAmendedSamples = 2_000
const maxEventsOfRange = 1_000
const defaultAmendments = 200
const maxAmendments = 500

/** Condition on `run`: it has not ended and its rule is not deleted. */
const isAtWork = 'run.ended IS NULL AND run.rule IN (SELECT id FROM rule)'

/** The queries of a database. Each throws the database's own error. */
export function createQueries(statements: Statements, idCache: IdCache): QueryTable {
  const sources = () =>
    statements
      // A history of an earlier version, opened read-only, has no connection ids.
      .rows<[number, ValueOrigin, string, ...string[]]>('SELECT * FROM source')
      .map(([no, origin, connection, ...ids]): ValueSource => ({ no, origin, connection, connectionId: ids[0] ?? '' }))
  const toValues = (id: IndexId, rows: readonly ValueRow[]) => {
    if (rows.length === 0) return []
    const sourceOf = new Map(sources().map((source) => [source.no, source]))
    return rows.flatMap((row) => toValue(id, row, sourceOf) ?? [])
  }

  /** All revisions of the last value at or before a time. */
  function revisionsAt(id: IndexId, atMs: number): StoredValue[] {
    const rows = statements.rows<ValueRow>(
      `SELECT ${valueColumns} FROM value WHERE series = ?1 AND published =
         (SELECT max(published) FROM value WHERE series = ?1 AND published <= ?2) ORDER BY amended`,
      [idCache.knownSeries(id) ?? 0, atMs],
    )
    return toValues(id, rows)
  }

  const queries: QueryTable = {
    // One query for each index. A single query would read all values.
    latest: () =>
      statements.rows<[string, number]>('SELECT id, no FROM series').flatMap(([id, no]) => {
        const newest = `SELECT ${valueColumns} FROM value WHERE series = ? ORDER BY published DESC, amended DESC LIMIT 1`
        return toValues(id, statements.rows<ValueRow>(newest, [no]))
      }),

    values: ({ id, fromMs, toMs, after, limit }) => {
      const series = idCache.knownSeries(id) ?? 0
      const startMs = Math.max(fromMs, after?.publishedAtMs ?? fromMs)
      const answered = 'SELECT count(*) FROM value WHERE series = ? AND published = ? AND amended <= ?'
      const skipped =
        after?.publishedAtMs === startMs ? (statements.first(answered, [series, startMs, after.amendedAtMs]) ?? 0) : 0
      const inRange = 'series = ? AND published BETWEEN ? AND ?'
      const beyondMs = statements.first(
        `SELECT published FROM value WHERE ${inRange} ORDER BY published, amended LIMIT 1 OFFSET ?`,
        [series, startMs, toMs, skipped + pageSize(limit)],
      )
      // Returns whole published times in key order. The decoder cuts off the rows before and after the page. A subquery
      // with order and limit would be most of the cost.
      const columns = statements.rows<EncodedColumns>(
        `SELECT ${valueColumns
          .split(', ')
          .map((column) => `json_group_array(${column})`)
          .join()} FROM value WHERE ${inRange}`,
        [series, startMs, beyondMs ?? toMs],
      )[0] ?? ['[]', '[]', '[]', '[]', '[]', '[]']
      return { columns, skipped, hasMore: beyondMs !== undefined, sources: sources() }
    },

    // Jumps from step to step by the key. Values in between are not read, except amended ones and the last.
    samples: ({ id, fromMs, toMs, stepMs }) => {
      const rows = statements.rows<ValueRow>(
        `WITH RECURSIVE
           asked(series, since, until, step) AS
             (SELECT CAST(?1 AS INTEGER), CAST(?2 AS INTEGER), CAST(?3 AS INTEGER), CAST(?4 AS INTEGER)),
           first(at) AS (
             SELECT min(published) FROM value, asked
               WHERE value.series = asked.series AND published BETWEEN since AND until
             UNION ALL
             SELECT (SELECT min(published) FROM value
               WHERE value.series = asked.series AND published BETWEEN (first.at / step + 1) * step AND until)
             FROM first, asked WHERE first.at IS NOT NULL LIMIT ?5
           ),
           changed(at) AS (
             SELECT published FROM value INDEXED BY value_amended
               WHERE amended > 0 AND amended >= ?2 AND series = ?1 AND published BETWEEN ?2 AND ?3
               ORDER BY amended DESC LIMIT ?6
           ),
           last(at) AS (
             SELECT max(published) FROM value WHERE series = ?1 AND published BETWEEN ?2 AND ?3
           )
         SELECT ${valueColumns} FROM asked,
           (SELECT at FROM first UNION SELECT at FROM changed UNION SELECT at FROM last) AS wanted JOIN value
           ON value.series = asked.series AND value.published = wanted.at AND value.amended =
             (SELECT max(amended) FROM value AS other WHERE other.series = asked.series AND other.published = wanted.at)
         ORDER BY published`,
        [idCache.knownSeries(id) ?? 0, fromMs, toMs, Math.max(1, stepMs), maxSamples, maxAmendedSamples],
      )
      return toValues(id, rows)
    },

    valueAt: ({ id, atMs }) => {
      const next = 'SELECT min(published) FROM value WHERE series = ? AND published > ?'
      const nextPublishedAtMs = statements.first(next, [idCache.knownSeries(id) ?? 0, atMs])
      return { revisions: revisionsAt(id, atMs), nextPublishedAtMs }
    },

    rowPasts: (rows) =>
      rows.map(({ id, beforeMs, samples }) => {
        const before = beforeMs === undefined ? [] : revisionsAt(id, beforeMs).slice(-1)
        return [...before, ...samples.flatMap((each) => queries.samples({ id, ...each }))]
      }),

    amendments: (params) => amendments(statements, idCache, params),
    gaps: (params) => {
      const series = idCache.knownSeries(params.id)
      const stretches = series === undefined ? [params] : emptyStretches(statements, series, params)
      const spans = series === undefined ? [] : spansIn(statements, params.id, series, params)
      return stretches.flatMap((stretch) => splitBySpans(stretch, spans, params.maxGapMs))
    },
    spans: ({ id, ...range }) => {
      const series = idCache.knownSeries(id)
      return series === undefined ? [] : spansIn(statements, id, series, range)
    },

    alertStart: () => ({
      rules: statements.objects('SELECT id, position, document FROM rule ORDER BY position, id'),
      runs: statements.objects(`SELECT ${runColumns} FROM run WHERE ${isAtWork} ORDER BY rule, run`),
      checkpoints: statements.objects(
        `SELECT ${checkpointColumns} FROM run JOIN checkpoint AS c ON c.rule = run.rule AND c.run = run.run AND c.published =
             (SELECT max(published) FROM checkpoint WHERE rule = run.rule AND run = run.run)
           WHERE ${isAtWork}`,
      ),
      firings: statements.objects(
        `SELECT ${firingColumns} FROM run JOIN firing AS f
           ON f.rule = run.rule AND f.run = run.run AND f.published > coalesce(
             (SELECT max(published) FROM checkpoint WHERE rule = run.rule AND run = run.run), -1)
           WHERE ${isAtWork} ORDER BY f.published, f.direction`,
      ),
    }),
    runs: ({ ruleId }) => statements.objects(`SELECT ${runColumns} FROM run WHERE rule = ? ORDER BY run`, [ruleId]),
    checkpointBefore: ({ ruleId, run, publishedAtMs }) =>
      statements.objects<RuleCheckpoint>(
        `SELECT ${checkpointColumns} FROM checkpoint AS c WHERE rule = ? AND run = ? AND published < ?
           ORDER BY published DESC LIMIT 1`,
        [ruleId, run, publishedAtMs],
      )[0] ?? null,
    checkpoints: ({ ruleId, run, fromMs }) =>
      statements.objects(
        `SELECT ${checkpointColumns} FROM checkpoint AS c WHERE rule = ? AND run = ? AND published >= ? ORDER BY published`,
        [ruleId, run, fromMs],
      ),
    firings: ({ ruleId, run, fromMs }) =>
      statements.objects(
        `SELECT ${firingColumns} FROM firing AS f WHERE rule = ? AND run = ? AND published >= ?
           ORDER BY published, f.direction`,
        [ruleId, run, fromMs],
      ),

    events: (params) => eventsPart(statements, params),
    event: ({ id }) => toEvents(statements.rows<EventRow>(`${selectEvent} WHERE id = ?`, [id]))[0] ?? null,
    eventsOf: ({ id, fromMs, toMs }) =>
      toEvents(
        statements.rows<EventRow>(
          `${selectEvent} WHERE index_id = ? AND published BETWEEN ? AND ? ORDER BY number DESC LIMIT ?`,
          [id, fromMs, toMs, maxEventsOfRange],
        ),
      ).reverse(),
    eventCounts: () => ({
      unread: statements.first('SELECT count(*) FROM event WHERE is_read = 0') ?? 0,
      lastNumber: numbersOf(statements)[1],
    }),

    documents: (params) => {
      const [isMatch, cell] =
        'keys' in params
          ? ['key IN (SELECT value FROM json_each(?))', JSON.stringify(params.keys)]
          : ['substr(key, 1, length(?1)) = ?1', params.prefix]
      return statements.objects(`SELECT key, at AS atMs, document FROM document WHERE ${isMatch} ORDER BY key`, [cell])
    },
    snapshotAt: ({ kind, id, atMs }) =>
      statements.objects<StoredSnapshot>(
        `SELECT ${snapshotColumns} FROM snapshot WHERE kind = ?1 AND series = ?2 AND published <= ?3
           ORDER BY published DESC LIMIT 1`,
        [kind, idCache.knownSeries(id) ?? 0, atMs, id],
      )[0] ?? null,
    snapshotSamples: ({ kind, id, fromMs, toMs, stepMs }) =>
      statements.objects(
        // Selects the times first, by the key. Documents outside the result are not read.
        `SELECT ${snapshotColumns} FROM snapshot WHERE kind = ?1 AND series = ?2 AND published IN
           (SELECT max(published) FROM snapshot WHERE kind = ?1 AND series = ?2 AND published BETWEEN ?3 AND ?5
             GROUP BY published / CAST(?6 AS INTEGER) ORDER BY 1 DESC LIMIT ?7)
           ORDER BY published DESC`,
        [kind, idCache.knownSeries(id) ?? 0, fromMs, id, toMs, Math.max(1, stepMs), maxSnapshotsInPart],
      ),
    size: () => storedSize(statements),
  }
  return queries
}

/** Size on disk. Reads only the oldest value of each index. */
export function storedSize(statements: Statements): StoredSize {
  const pragma = (name: string) => statements.first(`PRAGMA ${name}`) ?? 0
  const pageBytes = pragma('page_size')
  const oldest = 'SELECT min((SELECT min(published) FROM value WHERE series = series.no)) FROM series'
  return {
    bytes: pragma('page_count') * pageBytes,
    freeBytes: pragma('freelist_count') * pageBytes,
    oldestMs: statements.first(oldest),
  }
}

const runColumns = 'rule AS ruleId, run, document, started AS startedAtMs, ended AS endedAtMs'
const checkpointColumns = 'c.rule AS ruleId, c.run, c.published AS publishedAtMs, c.state'
const firingColumns =
  "f.rule AS ruleId, f.run, f.published AS publishedAtMs, nullif(f.direction, '') AS direction, f.event AS eventId, f.document"
/** The fourth parameter is the id. */
const snapshotColumns = 'kind, ?4 AS id, published AS publishedAtMs, learned AS learnedAtMs, document'

const selectEvent = 'SELECT document, is_read FROM event'
type EventRow = [string, number]

/** Leaves out entries that cannot be parsed. */
function toEvents(rows: readonly EventRow[]): AlertEvent[] {
  return rows.flatMap(([document, isRead]) => {
    const event = readDocument(eventSchema, document)
    return event === undefined ? [] : [{ ...event, isRead: isRead === 1 }]
  })
}

type NumberedRow = [...EventRow, id: string, number: number]

/** Examines a bounded number of events, because a match may be one in a hundred thousand. */
function eventsPart(
  statements: Statements,
  { search = '', kinds, ruleId, before = Infinity, after, limit = maxEventsInPart }: Queries['events']['params'],
): Queries['events']['result'] {
  const isUpwards = after !== undefined
  const [first, last] = numbersOf(statements)
  // Both bounds are exclusive.
  const top = Math.min(before, last + 1)
  const above = isUpwards ? after : Math.max(first - 1, top - 1 - maxEventsRead)
  const below = isUpwards ? Math.min(top, after + 1 + maxEventsRead) : top
  const text = search.trim().toLowerCase()
  const conditions: [sql: string, cell: Cell][] = [
    ['number > ?', above],
    ['number < ?', below],
    ...(ruleId === undefined ? [] : [['rule = ?', ruleId] as [string, Cell]]),
    ...(kinds === undefined
      ? []
      : [['kind IN (SELECT value FROM json_each(?))', JSON.stringify(kinds)] as [string, Cell]]),
    ...(text === '' ? [] : [['instr(words, ?) > 0', text] as [string, Cell]]),
  ]
  const max = Math.max(1, Math.min(limit, maxEventsInPart))
  const rows = statements.rows<NumberedRow>(
    // Only this index guarantees the bound on examined events.
    `SELECT document, is_read, id, number FROM event INDEXED BY event_number
       WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY number ${isUpwards ? 'ASC' : 'DESC'} LIMIT ?`,
    [...conditions.map(([, cell]) => cell), max],
  )
  const end = isUpwards ? below - 1 : above + 1
  const next = rows.length === max ? (rows.at(-1)?.[3] ?? end) : end
  const hasMore = isUpwards ? next < top - 1 : next > first
  return {
    events: toEvents(rows.map(([document, isRead]) => [document, isRead])),
    retractions: toEvents(
      statements.rows<EventRow>(
        `${selectEvent} WHERE about IN (SELECT value FROM json_each(?)) AND kind = 'retracted'`,
        [JSON.stringify(rows.map(([, , id]) => id))],
      ),
    ),
    ...(hasMore && { next }),
  }
}

/** Numbers of the oldest and the newest event. 0 if there are none. */
function numbersOf(statements: Statements): [first: number, last: number] {
  const row = statements.rows<[number | null, number | null]>(
    'SELECT (SELECT min(number) FROM event), (SELECT max(number) FROM event)',
  )[0]
  return [row?.[0] ?? 0, row?.[1] ?? 0]
}

function amendments(
  statements: Statements,
  idCache: IdCache,
  { id, fromMs = 1, toMs = Number.MAX_SAFE_INTEGER, before, limit }: Queries['amendments']['params'],
): AmendmentsPage {
  const max = Math.max(1, Math.min(limit ?? defaultAmendments, maxAmendments))
  const rows = statements.rows<[string, number, number, number, string, string, string | null, string]>(
    `SELECT series.id, v.published, v.amended, v.learned_after, source.connection, v.text,
       (SELECT p.text FROM value AS p WHERE p.series = v.series AND p.published = v.published AND p.amended < v.amended
         ORDER BY p.amended DESC LIMIT 1),
       (SELECT json_group_array(event.id) FROM event WHERE index_id = series.id AND event.published = v.published)
     FROM value AS v JOIN series ON series.no = v.series LEFT JOIN source ON source.no = v.source
     WHERE v.amended > 0 AND v.amended BETWEEN ? AND ? AND (? IS NULL OR v.series = ?)
       AND (v.amended, v.published, v.series) < (?, ?, ?)
     ORDER BY v.amended DESC, v.published DESC, v.series DESC LIMIT ?`,
    [
      fromMs,
      toMs,
      id ?? null,
      id === undefined ? null : (idCache.knownSeries(id) ?? 0),
      before?.amendedAtMs ?? Number.MAX_SAFE_INTEGER,
      before?.publishedAtMs ?? 0,
      before === undefined ? 0 : (idCache.knownSeries(before.id) ?? 0),
      max + 1,
    ],
  )
  const page = rows.slice(0, max).map(([indexId, publishedAtMs, amendedAtMs, learnedAfterMs, connection, ...rest]) => {
    const [after, previous, events] = rest
    return {
      id: indexId,
      publishedAtMs,
      amendedAtMs,
      learnedAtMs: publishedAtMs + learnedAfterMs,
      connection,
      ...(previous !== null && { before: previous }),
      after,
      eventIds: JSON.parse(events) as string[],
    }
  })
  const last = rows.length > max ? page.at(-1) : undefined
  return {
    amendments: page,
    ...(last !== undefined && {
      next: { amendedAtMs: last.amendedAtMs, publishedAtMs: last.publishedAtMs, id: last.id },
    }),
  }
}

function spansIn(statements: Statements, id: IndexId, series: number, { fromMs, toMs }: TimeRange): CoveredSpan[] {
  return statements.objects(
    `SELECT ?4 AS id, from_ms AS fromMs, to_ms AS toMs, state, asked AS askedAtMs FROM span
       WHERE series = ?1 AND to_ms >= ?2 AND from_ms <= ?3 ORDER BY no`,
    [series, fromMs, toMs, id],
  )
}

/**
 * Time ranges between two consecutive values that are longer than the gap. A range whose first or last value lies
 * outside the query is cut at the edge.
 */
function emptyStretches(
  statements: Statements,
  series: number,
  { fromMs, toMs, maxGapMs }: TimeRange & { maxGapMs: number },
): TimeRange[] {
  const edge = (sql: string, atMs: number) => statements.first(sql, [series, atMs])
  const before = edge('SELECT max(published) FROM value WHERE series = ? AND published <= ?', fromMs) ?? fromMs
  const after = edge('SELECT min(published) FROM value WHERE series = ? AND published >= ?', toMs) ?? toMs
  if (isGapless(statements, series, { fromMs: before, toMs: after, maxGapMs })) return []
  // Jumps by the length of the gap, from the last value of one step to the last of the next. Values in between are not
  // read.
  return statements
    .rows<[number, number]>(
      `WITH RECURSIVE
         asked(series, gap, until) AS (SELECT CAST(?1 AS INTEGER), CAST(?3 AS INTEGER), CAST(?4 AS INTEGER)),
         step(a, b) AS (
           SELECT NULL, CAST(?2 AS INTEGER)
           UNION ALL
           SELECT b, coalesce(
             (SELECT max(published) FROM value WHERE value.series = asked.series AND published > b
               AND published <= b + gap AND published < until),
             (SELECT min(published) FROM value WHERE value.series = asked.series AND published > b + gap
               AND published < until),
             until)
           FROM step, asked WHERE b < until
         )
       SELECT a, b FROM step WHERE b - a > ?3`,
      [series, before, maxGapMs, after],
    )
    .map(([a, b]) => ({ fromMs: Math.max(a, fromMs), toMs: Math.min(b, toMs) }))
}

/**
 * True if there is a value at each multiple of half the gap, which is normal for an index that publishes regularly.
 * Counting costs a tenth of the full search. False does not prove a gap: there may be amended or additional values.
 */
function isGapless(
  statements: Statements,
  series: number,
  { fromMs, toMs, maxGapMs }: TimeRange & { maxGapMs: number },
): boolean {
  const paceMs = Math.max(1, Math.floor(maxGapMs / 2))
  const [count, offPace, amended] = statements.rows<[number, number | null, number | null]>(
    `SELECT count(*), sum(published % CAST(?4 AS INTEGER)), max(amended) FROM value
       WHERE series = ?1 AND published BETWEEN ?2 AND ?3`,
    [series, fromMs, toMs, paceMs],
  )[0] ?? [0, null, null]
  return offPace === 0 && amended === 0 && count === (toMs - fromMs) / paceMs + 1
}

/** Spans are in the order they were written. An unasked range no longer than the gap is left out. */
function splitBySpans({ fromMs, toMs }: TimeRange, spans: readonly CoveredSpan[], maxGapMs: number): Gap[] {
  const within = spans.filter((span) => span.toMs > fromMs && span.fromMs < toMs)
  const edges = [fromMs, toMs, ...within.flatMap((span) => [span.fromMs, span.toMs])]
  const inside = [...new Set(edges.filter((edge) => edge >= fromMs && edge <= toMs))].sort((a, b) => a - b)
  const pieces: Gap[] = []
  for (const [at, start] of inside.entries()) {
    const end = inside[at + 1]
    if (end === undefined) break
    const state = within.findLast((span) => span.fromMs <= start && span.toMs >= end)?.state ?? 'unasked'
    const last = pieces.at(-1)
    if (last?.state === state) last.toMs = end
    else pieces.push({ fromMs: start, toMs: end, state })
  }
  return pieces.filter((piece) => piece.state !== 'unasked' || piece.toMs - piece.fromMs > maxGapMs)
}
