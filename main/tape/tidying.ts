/** What keeps the tape within its bounds, in steps of some milliseconds each, so that a commit never waits long. */
import type { TapeBounds } from './contract'
import { tapeSize } from './answers'
import type { Statements } from './statements'
import { valueFlags } from './value-rows'
import type { Interned } from './writing'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Values more often than each second are kept so long. */
const fineMs = 7 * dayMs
/** States of rules after each minute are kept so long, then each hour's last, after a week each day's. */
const fineCheckpointsMs = 2 * hourMs
/** Market conditions of each minute are kept so long, then each hour's last. */
const fineConditionsMs = dayMs
const rowsInStep = 2_000
const pagesInStep = 500
const thinnedInStepMs = 10 * 60_000
/** More than this is given back to the disk; less is soon used again. */
const maxFreeBytes = 32 * 2 ** 20

/** No bound drops amended values, what they amended, and what an event refers to. `v` is the row. */
const isDroppable = `v.amended = 0 AND v.flags & ${valueFlags.kept} = 0 AND NOT EXISTS
  (SELECT 1 FROM value AS r WHERE r.series = v.series AND r.published = v.published AND r.amended > 0)`

/** Each step leaves the database whole; the caller decides when the next one runs. */
export type Steps = Generator<undefined, void>

/** Drops and thins what is beyond the bounds. */
export function* tidy(
  { statements, interned }: { statements: Statements; interned: Interned },
  { keepDays, maxBytes }: TapeBounds,
  nowMs: number,
): Steps {
  yield* thinValues(statements, interned, nowMs - fineMs)
  yield* thinCheckpoints(statements, nowMs)
  yield* thinConditions(statements, nowMs - fineConditionsMs)
  yield* dropBefore(statements, nowMs - keepDays * dayMs, isDroppable)
  yield* dropToSize(statements, maxBytes)
  yield* giveBack(statements, maxFreeBytes)
}

/** Rules that are deleted but still have runs: their deletion can be undone until the tape is next opened. */
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

/** Drops everything learned of the time before, also amended values. */
export function* clear(statements: Statements, beforeMs: number): Steps {
  yield* dropBefore(statements, beforeMs, 'TRUE')
  yield* giveBack(statements, 0)
}

/** Of each second the first value stays. */
function* thinValues(statements: Statements, interned: Interned, untilMs: number): Steps {
  for (const [id] of statements.rows<[string]>('SELECT id FROM series')) {
    const { no } = interned.series(id)
    for (;;) {
      const { thinnedThrough } = interned.series(id)
      const next = statements.rows<[number | null]>(
        'SELECT min(published) FROM value WHERE series = ? AND published >= ?',
        [no, thinnedThrough],
      )[0]?.[0]
      if (typeof next !== 'number' || next >= untilMs) break
      const fromMs = next - (next % 1_000)
      const toMs = Math.min(fromMs + thinnedInStepMs, untilMs - (untilMs % 1_000))
      if (toMs <= fromMs) break
      statements.inTransaction(() => {
        statements.run(
          `DELETE FROM value AS v WHERE series = ? AND published >= ? AND published < ? AND ${isDroppable} AND EXISTS
             (SELECT 1 FROM value AS f WHERE f.series = v.series AND f.published < v.published
               AND f.published >= v.published - v.published % 1000)`,
          [no, fromMs, toMs],
        )
        interned.noteThinned(id, toMs)
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

/** Of rules and snapshots what holds at that time stays. `which` says of a row `v` whether it may go. */
function* dropBefore(statements: Statements, beforeMs: number, which: string): Steps {
  for (const [no] of statements.rows<[number]>('SELECT no FROM series')) {
    let count: number
    do {
      count = statements.run(
        `DELETE FROM value WHERE (series, published, amended) IN (SELECT v.series, v.published, v.amended FROM value AS v
           WHERE v.series = ? AND v.published < ? AND ${which} ORDER BY v.published LIMIT ${rowsInStep})`,
        [no, beforeMs],
      )
      yield
    } while (count === rowsInStep)
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
}

/** Oldest first, an hour of all indices after the other. */
function* dropToSize(statements: Statements, maxBytes: number): Steps {
  for (;;) {
    const { bytes, freeBytes } = tapeSize(statements)
    if (bytes - freeBytes <= maxBytes) return
    const oldest = statements.rows<[number | null]>(
      `SELECT min((SELECT v.published FROM value AS v WHERE v.series = series.no AND ${isDroppable}
         ORDER BY v.published LIMIT 1)) FROM series`,
    )[0]?.[0]
    if (typeof oldest !== 'number') return
    yield* dropBefore(statements, oldest + hourMs, isDroppable)
  }
}

function* giveBack(statements: Statements, keptBytes: number): Steps {
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const { freeBytes } = tapeSize(statements)
    // Where nothing is given back any more, there is nothing to wait for.
    if (freeBytes <= keptBytes || freeBytes >= before) return
    before = freeBytes
    statements.execute(`PRAGMA incremental_vacuum(${pagesInStep})`)
    yield
  }
}
