import { checkDraft, type DraftContext } from '../../core/alert-checks'
import type { AlertPreview, DraftProblem } from '../../core/alert-events'
import { ruleWords } from '../../core/alert-words'
import { isJudgedBy, type AlertDraft } from '../../core/alerts'
import { isHourlyOrSlower } from '../../core/cadence'
import { formatDecimal } from '../../core/decimal'
import type { CommandArguments } from '../../protocol/commands/contract'
import { failure, type IndexId, type Outcome, type Publication, ok } from '../../core/model'
import { backTest, judgeNow, measureOfMove } from '../alerts/back-test'
import type { ChartService } from '../chart/chart-source'
import { within } from '../base/clock'
import type { AppContext } from './context'
import { listing } from '../connections/overall-status'
import { isFarFuture } from '../../core/publication'

const hourMs = 3_600_000
const yearMs = 365 * 86_400_000
/** How long an answer is used while the user goes on typing. */
const maxAgeMs = 60_000
/** The page waits no longer than this; an answer that comes later is there for the next question. */
const maxWaitMs = 3_000

interface Asked {
  id: IndexId
  service: ChartService
  askedAtMs: number
  /** Empty where neither the service nor the tape has any. */
  values: Promise<readonly Publication[]>
}

/**
 * Says what drafts would do while they are being written. The service is asked for the values of one index at a time,
 * and at most once a minute, whatever is typed.
 */
export class AlertPreviews {
  readonly #context: AppContext
  #asked: Asked | undefined

  constructor(context: AppContext) {
    this.#context = context
  }

  async preview({ draft, ruleId }: CommandArguments<'previewAlert'>): Promise<Outcome<AlertPreview>> {
    const problems = this.#problemsOf(draft, ruleId)
    if (problems.length > 0) return ok({ problems, isMet: false })
    const { connections, quotes, page } = this.#context
    const cadence = connections.resolutionOf(draft.indexId)
    const view = page.view()
    const opened = view?.id === draft.indexId ? view : undefined
    const now = judgeNow(draft, {
      quote: quotes.store.get(draft.indexId),
      constituents: opened?.constituents,
      // What the tape kept says nothing of now.
      conditions: opened?.remembered?.conditions === undefined ? opened?.conditions : undefined,
      cadence,
    })
    const history = isJudgedBy(draft.terms, 'values') ? await this.#history(draft.indexId) : []
    const tried = backTest(draft, history, cadence)
    const measure = now.measure ?? measureOfMove(draft, history, cadence)
    const preview = { problems, isMet: now.isMet, ...(measure !== undefined && { measure }) }
    return ok({ ...preview, ...(tried !== undefined && { backTest: tried }) })
  }

  #problemsOf(draft: AlertDraft, ruleId: string | undefined): DraftProblem[] {
    const { alerts } = this.#context
    const problems = checkDraft(draft, draftContexts(this.#context)(draft.indexId))
    const equal = alerts.equalTo(draft, ruleId)
    if (equal === undefined) return problems
    const message = `You already have this alert: ${ruleWords(equal, formatDecimal)}. Change this draft, or edit the existing alert.`
    return [...problems, { field: 'level' in draft.terms ? 'level' : 'condition', message }]
  }

  /** Every value the service has: an hour of a real-time index by the second, as alerts see it, a year of others. */
  #history(id: IndexId): Promise<readonly Publication[]> {
    return within(this.#ask(id), { clock: this.#context.clock, timeoutMs: maxWaitMs }, () => [])
  }

  #ask(id: IndexId): Promise<readonly Publication[]> {
    const { connections, clock } = this.#context
    const service = connections.connectionOf(id)
    if (service?.rest === undefined) return this.#onTape(id)
    const askedAtMs = clock.monotonicMs()
    const last = this.#asked
    if (last?.id === id && last.service === service && askedAtMs - last.askedAtMs < maxAgeMs) return last.values
    const values = service.rest.values(id).then((answer) => {
      const nowMs = clock.serviceMs()
      if (!answer.ok) return this.#onTape(id)
      return answer.value.filter((publication) => !isFarFuture(publication, nowMs))
    })
    this.#asked = { id, service, askedAtMs, values }
    return values
  }

  /** As much as the service would have had of it, up to the last value that came. */
  async #onTape(id: IndexId): Promise<readonly Publication[]> {
    const { connections, quotes, tape } = this.#context
    const toMs = quotes.store.get(id)?.publishedAtMs
    if (toMs === undefined) return []
    const pastMs = isHourlyOrSlower(connections.resolutionOf(id)) ? yearMs : hourMs
    const known = await tape.ask('samples', { id, fromMs: toMs - pastMs, toMs, stepMs: 1_000 })
    return known.ok ? known.value : []
  }
}

/** What drafts about an index are checked against, as far as the connected services have said; the lists are read once. */
export function draftContexts(
  context: Pick<AppContext, 'connections' | 'reachWatch' | 'clock'>,
): (indexId: IndexId) => DraftContext {
  const { connections, reachWatch, clock } = context
  const listed = listing(connections)
  return (indexId) => {
    const index = listed.index(indexId)
    const isKnown = listed.isKnown(indexId)
    const refusal = connections.refusal(indexId)
    const constituents = reachWatch.constituentsOf(indexId)
    const conditions = reachWatch.conditionsOf(indexId)
    return {
      nowMs: clock.wallMs(),
      listedIds: listed.ids,
      ...(index !== undefined && { index }),
      ...(isKnown !== undefined && { isKnown }),
      ...(refusal !== undefined && { refusal }),
      ...(constituents !== undefined && { constituents }),
      ...(conditions !== undefined && { conditions }),
    }
  }
}

/** Why an assistant's draft cannot be an alert. */
export function faultOfProposal(
  context: Pick<AppContext, 'connections' | 'reachWatch' | 'clock'>,
  draft: AlertDraft,
): Outcome<never> | undefined {
  const [fault] = checkDraft(draft, draftContexts(context)(draft.indexId))
  return fault && failure(fault.field, fault.message)
}
