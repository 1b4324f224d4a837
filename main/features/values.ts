import type { IndexId, Settings } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'
import type { RowFacts } from '../../protocol/desktop'
import type { Connections } from '../connections/connections'
import { FormulaPast } from '../quotes/formula-past'
import { Formulas } from '../quotes/formulas'
import { QuoteData } from '../quotes/quote-data'
import { columnSeconds, RollingMeans, type MeanTerms } from '../quotes/rolling-means'
import type { Core, SharedFeature } from './feature'
import { idsWithMean, shownIds } from './lists'

/**
 * The latest values, formulas, and the short past of rows. `connections` is created later, so it is passed as a
 * function.
 */
export function createValues(core: Core, connections: () => Connections) {
  const { settings, events } = core
  const resolutionOf = (id: IndexId) => connections().resolutionOf(id)
  const quotes = new QuoteData({
    ...core,
    changeBase: () => settings.get().changeBase,
    connectionOf: (id) => connections().originOf(id).connection ?? '',
  })
  const facts = { resolutionOf, decimalsOf: (id: IndexId) => connections().decimalsOf(id) }
  const means = new RollingMeans({
    ...core,
    latestMs: (id) => quotes.store.get(id)?.publishedAtMs ?? core.clock.serviceMs(),
    connectionOf: (id) => connections().originOf(id).connection ?? '',
  })
  const formulas = new Formulas({ ...core, ...facts, store: quotes.store, means })
  const past = new FormulaPast({ ...core, ...facts, store: quotes.store, formulas })
  /** The means of the column of lists. */
  let columns: MeanTerms[] = []
  const recalled = new Set<IndexId>()
  let changeBase: ChangeBase | undefined

  function watchMeans(): void {
    means.watch([...columns, ...formulas.wantedMeans])
    void means.recall()
  }

  /** Loads the past of rows from the history when their frequency is known. */
  async function recallPast(): Promise<void> {
    void means.recall()
    const shown = shownIds(settings.get())
    // A row that was removed has lost its past, so it is loaded again when the row returns.
    for (const id of recalled) if (!shown.has(id)) recalled.delete(id)
    const names = settings.get().profiles.map(({ name }) => name)
    const indices = [...shown].flatMap((id) => {
      const resolution = resolutionOf(id)
      if (resolution === undefined || recalled.has(id)) return []
      const own = connections().originOf(id).connection
      return [{ id, resolution, others: new Set(names.filter((name) => name !== own)) }]
    })
    for (const { id } of indices) recalled.add(id)
    if (await quotes.recall(indices)) events.emit('resync', null)
  }

  return {
    quotes,
    formulas,
    past,
    means,
    ...facts,
    /** Sets the wanted ids, of which formulas are computed. */
    want(ids: ReadonlySet<IndexId>): void {
      formulas.want(ids)
      watchMeans()
    },
    /** Makes the next change load all pasts again. */
    forgetRecalled: () => {
      recalled.clear()
      means.restartAll()
    },
    recallPast,
    rowFacts: (id: IndexId): RowFacts => ({
      id,
      refusal: connections().refusal(id),
      noValue: formulas.noValue(id),
      ...quotes.pastValues.facts(id),
    }),
    follow() {
      const connectionEvents = connections().events
      quotes.watchClock(core.notice)
      quotes.store.events.on('received', ({ id, publication }) => means.add(id, [publication]))
      connectionEvents.on('recorded', ({ id, publications }) => means.add(id, publications))
      connectionEvents.on('statusChanged', () => void recallPast())
      connectionEvents.on('catalogueChanged', () => void recallPast())
      connectionEvents.on('moved', (ids) => {
        for (const id of ids) {
          recalled.delete(id)
          means.restart(id)
        }
        void recallPast()
      })
    },
    settingsChanged(changed: Settings) {
      if (changeBase !== undefined && changed.changeBase !== changeBase) {
        connections().changeBaseChanged()
        recalled.clear()
        events.emit('resync', null)
      }
      changeBase = changed.changeBase
      columns = [...idsWithMean(changed)].map((index) => ({ index, seconds: columnSeconds }))
      watchMeans()
      void recallPast()
    },
    dispose: () => formulas.dispose(),
  } satisfies SharedFeature
}

export type Values = ReturnType<typeof createValues>
