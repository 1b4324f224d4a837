/** Explains a rule's state at a past time by refolding its run of that time. */
import type { PastExplanation } from '../../core/alert-events'
import type { Outcome } from '../../core/model'
import { publicationOf, sourceOf } from '../../core/publication'
import { answered } from '../base/answered'
import type { Records } from './records'
import { recall, step } from './fold'
import { isAfterEnd, isFolded, newRecord, type Checkpoint, type Run } from './record'
import { firstToRead } from './refold'
import { phaseOf } from '../../core/evaluation/state'
import { Trace } from './trace'

/** Values evaluated in one turn. */
const pageSize = 2_000

/** The last evaluation is that of the value in effect at `atMs`. */
export function explainPast(records: Records, ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
  return answered(async () => {
    const runs = await records.runs(ruleId)
    const past = runs.findLast(({ sinceMs }) => sinceMs <= atMs) ?? runs[0]
    if (past === undefined) return { kind: 'notYet' }
    if (!isFolded(past.rule.terms)) return { kind: 'notByValues' }
    const run = await records.withFirst(past)
    const { fromMs = Infinity } = run
    if (fromMs > atMs) return { kind: 'notYet', ...(fromMs < Infinity && { sinceMs: fromMs }) }
    const lastMs = await records.publishedBy(run.rule.indexId, Math.min(atMs, run.toMs ?? atMs))
    if (lastMs === undefined || lastMs < fromMs) return { kind: 'lost' }
    // Two stored states back. The last change of state lies between them.
    const last = await records.stateBefore(run, lastMs)
    return foldTo(records, run, last && (await records.stateBefore(run, last.atMs)), lastMs)
  })
}

async function foldTo(
  records: Records,
  run: Run,
  from: Checkpoint | undefined,
  lastMs: number,
): Promise<PastExplanation> {
  const { rule, cadence } = run
  let record = newRecord(run, 0, from)
  const trace = new Trace()
  const query = { id: rule.indexId, fromMs: firstToRead(run, from), toMs: lastMs, limit: pageSize }
  for await (const page of records.values(query)) {
    for (const each of page) {
      const publication = publicationOf(each)
      const source = sourceOf(each)
      const { publishedAtMs } = publication
      if (from !== undefined && publishedAtMs <= from.atMs) {
        record = recall(record, publication, source)
        continue
      }
      // The first value of the run is no longer in the history, so its result is unknown.
      if (from === undefined && record.memory.last === undefined && publishedAtMs !== run.fromMs) {
        return { kind: 'lost' }
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
  }
  return { kind: 'judged', rule, evaluations: trace.all() }
}
