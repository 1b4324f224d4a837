import { parseFormula, partsOf } from '../../core/formula-id'
import type { IndexId } from '../../core/model'
import type { Emitter } from '../base/emitter'
import { formulaSeries, type PartFacts } from '../../core/formula-series'
import type { ConnectionEvents } from '../connections/connection-events'
import type { FormulaPast } from '../quotes/formula-past'
import type { FormulaEvents, Formulas } from '../quotes/formulas'
import type { PastValues } from '../quotes/past-values'

interface Sources extends PartFacts {
  events: Emitter<ConnectionEvents>
  pastValues: PastValues
  formulas: Formulas
  past: FormulaPast
}

/**
 * Publishes values of formulas as if a service had published them. Lists, past values and alerts then treat a formula
 * as an index. Call this after the subscribers of the services' own values.
 */
export function connectFormulas({ events, pastValues, formulas, past, resolutionOf, decimalsOf }: Sources): void {
  const publish = (computed: FormulaEvents['computed']) =>
    events.emit('published', { ...computed, resolution: resolutionOf(computed.id) })
  const restoreDay = (id: IndexId) => {
    const formula = parseFormula(id)
    // Steps of minutes have no mean of seconds.
    if (formula === undefined || formula.operation === 'mean') return
    const parts = partsOf(formula).map((part) => pastValues.past(part))
    const known = parts.filter((part) => part !== undefined)
    if (known.length < parts.length) return
    events.emit('dayFetched', { id, publications: formulaSeries(formula, known, { resolutionOf, decimalsOf }) })
  }
  formulas.events.on('computed', publish)
  formulas.events.on('begun', restoreDay)
  past.events.on('amended', ({ id, publication }) => publish({ id, publication, source: 'stream' }))
  past.events.on('learned', (learned) => events.emit('caughtUp', learned))
  events.on('dayFetched', ({ id: part }) => {
    for (const id of formulas.of(part)) restoreDay(id)
  })
  events.on('recorded', ({ id, fromMs, toMs, publications }) => past.caughtUp(id, { fromMs, toMs }, publications))
  events.on('stayedUnknown', (unknown) => {
    for (const id of formulas.of(unknown.id)) events.emit('stayedUnknown', { ...unknown, id })
  })
}
