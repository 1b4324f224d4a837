/** Explains a rule's state at a past time by refolding its run of that time. */
import type { PastExplanation } from '../../core/alert-events'
import { ok, type Outcome } from '../../core/model'
import { publicationOf, sourceOf } from '../../core/publication'
import type { ValueCursor } from '../history-store/contract'
import type { Records } from './records'
import { recall, step } from './fold'
import { isAfterEnd, isFolded, newRecord, type Checkpoint, type Run } from './record'
import { firstToRead } from './refold'
import { phaseOf } from '../../core/evaluation/state'
import { Trace } from './trace'

/** Values evaluated in one turn. */
const pageSize = 2_000

/** The last evaluation is that of the value in effect at `atMs`. */
export async function explainPast(records: Records, ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
  const runs = await records.runs(ruleId)
  if (!runs.ok) return runs
  const past = runs.value.findLast(({ sinceMs }) => sinceMs <= atMs) ?? runs.value[0]
  if (past === undefined) return ok({ kind: 'notYet' })
  if (!isFolded(past.rule.terms)) return ok({ kind: 'notByValues' })
  const known = await records.withFirst(past)
  if (!known.ok) return known
  const run = known.value
  const { fromMs = Infinity } = run
  if (fromMs > atMs) return { ok: true, value: { kind: 'notYet', ...(fromMs < Infinity && { sinceMs: fromMs }) } }
  const lastMs = await records.publishedBy(run.rule.indexId, Math.min(atMs, run.toMs ?? atMs))
  if (!lastMs.ok) return lastMs
  if (lastMs.value === undefined || lastMs.value < fromMs) return ok({ kind: 'lost' })
  const from = await stateWellBefore(records, run, lastMs.value)
  return from.ok ? foldTo(records, run, from.value, lastMs.value) : from
}

/** Two stored states back. The last change of state lies between them. */
async function stateWellBefore(records: Records, run: Run, atMs: number): Promise<Outcome<Checkpoint | undefined>> {
  const last = await records.stateBefore(run, atMs)
  return last.ok && last.value !== undefined ? records.stateBefore(run, last.value.atMs) : last
}

async function foldTo(
  records: Records,
  run: Run,
  from: Checkpoint | undefined,
  lastMs: number,
): Promise<Outcome<PastExplanation>> {
  const { rule, cadence } = run
  let record = newRecord(run, 0, from)
  const trace = new Trace()
  const query = { id: rule.indexId, fromMs: firstToRead(run, from), toMs: lastMs, limit: pageSize }
  let after: ValueCursor | undefined
  do {
    const page = await records.values({ ...query, after })
    if (!page.ok) return page
    for (const each of page.value.values) {
      const publication = publicationOf(each)
      const source = sourceOf(each)
      const { publishedAtMs } = publication
      if (from !== undefined && publishedAtMs <= from.atMs) {
        record = recall(record, publication, source)
        continue
      }
      // The first value of the run is no longer in the history, so its result is unknown.
      if (from === undefined && record.memory.last === undefined && publishedAtMs !== run.fromMs) {
        return ok({ kind: 'lost' })
      }
      if (isAfterEnd(rule, publishedAtMs)) continue
      const phaseBefore = phaseOf(record.state)
      const stepped = step(record, publication, cadence, source)
      record = stepped.record
      const { firings, measure, words } = stepped.verdict
      const value = measure ?? publication.value
      const phaseAfter = phaseOf(record.state)
      const hasFired = firings.length > 0
      trace.note({ atMs: publishedAtMs, publishedAtMs, value, phaseBefore, phaseAfter, hasFired, words })
    }
    after = page.value.next
  } while (after !== undefined)
  return ok({ kind: 'judged', rule, evaluations: trace.all() })
}
