import { dependsOn, type AlertRule } from '../../core/alerts'
import { formulaParts } from '../../core/formula-id'
import type { ConstituentsPublication, IndexId, Resolution, Subscription } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Connections } from '../connections/connections'
import type { Values } from './values'

interface Options {
  clock: Clock
  connections: Pick<Connections, 'connectionOf' | 'events' | 'wantedChanged'>
  values: Pick<Values, 'want'> & { quotes: Pick<Values['quotes'], 'forget'> }
  /** The subscriptions of all features. */
  wanted: () => readonly Subscription[]
}

/** Maximum wait for constituents that an assistant asks for. */
const constituentsWithinMs = 5_000

/** All wanted subscriptions. Forgets values that no feature wants any more. */
export interface Wanted {
  all: () => Subscription[]
  /** Call when the features' subscriptions change, or more is known of an index. */
  changed: () => void
  /** Requests the constituents of an index. Undefined if none arrived within five seconds. */
  constituentsOf: (id: IndexId) => Promise<ConstituentsPublication | undefined>
}

export function createWanted({ clock, connections, values, wanted }: Options): Wanted {
  let ids: ReadonlySet<IndexId> = new Set()
  /** Indices whose constituents an assistant is waiting for. */
  const asked = new Set<IndexId>()
  const ofAll = () => [...wanted(), ...[...asked].map((id): Subscription => ({ stream: 'constituents', id }))]
  /** Formulas are computed here, so their parts are requested instead. */
  const inParts = (each: Subscription): Subscription[] => {
    const parts = formulaParts(each.id)
    if (parts.length === 0) return [each]
    return each.stream === 'value' ? parts.map((id) => ({ ...each, id })) : []
  }
  function changed(): void {
    const all = ofAll()
    const next = new Set([...all, ...all.flatMap(inParts)].map(({ id }) => id))
    for (const id of ids) if (!next.has(id)) values.quotes.forget(id)
    ids = next
    values.want(ids)
    connections.wantedChanged()
  }
  return {
    changed,
    all: () => ofAll().flatMap(inParts),
    async constituentsOf(id) {
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
      asked.add(id)
      changed()
      const publication = await answer
      for (const end of ends) end()
      asked.delete(id)
      changed()
      return publication
    },
  }
}

/**
 * The subscriptions that rules need. Rules on an index that publishes every 200 ms see every value, so a crossing
 * within a second counts. A finished rule stays subscribed, because an amendment may undo its event. What thousands of
 * rules need is requested once.
 */
export function alertSubscriptions(
  rules: readonly AlertRule[],
  resolutionOf: (id: IndexId) => Resolution | undefined,
): Subscription[] {
  const needed = new Map<string, Subscription>()
  const need = (subscription: Subscription) => {
    const key = `${subscription.stream} ${subscription.id}`
    if (!needed.has(key)) needed.set(key, subscription)
  }
  const withValues = new Set<IndexId>()
  for (const { indexId: id, terms } of rules) {
    if (!withValues.has(id)) {
      withValues.add(id)
      const maxResolution = resolutionOf(id) === 'PER_200MS' ? 'PER_200MS' : 'PER_SECOND'
      need({ stream: 'value', id, maxResolution })
    }
    if (dependsOn(terms, 'corporateActions')) need({ stream: 'active_corporate_action', id })
    else if (dependsOn(terms, 'marketConditions')) need({ stream: 'rti_stats', id })
    else if (dependsOn(terms, 'constituents')) need({ stream: 'constituents', id })
  }
  return [...needed.values()]
}
