import { isHourlyOrSlower } from '../../core/cadence'
import { parseFormula, partsOf, type Formula } from '../../core/formula-id'
import {
  ok,
  failure,
  type IndexId,
  type IndexSummary,
  type Outcome,
  type Publication,
  type RequestedResolution,
} from '../../core/model'
import { formulaSeries, type PartFacts } from '../../core/formula-series'
import { arrayEqual } from '../base/array-equal'
import type { ChartRest, ChartService } from './chart-source'

interface Options extends PartFacts {
  /** The service that provides an index. */
  service: (id: IndexId) => ChartService | undefined
}

interface Known {
  parts: readonly ChartService[]
  service: ChartService
}

/** A `ChartService` for formulas, computed from the responses for their parts. */
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
    const parts = partsOf(formula).map(this.#options.service)
    const services = parts.filter((part) => part !== undefined)
    if (services.length < parts.length) return undefined
    const known = this.#known.get(id)
    if (known !== undefined && arrayEqual(known.parts, services)) return known.service
    const rests = services.map(({ rest }) => rest).filter((rest) => rest !== undefined)
    const service = { rest: rests.length < parts.length ? undefined : restOf(formula, rests, this.#options) }
    this.#known.set(id, { parts: services, service })
    return service
  }
}

/** `rests` are those of the parts. */
function restOf(formula: Formula, rests: readonly ChartRest[], facts: PartFacts): ChartRest {
  const { resolutionOf } = facts
  const ids = partsOf(formula)
  const joined = async (
    ask: (rest: ChartRest, part: IndexId) => Promise<Outcome<readonly Publication[]>>,
  ): Promise<Outcome<Publication[]>> => {
    const answers = await Promise.all(rests.map((rest, at) => ask(rest, ids[at] ?? '')))
    const parts: (readonly Publication[])[] = []
    for (const answer of answers) {
      if (!answer.ok) return answer
      parts.push(answer.value)
    }
    return ok(formulaSeries(formula, parts, facts))
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
        // A summary has minutes, from which no mean of seconds can be computed.
        if (isHourlyOrSlower(resolutionOf(part)) || formula.operation === 'mean') return rest.values(part)
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
