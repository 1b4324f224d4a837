/** Keeps the history within its bounds, in steps of a few milliseconds, so that a commit never waits long. */
import type { HistoryBounds } from './contract'
import { storedSize } from './queries'
import type { Statements } from './statements'
import { valueFlags } from './value-rows'
import type { IdCache } from './writing'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Sub-second values are kept this long. */
const fineMs = 7 * dayMs
/**
 * Checkpoints of each minute are kept this long. Then the last of each hour stays, and after a week the last of each
 * day.
 */
const fineCheckpointsMs = 2 * hourMs
/** Market conditions of each minute are kept this long. Then the last of each hour stays. */
const fineConditionsMs = dayMs
const rowsInStep = 2_000
const countedInStep = 20_000
/** One tidying drops at most one value in this many. A wrong clock or bound then costs a tenth, not the history. */
const valuesForOneDrop = 10
const clearedKey = 'tape:clearedBefore'
const pagesInStep = 500
const thinnedInStepMs = 10 * 60_000
/** Free space beyond this is returned to the disk. Less is reused soon. */
const maxFreeBytes = 32 * 2 ** 20

/** Amended values, the values they amended, and values of events are never dropped. `v` is the row. */
const isDroppable = `v.amended = 0 AND v.flags & ${valueFlags.kept} = 0 AND NOT EXISTS
  (SELECT 1 FROM value AS r WHERE r.series = v.series AND r.published = v.published AND r.amended > 0)`

/** The database is consistent after each step. The caller decides when the next one runs. */
export type Steps = Generator<undefined, void>

/** How many values may still be dropped. */
interface Allowance {
  /** Returns how many of the wanted values may be dropped, and counts them as dropped. */
  take: (wanted: number) => number
  /** Corrects the count by values that were not dropped after all. */
  giveBack: (count: number) => void
}

interface Dropping {
  statements: Statements
  allowance: Allowance
}

type Thinning = Dropping & { idCache: IdCache }

const unlimited: Allowance = { take: (wanted) => wanted, giveBack: () => undefined }

/**
 * Drops and thins what exceeds the bounds, at most a tenth of the values. Age is measured from the newest published
 * value, or from the computer's clock if that is earlier. So a wrong clock does not make values old.
 */
export function* tidy(
  { statements, idCache }: { statements: Statements; idCache: IdCache },
  { keepDays, maxBytes }: HistoryBounds,
  wallMs: number,
): Steps {
  const nowMs = Math.min(wallMs, newestMs(statements) ?? wallMs)
  const allowance = tenthOfValues(statements)
  yield* thinValues({ statements, idCache, allowance }, nowMs - fineMs)
  yield* thinCheckpoints(statements, nowMs)
  yield* thinConditions(statements, nowMs - fineConditionsMs)
  yield* dropBefore({ statements, allowance }, nowMs - keepDays * dayMs, isDroppable)
  yield* dropToSize({ statements, allowance }, maxBytes)
  yield* shrinkFile(statements, maxFreeBytes)
}

/** Deleted rules that still have runs. Their deletion can be undone until the history is next opened. */
export function deletedRules(statements: Statements): string[] {
  return statements
    .rows<[string]>('SELECT DISTINCT rule FROM run WHERE rule NOT IN (SELECT id FROM rule)')
    .map(([ruleId]) => ruleId)
}

/** Drops the runs of deleted rules, with their firings and checkpoints. */
export function* dropRuns(statements: Statements, ruleIds: readonly string[]): Steps {
  for (const ruleId of ruleIds) {
    statements.inTransaction(() => {
      for (const table of ['checkpoint', 'firing', 'run'])
        statements.run(`DELETE FROM ${table} WHERE rule = ?`, [ruleId])
    })
    yield
  }
}

