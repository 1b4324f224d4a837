import { formulaParts, parseFormula } from '../../core/formula-id'
import type { IndexId, Resolution } from '../../core/model'
import type { Emitter } from '../base/emitter'
import { formulaSeries, partLimits } from '../../core/formula-series'
import type { ConnectionEvents } from '../connections/connection-events'
import type { FormulaPast } from '../quotes/formula-past'
import type { FormulaEvents, Formulas } from '../quotes/formulas'
import type { PastValues } from '../quotes/past-values'

interface Sources {
  events: Emitter<ConnectionEvents>
  pastValues: PastValues
  formulas: Formulas
  past: FormulaPast
  resolutionOf: (id: IndexId) => Resolution | undefined
}

/**
 * Publishes values of formulas as if a service had published them. Lists, past values and alerts then treat a formula
 * as an index. Call this after the subscribers of the services' own values.
 */
export function connectFormulas({ events, pastValues, formulas, past, resolutionOf }: Sources): void {
  const publish = (computed: FormulaEvents['computed']) =>
    events.emit('published', { ...computed, resolution: resolutionOf(computed.id) })
  const restoreDay = (id: IndexId) => {
    const formula = parseFormula(id)
    const [left, right] = formulaParts(id).map((part) => pastValues.past(part))
    if (formula === undefined || left === undefined || right === undefined) return
    events.emit('dayFetched', {
      id,
      publications: formulaSeries(formula, left, right, partLimits(formula, resolutionOf)),
    })
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
