import { noSource } from '../../../../core/publication'
/** The fast path must not show: its results equal those of full evaluation. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pass, tracePassed, step } from '../../../../main/alerts/fold'
import { newRecord, type Run } from '../../../../main/alerts/record'
import { specOf } from '../../../../core/conditions/list'
import { passes } from '../../../../core/evaluation/evaluate'
import { newMemory, phaseOf } from '../../../../core/evaluation/state'
import type { AlertEvaluation } from '../../../../core/alert-events'
import type { AlertRule } from '../../../../core/alerts'
import { parseDecimal } from '../../../../core/decimal'
import type { Publication } from '../../../../core/model'
import { scripts } from './model/scripts'

const runs = Number(process.env['INDEXWATCH_PROPERTY_RUNS'] ?? '300')
const startMs = Date.UTC(2023, 10, 1, 12)

/** Rules of every kind with the values of their scripts, one a second. */
const series = scripts().map(({ wish, first, steps }) => {
  const rule: AlertRule = {
    ...wish,
    id: 'rule',
    indexId: 'INDEX1',
    version: 1,
    createdAtMs: startMs,
    severity: 'normal',
  }
  const values = steps.flatMap((step) => ('value' in step ? [step.value] : []))
  const publications = values.flatMap((value, at): Publication[] => {
    const publication = { value, publishedAtMs: startMs + 2 * at * 1_000 }
    // Each value again a second later, which mostly changes nothing.
    return [publication, { ...publication, publishedAtMs: publication.publishedAtMs + 1_000 }]
  })
  return { rule, first, publications }
})

test('a value on the fast path leaves the state of a full evaluation and does not fire', () => {
  let passed = 0
  let judged = 0
  fc.assert(
    fc.property(series, ({ rule, first, publications }) => {
      let record = newRecord({ number: 1, rule, first, startedAtMs: startMs, sinceMs: startMs - 1 })
      const memory = newMemory()
      for (const publication of publications) {
        const { state } = record
        const seen = { publication, decimal: parseDecimal(publication.value) }
        const leaves = specOf(rule.terms.condition).leavesLatches?.(rule.terms)
        const isNothing = leaves !== undefined && passes(rule, state, memory, seen, leaves)
        memory.newest.value = publication.publishedAtMs
        const stepped = step(record, publication, 'PER_SECOND')
        record = stepped.record
        if (isNothing) {
          expect(record.state).toBe(state)
          expect(stepped.verdict.firings).toEqual([])
          passed++
        } else judged++
      }
    }),
    { numRuns: runs },
  )
  expect(passed).toBeGreaterThan(runs / 2)
  expect(judged).toBeGreaterThan(runs / 2)
})

/** A rule's explanation, with each value evaluated in full or only where needed. */
function explained(rule: AlertRule, first: Run['first'], publications: readonly Publication[], mayPass: boolean) {
  const run: Run = { number: 1, rule, first, startedAtMs: startMs, sinceMs: startMs - 1, fromMs: startMs }
  let record = newRecord(run)
  const { trace } = record.memory
  for (const publication of publications) {
    const atMs = publication.publishedAtMs + 5
    const decimal = parseDecimal(publication.value)
    const tick = { publication, decimal, cadence: undefined, source: noSource, atMs }
    if (mayPass && pass(record, tick)) continue
    tracePassed(record)
    const phaseBefore = phaseOf(record.state)
    const { record: next, verdict } = step(record, publication, undefined)
    record = next
    const { publishedAtMs } = publication
    const evaluation: AlertEvaluation = {
      atMs,
      publishedAtMs,
      value: verdict.measure ?? publication.value,
      phaseBefore,
      phaseAfter: phaseOf(record.state),
      hasFired: verdict.firings.length > 0,
      words: verdict.words,
    }
    trace.note(evaluation)
  }
  tracePassed(record)
  return trace.all()
}

test('the explanation is the same with and without the fast path', () =>
  fc.assert(
    fc.property(series, ({ rule, first, publications }) => {
      expect(explained(rule, first, publications, true)).toEqual(explained(rule, first, publications, false))
    }),
    { numRuns: runs },
  ))
