import { ChartSource, type ChartRest, type ChartService } from '../../main/chart/chart-source'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { IndexId, Outcome, Problem, Publication, Resolution } from '../../core/model'
import { FakeClock } from './fake-clock'
import { MemoryHistory } from './memory-history'
import { onError } from './on-error'

export const nowMs = Date.UTC(2023, 10, 1, 12)

/** Scripted REST. Records its requests. */
class ScriptedQuestions implements ChartRest {
  readonly asked: string[] = []
  course: Publication[] = []
  last24Hours: Publication[] = []
  latest: Publication = { value: '0.00', publishedAtMs: nowMs - 1 }
  resolution: Resolution = 'PER_SECOND'
  /** While set, REST does not answer. */
  problem: Problem | undefined
  /** Runs during each request. */
  meanwhile: () => void = () => undefined

  index(id: IndexId) {
    return this.#answer(`index ${id}`, () => ({ id, maxResolution: this.resolution }))
  }

  values(id: IndexId, maxResolution?: string) {
    return this.#answer(['values', id, ...(maxResolution === undefined ? [] : [maxResolution])].join(' '), () => [
      ...this.course,
    ])
  }

  summary(id: IndexId) {
    return this.#answer(`summary ${id}`, () => ({ ...this.latest, last24Hours: [...this.last24Hours] }))
  }

  async #answer<T>(request: string, value: () => T): Promise<Outcome<T>> {
    this.asked.push(request)
    const outcome: Outcome<T> =
      this.problem === undefined ? { ok: true, value: value() } : { ok: false, problem: this.problem }
    await Promise.resolve()
    this.meanwhile()
    return outcome
  }
}

/** A chart source with a real quote store, as in the app, and scripted REST. */
export function openChart(options: { resolution?: Resolution; hasRest?: boolean } = {}) {
  const clock = new FakeClock(nowMs)
  const store = new QuoteStore({
    clock,
    onError,
  })
  const history = new MemoryHistory()
  const rest = new ScriptedQuestions()
  const resolutions = new Map<IndexId, Resolution>([['BRTI', options.resolution ?? 'PER_SECOND']])
  const connect = (): ChartService => ({ rest: (options.hasRest ?? true) ? rest : undefined })
  const state: { service: ChartService | undefined; isEveryTick: boolean } = { service: connect(), isEveryTick: false }
  const chart = new ChartSource({
    clock,
    history,
    service: () => state.service,
    resolutionOf: (id) => resolutions.get(id),
    latest: (id) => store.get(id),
    isEveryTick: () => state.isEveryTick,
  })
  store.events.on('received', ({ id, publication }) => chart.record(id, publication))
  const publish = (publication: Publication, id = 'BRTI') => store.apply(id, publication, 'stream')
  return { clock, history, store, rest, resolutions, state, connect, chart, publish }
}

/** A publication this many milliseconds after the start of the test. */
export function at(offsetMs: number, value: string, more: Partial<Publication> = {}): Publication {
  return { value, publishedAtMs: nowMs + offsetMs, ...more }
}
