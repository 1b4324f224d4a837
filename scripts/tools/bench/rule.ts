import { noSource } from '../../../core/publication'
/** B3: exact decimals and one rule, against a comparison of numbers. Runs in Electron's main process. */
import { pass, step } from '../../../main/alerts/fold'
import { newRecord, runWith } from '../../../main/alerts/record'
import type { AlertRule } from '../../../core/alerts'
import { compareDecimals, parseDecimal } from '../../../core/decimal'
import type { Publication } from '../../../core/model'
import { compareNumbers } from './limits/number-compare'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 9
const valueCount = 200_000
const level = '12000.00'

const startMs = Date.UTC(2023, 10, 1, 12)
const values = Array.from({ length: valueCount }, (_, at) => (10_000 + ((at * 7_919) % 100_000) / 100).toFixed(2))

/** CPU in ns per value. */
function perValueNs(run: () => void): number {
  const beforeUs = cpuUs()
  run()
  return ((cpuUs() - beforeUs) * 1_000) / valueCount
}

function compareAsNumbers(): void {
  compareNumbers(values, level)
}

export function measureCompare(): Promise<Samples> {
  const parsedLevel = parseDecimal(level)
  if (parsedLevel === undefined) throw new Error('the level is no decimal')
  const compareExactly = () => {
    let reached = 0
    for (const value of values) {
      const parsed = parseDecimal(value)
      if (parsed !== undefined && compareDecimals(parsed, parsedLevel) >= 0) reached++
    }
    if (reached > 0) throw new Error('a value is at the level')
  }
  return inTurns(rounds, {
    ours: () => perValueNs(compareExactly),
    limit: () => perValueNs(compareAsNumbers),
  })
}

/** As in the app: each value is parsed once, and fully evaluated only if a comparison is not enough. */
export function measureRule(): Promise<Samples> {
  const rule: AlertRule = {
    indexId: 'INDEX1',
    terms: { condition: 'risesTo', level },
    repeat: { mode: 'once' },
    severity: 'normal',
    id: 'rule',
    version: 1,
    createdAtMs: startMs,
  }
  const cadence = 'PER_SECOND'
  const publications = values.map((value, at): Publication => ({ value, publishedAtMs: startMs + at * 1_000 }))
  const judge = () => {
    let record = newRecord({ number: 1, rule, first: 'wait', startedAtMs: startMs, sinceMs: 0 })
    let steps = 0
    for (const publication of publications) {
      const decimal = parseDecimal(publication.value)
      const tick = { publication, decimal, cadence, source: noSource, atMs: publication.publishedAtMs } as const
      if (pass(record, tick)) continue
      const run = runWith(record.run, publication.publishedAtMs, cadence)
      const stepped = step({ ...record, run }, publication, cadence)
      if (stepped.verdict.firings.length > 0) throw new Error('the rule has fired')
      record = stepped.record
      steps++
    }
    if (steps === 0) throw new Error('not even the first value was judged')
  }
  return inTurns(rounds, {
    ours: () => perValueNs(judge),
    limit: () => perValueNs(compareAsNumbers),
  })
}
