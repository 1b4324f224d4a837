/** B3: exact decimals and one rule, against a comparison of numbers. In Electron's main process. */
import { evaluate } from '../../main/alerts/rules/evaluate'
import { initialState, newMemory, type RuleState } from '../../main/alerts/rules/state'
import type { ValueSeen } from '../../main/alerts/rules/observation'
import type { AlertRule } from '../../protocol/alerts'
import { compareDecimals, parseDecimal } from '../../protocol/decimal'
import { compareNumbers } from './limits/number-compare'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 9
const valueCount = 200_000
const level = '12000.00'

const startMs = Date.UTC(2023, 10, 1, 12)
const values = Array.from({ length: valueCount }, (_, at) => (10_000 + ((at * 7_919) % 100_000) / 100).toFixed(2))

/** CPU in nanoseconds for each value. */
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
  const seen = values.map((value, at): ValueSeen => {
    const publication = { value, publishedAtMs: startMs + at * 1_000 }
    const before = values[at - 1]
    const previous =
      before === undefined ? {} : { previous: { value: before, publishedAtMs: startMs + (at - 1) * 1_000 } }
    return { kind: 'value', publication, ...previous, cadence: 'PER_SECOND' }
  })
  const judge = () => {
    const memory = newMemory()
    let state: RuleState = initialState('wait')
    for (const each of seen) {
      const verdict = evaluate(rule, state, memory, each)
      if (verdict.firings.length > 0) throw new Error('the rule has fired')
      state = verdict.state
    }
  }
  return inTurns(rounds, {
    ours: () => perValueNs(judge),
    limit: () => perValueNs(compareAsNumbers),
  })
}
