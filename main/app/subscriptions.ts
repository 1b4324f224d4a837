import { isJudgedBy, type AlertRule } from '../../core/alerts'
import { formulaParts } from '../../core/formula-id'
import type { ConstituentsPublication, IndexId, Resolution, Subscription } from '../../core/model'
import type { AppContext } from '../commands/context'
import { arrayEqual } from '../base/array-equal'
import { pageSubscriptions } from '../index-page/index-page'
import { glanceIds, listedEntries } from './views'

type Sources = Pick<
  AppContext,
  'clock' | 'settings' | 'alerts' | 'connections' | 'page' | 'chart' | 'quotes' | 'formulas'
>

/** How long a service may take to send the constituents that an assistant asks for. */
const constituentsWithinMs = 5_000

/**
 * Everything the services are asked for: the rows, what is pinned or on the open ticker, what is followed beside the page, what alerts
 * wait for, and the open page. None of these ends with its row. Values that nobody wants any more are forgotten.
 */
export class WantedSubscriptions {
  readonly #context: Sources
  readonly #also: readonly IndexId[]
  #ids: ReadonlySet<IndexId> = new Set()
  #listening: readonly AlertRule[] = []
  /** Indices whose constituents an assistant is waiting for. */
  readonly #asked = new Set<IndexId>()
  /** What the rules need of the stream, as it was asked for last. */
  #ofAlerts: readonly Subscription[] = []

  /** `also` are watched in any case. */
  constructor(context: Sources, also: readonly IndexId[] = []) {
    this.#context = context
    this.#also = also
  }

  /** A formula is computed here: of a service its parts are wanted. */
  all(of = this.#ofAll()): Subscription[] {
    return of.flatMap((wanted) => {
      const parts = formulaParts(wanted.id)
      if (parts.length === 0) return [wanted]
      return wanted.stream === 'value' ? parts.map((id) => ({ ...wanted, id })) : []
    })
  }

  #ofAll(): Subscription[] {
    const { settings, connections, page, chart } = this.#context
    this.#ofAlerts = this.#neededByAlerts()
    return [
      ...listedEntries(settings).map((entry): Subscription => ({ stream: 'value', ...entry })),
      ...[...glanceIds(settings), ...chart.followedIds, ...this.#also].map((id): Subscription => ({
        stream: 'value',
        id,
        maxResolution: 'PER_SECOND',
      })),
      ...this.#ofAlerts,
      ...(page.id === undefined ? [] : pageSubscriptions(page.id, connections.resolutionOf(page.id))),
      ...[...this.#asked].map((id): Subscription => ({ stream: 'constituents', id })),
    ]
  }

  /** Asks the service for the constituents of an index. `undefined`: none came within five seconds. */
  async constituentsOf(id: IndexId): Promise<ConstituentsPublication | undefined> {
    const { clock, connections } = this.#context
    if (connections.connectionOf(id)?.status.state !== 'live') return undefined
    const ends: (() => void)[] = []
    const answer = new Promise<ConstituentsPublication | undefined>((resolve) => {
      ends.push(
        connections.events.on('constituentsPublished', ({ id: ofId, publication }) => {
          if (ofId === id) resolve(publication)
        }),
        connections.events.on('refused', (refusal) => {
          if (refusal.id === id) resolve(undefined)
        }),
        clock.after(constituentsWithinMs, () => resolve(undefined)),
      )
    })
    this.#asked.add(id)
    this.changed()
    const publication = await answer
    for (const end of ends) end()
    this.#asked.delete(id)
    this.changed()
    return publication
  }

  /** Rows, pins, the ticker, rules, the open page, what is followed beside it or what is known of an index changed. */
  changed(): void {
    const { quotes, formulas, connections } = this.#context
    const all = this.#ofAll()
    const ids = new Set([...all, ...this.all(all)].map(({ id }) => id))
    for (const id of this.#ids) {
      if (!ids.has(id)) quotes.forget(id)
    }
    this.#ids = ids
    formulas.want(ids)
    connections.wantedChanged()
  }

  /** Something about the alerts changed: matters only where the rules need something else of the stream than before. */
  alertsChanged(): void {
    const listening = this.#context.alerts.listening()
    if (listening === this.#listening) return
    this.#listening = listening
    const keys = (all: readonly Subscription[]) => all.map((each) => `${keyOf(each)} ${each.maxResolution ?? ''}`)
    if (!arrayEqual(keys(this.#neededByAlerts()), keys(this.#ofAlerts))) this.changed()
  }

  #neededByAlerts(): Subscription[] {
    const { alerts, connections } = this.#context
    return alertSubscriptions(alerts.listening(), (id) => connections.resolutionOf(id))
  }
}

/**
 * What rules need of the stream. Where an index publishes every 200 ms its rules see every value: a crossing that came and
 * went within a second is one. A rule that is done listens on: an amendment may undo what it fired on. What thousands of rules
 * need is asked for once.
 */
export function alertSubscriptions(
  rules: readonly AlertRule[],
  resolutionOf: (id: IndexId) => Resolution | undefined,
): Subscription[] {
  const needed = new Map<string, Subscription>()
  const need = (subscription: Subscription) => {
    const key = keyOf(subscription)
    if (!needed.has(key)) needed.set(key, subscription)
  }
  const withValues = new Set<IndexId>()
  for (const { indexId: id, terms } of rules) {
    if (!withValues.has(id)) {
      withValues.add(id)
      const maxResolution = resolutionOf(id) === 'PER_200MS' ? 'PER_200MS' : 'PER_SECOND'
      need({ stream: 'value', id, maxResolution })
    }
    if (isJudgedBy(terms, 'corporateActions')) need({ stream: 'active_corporate_action', id })
    else if (isJudgedBy(terms, 'marketConditions')) need({ stream: 'rti_stats', id })
    else if (isJudgedBy(terms, 'constituents')) need({ stream: 'constituents', id })
  }
  return [...needed.values()]
}

function keyOf({ stream, id }: Pick<Subscription, 'stream' | 'id'>): string {
  return `${stream} ${id}`
}
