import { checkDraft, type DraftContext } from '../protocol/alert-checks'
import type { AlertPreview, DraftProblem } from '../protocol/alert-events'
import { draftKey, ruleWords } from '../protocol/alert-words'
import type { AlertDraft } from '../protocol/alerts'
import { formatDecimal } from '../protocol/decimal'
import type { CommandArguments } from '../protocol/desktop'
import type { IndexId, Outcome, Publication } from '../protocol/model'
import { backTest } from './alerts/back-test'
import { judgeNow, measureOfMove } from './alerts/preview'
import type { ChartService } from './chart/chart-source'
import type { Services } from './app-services'
import type { Owners } from './app-views'
import type { Clock } from './base/clock'
import { isFarFuture } from './base/far-future'

/** So long an answer is good for, while the user goes on typing. */
const holdsMs = 60_000
/** The page waits no longer than this; an answer that comes later is there for the next question. */
const longestWaitMs = 3_000

interface Held {
  id: IndexId
  service: ChartService
  askedAtMs: number
  /** Never rejects; empty where the service did not tell. */
  values: Promise<readonly Publication[]>
}

/**
 * Says what drafts would do while they are being written. The service is asked for the values of one index at a time,
 * and at most once a minute, whatever is typed.
 */
export class AlertPreviews {
  readonly #owners: Pick<Owners, 'alerts' | 'values' | 'services' | 'page' | 'clock'>
  #held: Held | undefined

  constructor(owners: Pick<Owners, 'alerts' | 'values' | 'services' | 'page' | 'clock'>) {
    this.#owners = owners
  }

  async preview({ draft, ruleId }: CommandArguments<'previewAlert'>): Promise<Outcome<AlertPreview>> {
    const problems = this.#problemsOf(draft, ruleId)
    if (problems.length > 0) return { ok: true, value: { problems, isMet: false } }
    const { services, values, page } = this.#owners
    const cadence = services.resolutionOf(draft.indexId)
    const opened = page.view()
    const now = judgeNow(draft, {
      quote: values.store.get(draft.indexId),
      constituents: opened?.id === draft.indexId ? opened.constituents : undefined,
      cadence,
    })
    const history = isAboutValues(draft) ? await this.#history(draft.indexId) : []
    const tried = backTest(draft, history, cadence)
    const measure = now.measure ?? measureOfMove(draft, history, cadence)
    const preview = { problems, isMet: now.isMet, ...(measure !== undefined && { measure }) }
    return { ok: true, value: { ...preview, ...(tried !== undefined && { backTest: tried }) } }
  }

  #problemsOf(draft: AlertDraft, ruleId: string | undefined): DraftProblem[] {
    const { alerts } = this.#owners
    const problems = checkDraft(draft, draftContext(this.#owners, draft.indexId))
    const key = draftKey(draft)
    const equal = alerts.views().find((rule) => rule.id !== ruleId && draftKey(rule) === key)
    if (equal === undefined) return problems
    const message = `There is already such an alert: ${ruleWords(equal, formatDecimal)}. Change this one, or edit that.`
    return [...problems, { field: 'level' in draft.terms ? 'level' : 'condition', message }]
  }

  /** Every value the service tells of: an hour of a real-time index by the second, as alerts see it, a year of others. */
  async #history(id: IndexId): Promise<readonly Publication[]> {
    const { clock } = this.#owners
    const values = this.#ask(id)
    return new Promise((resolve) => {
      const cancel = clock.after(longestWaitMs, () => {
        resolve([])
      })
      void values.then((found) => {
        cancel()
        resolve(found)
      })
    })
  }

  #ask(id: IndexId): Promise<readonly Publication[]> {
    const { services, clock } = this.#owners
    const service = services.connectionOf(id)
    if (service?.rest === undefined) return Promise.resolve([])
    const askedAtMs = clock.monotonicMs()
    const held = this.#held
    if (held?.id === id && held.service === service && askedAtMs - held.askedAtMs < holdsMs) return held.values
    const values = service.rest.values(id).then((answer) => {
      const wallMs = clock.wallMs()
      return answer.ok ? answer.value.filter((publication) => !isFarFuture(publication, wallMs)) : []
    })
    this.#held = { id, service, askedAtMs, values }
    return values
  }
}

/** Whether values alone say when it would have fired. */
function isAboutValues({ terms }: AlertDraft): boolean {
  if ('level' in terms || 'low' in terms) return true
  return terms.condition === 'moves' || terms.condition === 'carriedOver' || terms.condition === 'amended'
}

/** What drafts about an index are checked against, as far as the services in use have told. */
export function draftContext(
  { services, clock }: { services: Pick<Services, 'catalogue' | 'views'>; clock: Clock },
  indexId: IndexId,
): DraftContext {
  const index = services.catalogue.find(({ id }) => id === indexId)
  const isKnown = isListed(services, indexId)
  return {
    nowMs: clock.wallMs(),
    ...(index !== undefined && { index }),
    ...(isKnown !== undefined && { isKnown }),
  }
}

/** Whether any service in use lists the index; `undefined` while one of them has not told. */
export function isListed(
  { catalogue, views }: Pick<Services, 'catalogue' | 'views'>,
  id: IndexId,
): boolean | undefined {
  if (catalogue.some((info) => info.id === id)) return true
  return views.length > 0 && views.every(({ indexCount }) => indexCount > 0) ? false : undefined
}
