import { isHourlyOrSlower } from '../../core/cadence'
import { parseFormula, type Formula } from '../../core/formula-id'
import {
  ok,
  failure,
  type IndexId,
  type IndexSummary,
  type Outcome,
  type Publication,
  type RequestedResolution,
  type Resolution,
} from '../../core/model'
import { formulaSeries, partLimits } from '../../core/formula-series'
import type { ChartRest, ChartService } from './chart-source'

interface Options {
  /** The service that provides an index. */
  service: (id: IndexId) => ChartService | undefined
  resolutionOf: (id: IndexId) => Resolution | undefined
}

interface Known {
  parts: readonly (ChartService | undefined)[]
  service: ChartService
}

/** A `ChartService` for formulas, computed from the responses for both parts. */
export class FormulaCharts {
  readonly #options: Options
  readonly #known = new Map<IndexId, Known>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the same object while the services of the parts are the same. Undefined if a part has no service. */
  of(id: IndexId): ChartService | undefined {
    const formula = parseFormula(id)
    if (formula === undefined) return this.#options.service(id)
    const { service: serviceOf, resolutionOf } = this.#options
    const [left, right] = [serviceOf(formula.left), serviceOf(formula.right)]
    if (left === undefined || right === undefined) return undefined
    const known = this.#known.get(id)
    if (known?.parts[0] === left && known.parts[1] === right) return known.service
    const service = { rest: restOf(formula, { left: left.rest, right: right.rest }, resolutionOf) }
    this.#known.set(id, { parts: [left, right], service })
    return service
  }
}

function restOf(
  formula: Formula,
  rests: { left: ChartRest | undefined; right: ChartRest | undefined },
  resolutionOf: (id: IndexId) => Resolution | undefined,
): ChartRest | undefined {
  const { left, right } = rests
  if (left === undefined || right === undefined) return undefined
  const joined = async (
    ask: (rest: ChartRest, part: IndexId) => Promise<Outcome<readonly Publication[]>>,
  ): Promise<Outcome<Publication[]>> => {
    const [a, b] = await Promise.all([ask(left, formula.left), ask(right, formula.right)])
    if (!a.ok) return a
    if (!b.ok) return b
    return ok(formulaSeries(formula, a.value, b.value, partLimits(formula, resolutionOf)))
  }
  const values = (maxResolution?: RequestedResolution) => {
    return joined((rest, part) => rest.values(part, resolutionOf(part) === 'PER_200MS' ? maxResolution : undefined))
  }
  return {
    // Only queried if the frequency of the parts is unknown too.
    index: () => Promise.resolve(failure('notFound', 'A formula has no reference data.')),
    values: (_id, maxResolution) => values(maxResolution),
    summary: async (): Promise<Outcome<IndexSummary>> => {
      const day = await joined(async (rest, part) => {
        // The value in effect at the start of the day may be older than the summary.
        if (isHourlyOrSlower(resolutionOf(part))) return rest.values(part)
        const summary = await rest.summary(part)
        return summary.ok ? ok([...summary.value.last24Hours, summary.value]) : summary
      })
      if (!day.ok) return day
      const last = day.value.at(-1)
      if (last === undefined) return failure('notFound', 'The parts of the formula have no values at the same time.')
      return ok({ ...last, last24Hours: day.value })
    },
  }
}