/** Drops everything before the time, including amended values, because the user asked for it. */
export function* clear(statements: Statements, beforeMs: number): Steps {
  statements.run(
    `INSERT INTO document (key, at, document) VALUES (?, ?, 'null') ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
    [clearedKey, beforeMs],
  )
  yield* dropBefore({ statements, allowance: unlimited }, beforeMs, 'TRUE')
  yield* shrinkFile(statements, 0)
}

/** The time before which the user has cleared the history. */
export function clearedBeforeMs(statements: Statements): number {
  return statements.first('SELECT at FROM document WHERE key = ?', [clearedKey]) ?? 0
}

/** The newest published time in the history. Reads only the newest value of each index. */
export function newestMs(statements: Statements): number | undefined {
  const newest = 'SELECT max((SELECT max(published) FROM value WHERE series = series.no)) FROM series'
  return statements.first(newest)
}

/** A tenth of the values. Values are counted only as far as needed. */
function tenthOfValues(statements: Statements): Allowance {
  let place: [series: number, published: number, amended: number] | undefined = [Number.MAX_SAFE_INTEGER, 0, 0]
  let counted = 0
  let taken = 0
  const countFurther = (from: NonNullable<typeof place>) => {
    const before = 'FROM value WHERE (series, published, amended) < (?, ?, ?)'
    const next: typeof place = statements.rows<NonNullable<typeof place>>(
      `SELECT series, published, amended ${before} ORDER BY series DESC, published DESC, amended DESC LIMIT 1 OFFSET ?`,
      [...from, countedInStep - 1],
    )[0]
    counted += next === undefined ? (statements.first(`SELECT count(*) ${before}`, from) ?? 0) : countedInStep
    place = next
  }
  return {
    take: (wanted) => {
      while (place !== undefined && counted < valuesForOneDrop * (taken + wanted)) countFurther(place)
      const granted = Math.max(0, Math.min(wanted, Math.max(1, Math.floor(counted / valuesForOneDrop)) - taken))
      taken += granted
      return granted
    },
    giveBack: (count) => {
      taken -= count
    },
  }
}

/** Keeps the first value of each second. A second is thinned once all of it is old enough. */
function* thinValues({ statements, idCache, allowance }: Thinning, untilMs: number): Steps {
  for (const [id] of statements.rows<[string]>('SELECT id FROM series')) {
    const { no } = idCache.series(id)
    for (;;) {
      const { thinnedThrough } = idCache.series(id)
      const first = 'SELECT min(published) FROM value WHERE series = ? AND published >= ?'
      const next = statements.first(first, [no, thinnedThrough])
      if (typeof next !== 'number' || next >= untilMs) break
      const fromMs = next - (next % 1_000)
      const toMs = Math.min(fromMs + thinnedInStepMs, untilMs - (untilMs % 1_000))
      if (toMs <= fromMs) break
      const granted = allowance.take(rowsInStep)
      if (granted === 0) return
      statements.inTransaction(() => {
        const count = statements.run(
          `DELETE FROM value WHERE (series, published, amended) IN (SELECT v.series, v.published, v.amended FROM value AS v
             WHERE v.series = ? AND v.published >= ? AND v.published < ? AND ${isDroppable} AND EXISTS
               (SELECT 1 FROM value AS f WHERE f.series = v.series AND f.published < v.published
                 AND f.published >= v.published - v.published % 1000)
             LIMIT ?)`,
          [no, fromMs, toMs, granted],
        )
        allowance.giveBack(granted - count)
        if (count < granted) idCache.noteThinned(id, toMs)
      })
      yield
    }
  }
}

function* thinCheckpoints(statements: Statements, nowMs: number): Steps {
  for (const [rule, run] of statements.rows<[string, number]>('SELECT rule, run FROM run')) {
    const kept = [
      { untilMs: nowMs - fineMs, stretchMs: dayMs },
      { untilMs: nowMs - fineCheckpointsMs, stretchMs: hourMs },
    ]
    let isChanged = false
    for (const { untilMs, stretchMs } of kept) {
      const changes = statements.run(
        `DELETE FROM checkpoint AS c WHERE rule = ?1 AND run = ?2 AND published < ?3 AND EXISTS
           (SELECT 1 FROM checkpoint AS l WHERE l.rule = ?1 AND l.run = ?2 AND l.published > c.published
             AND l.published < c.published - c.published % ?4 + ?4)`,
        [rule, run, untilMs, stretchMs],
      )
      isChanged ||= changes > 0
    }
    if (isChanged) yield
  }
}

function* thinConditions(statements: Statements, untilMs: number): Steps {
  for (const [no] of statements.rows<[number]>('SELECT no FROM series')) {
    const changes = statements.run(
      `DELETE FROM snapshot AS s WHERE kind = 'conditions' AND series = ?1 AND published < ?2 AND EXISTS
         (SELECT 1 FROM snapshot AS l WHERE l.kind = s.kind AND l.series = s.series AND l.published > s.published
           AND l.published < s.published - s.published % ?3 + ?3)`,
      [no, untilMs, hourMs],
    )
    if (changes > 0) yield
  }
}

/**
 * Keeps the snapshots and checkpoints that are in effect at that time. `which` is a condition on row `v`. Returns false
 * if no more values may be dropped.
 */
function* dropBefore(
  { statements, allowance }: Dropping,
  beforeMs: number,
  which: string,
): Generator<undefined, boolean> {
  for (const [no] of statements.rows<[number]>('SELECT no FROM series')) {
    let isMore = true
    while (isMore) {
      const granted = allowance.take(rowsInStep)
      if (granted === 0) return false
      const count = statements.run(
        `DELETE FROM value WHERE (series, published, amended) IN (SELECT v.series, v.published, v.amended FROM value AS v
           WHERE v.series = ? AND v.published < ? AND ${which} ORDER BY v.published LIMIT ?)`,
        [no, beforeMs, granted],
      )
      allowance.giveBack(granted - count)
      isMore = count === granted
      yield
    }
  }
  statements.run('DELETE FROM span WHERE to_ms < ?', [beforeMs])
  yield
  statements.run(
    `DELETE FROM snapshot AS s WHERE published < ?1 AND EXISTS (SELECT 1 FROM snapshot AS l WHERE l.kind = s.kind
       AND l.series = s.series AND l.published > s.published AND l.published < ?1)`,
    [beforeMs],
  )
  yield
  statements.run(
    `DELETE FROM checkpoint AS c WHERE published < ?1 AND EXISTS (SELECT 1 FROM checkpoint AS l WHERE l.rule = c.rule
       AND l.run = c.run AND l.published > c.published AND l.published < ?1)`,
    [beforeMs],
  )
  yield
  return true
}

/** Drops the oldest hour of all indices, then the next. */
function* dropToSize({ statements, allowance }: Dropping, maxBytes: number): Steps {
  for (;;) {
    const { bytes, freeBytes } = storedSize(statements)
    if (bytes - freeBytes <= maxBytes) return
    const oldest = statements.first(
      `SELECT min((SELECT v.published FROM value AS v WHERE v.series = series.no AND ${isDroppable}
         ORDER BY v.published LIMIT 1)) FROM series`,
    )
    if (typeof oldest !== 'number') return
    if (!(yield* dropBefore({ statements, allowance }, oldest + hourMs, isDroppable))) return
  }
}

/** Returns free space beyond `keptBytes` to the disk. */
function* shrinkFile(statements: Statements, keptBytes: number): Steps {
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const { freeBytes } = storedSize(statements)
    // Stops if SQLite frees no more pages.
    if (freeBytes <= keptBytes || freeBytes >= before) return
    before = freeBytes
    statements.execute(`PRAGMA incremental_vacuum(${pagesInStep})`)
    yield
  }
}
