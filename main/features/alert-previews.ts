import { checkDraft, type DraftContext } from '../../core/alert-checks'
import type { AlertPreview, DraftProblem } from '../../core/alert-events'
import { ruleWords } from '../../core/alert-words'
import { dependsOn, type AlertDraft } from '../../core/alerts'
import { isHourlyOrSlower } from '../../core/cadence'
import { formatDecimal } from '../../core/decimal'
import type { CommandArguments } from '../../protocol/commands/contract'
import { ok, type IndexId, type Outcome, type Publication } from '../../core/model'
import { backTest, evaluateNow, measureOfMove } from '../alerts/back-test'
import type { Owners } from '../access/latest'
import type { ReachWatch } from '../alerts/reach-watch'
import { withTimeout, type Clock } from '../base/clock'
import type { ChartService } from '../chart/chart-source'
import { FormulaCharts } from '../chart/formula-charts'
import type { Core } from './feature'
import { listing } from '../connections/overall-status'
import { isFarFuture } from '../../core/publication'

const hourMs = 3_600_000
const yearMs = 365 * 86_400_000
/** How long an answer is reused while the user types. */
const maxAgeMs = 60_000
/** The page waits no longer than this. A later answer is used for the next request. */
const maxWaitMs = 3_000

export type AlertSources = Pick<Owners, 'alerts' | 'connections' | 'quotes' | 'pages'> & { reachWatch: ReachWatch }

interface CachedValues {
  id: IndexId
  service: ChartService
  fetchedAtMs: number
  /** Empty if neither the service nor the history has values. */
  values: Promise<readonly Publication[]>
}

/**
 * Previews drafts while the user types. Asks the service for values of one index at a time, at most once a minute for
 * each.
 */
export function createPreviews({ clock, history }: Pick<Core, 'clock' | 'history'>, sources: AlertSources) {
  const { alerts, connections, quotes, pages } = sources
  const services = new FormulaCharts({
    service: (id) => connections.connectionOf(id),
    resolutionOf: (id) => connections.resolutionOf(id),
    decimalsOf: (id) => connections.decimalsOf(id),
  })
  let cached: CachedValues | undefined

  function problemsOf(draft: AlertDraft, ruleId: string | undefined): DraftProblem[] {
    const problems = checkDraft(draft, draftContexts(clock, sources)(draft.indexId))
    const equal = alerts.equalTo(draft, ruleId)
    if (equal === undefined) return problems
    const message = `You already have this alert: ${ruleWords(equal, formatDecimal)}. Change this draft, or edit the existing alert.`
    return [...problems, { field: 'level' in draft.terms ? 'level' : 'condition', message }]
  }

  /**
   * All values that the service keeps: an hour of a real-time index, one a second as alerts see it, a year of others.
   */
  function pastOf(id: IndexId): Promise<readonly Publication[]> {
    return withTimeout(fetchValues(id), { clock, timeoutMs: maxWaitMs }, () => [])
  }

  function fetchValues(id: IndexId): Promise<readonly Publication[]> {
    const service = services.of(id)
    if (service?.rest === undefined) return fromHistory(id)
    const fetchedAtMs = clock.monotonicMs()
    const last = cached
    if (last?.id === id && last.service === service && fetchedAtMs - last.fetchedAtMs < maxAgeMs) return last.values
    const values = service.rest.values(id).then((answer) => {
      const nowMs = clock.serviceMs()
      return answer.ok ? answer.value.filter((publication) => !isFarFuture(publication, nowMs)) : fromHistory(id)
    })
    cached = { id, service, fetchedAtMs, values }
    return values
  }

  /** Reads as much from the history as the service would have, up to the last received value. */
  async function fromHistory(id: IndexId): Promise<readonly Publication[]> {
    const toMs = quotes.store.get(id)?.publishedAtMs
    if (toMs === undefined) return []
    const pastMs = isHourlyOrSlower(connections.resolutionOf(id)) ? yearMs : hourMs
    const known = await history.query('samples', { id, fromMs: toMs - pastMs, toMs, stepMs: 1_000 })
    return known.ok ? known.value : []
  }

  return async ({ draft, ruleId }: CommandArguments<'previewAlert'>): Promise<Outcome<AlertPreview>> => {
    const problems = problemsOf(draft, ruleId)
    if (problems.length > 0) return ok({ problems, isMet: false })
    const cadence = connections.resolutionOf(draft.indexId)
    const opened = pages.viewOf(draft.indexId)
    const now = evaluateNow(draft, {
      quote: quotes.store.get(draft.indexId),
      constituents: opened?.constituents,
      // Cached conditions say nothing about now.
      conditions: opened?.remembered?.conditions === undefined ? opened?.conditions : undefined,
      cadence,
    })
    const past = dependsOn(draft.terms, 'values') ? await pastOf(draft.indexId) : []
    const measure = now.measure ?? measureOfMove(draft, past, cadence)
    return ok({ problems, isMet: now.isMet, measure, backTest: backTest(draft, past, cadence) })
  }
}

export type ContextOf = (indexId: IndexId) => DraftContext

/**
 * The context against which drafts of an index are checked, according to the connected services. The lists are read
 * once.
 */
export function draftContexts(
  clock: Clock,
  { connections, reachWatch }: Pick<AlertSources, 'connections' | 'reachWatch'>,
): ContextOf {
  const listed = listing(connections)
  return (indexId) => ({
    nowMs: clock.wallMs(),
    listedIds: listed.ids,
    index: listed.index(indexId),
    isKnown: listed.isKnown(indexId),
    refusal: connections.refusal(indexId),
    constituents: reachWatch.constituentsOf(indexId),
    conditions: reachWatch.conditionsOf(indexId),
  })
}
