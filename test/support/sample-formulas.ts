import { multiplyAndDivide } from '../../core/decimal'
import { computeFormula } from '../../core/formula'
import { parseFormula, partsOf } from '../../core/formula-id'
import type { QuoteUpdate, WindowSnapshot } from '../../protocol/desktop'
import { sampleSnapshot } from './sample-window'

export const basisId = 'BRTI \u2212 BRR in bp'
export const ratioId = 'ETHUSD_RTI \u00f7 BRTI'
/** A formula of which one index is stale. */
export const staleId = 'TSLAXUSD_RTI \u2212 NCI \u00b7 stale 5 s'

function percentOf(value: string, percent: string, places: number): string {
  return multiplyAndDivide([value, percent], '100', places) ?? value
}

/** A list that begins with indices and formulas of them. */
export function formulaSnapshot(): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const quoteOf = (id: string) => snapshot.quotes.find((quote) => quote.id === id)
  for (const id of [basisId, ratioId]) {
    const formula = parseFormula(id)
    if (formula === undefined || formula.operation === 'mean') throw new Error(`${id} has no two indices`)
    const [left, right] = partsOf(formula).map(quoteOf)
    if (left === undefined || right === undefined) throw new Error(`no sample for ${id}`)
    const computed = computeFormula(formula, left.value, right.value)
    if (!('value' in computed)) throw new Error(`no value of ${id}`)
    const times = [left.publishedAtMs, right.publishedAtMs]
    const quote: QuoteUpdate = {
      id,
      value: computed.value,
      publishedAtMs: Math.max(...times),
      olderPartMs: Math.min(...times),
      source: 'stream',
      ageMs: Math.max(left.ageMs, right.ageMs),
    }
    snapshot.quotes.push(quote)
    const facts = snapshot.rows.find((row) => row.id === formula.left)
    snapshot.rows.push({
      ...(facts?.trend !== undefined && { trend: facts.trend.map((point) => point && point / 100) }),
      id,
      reference: {
        kind: 'sessionFirst',
        value: percentOf(computed.value, '98', formula.decimals),
        publishedAtMs: Math.min(...times),
      },
    })
  }
  snapshot.rows.push({ id: staleId, noValue: 'TSLAXUSD_RTI has been stale for more than 5 s.' })
  const [list] = snapshot.state.settings.watchlists
  const added = [basisId, ratioId, staleId].map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
  list?.entries.splice(2, 0, ...added)
  return snapshot
}

/** A mean with all its values, and one that lacks some. */
export const meanId = 'mean(BRTI, 60)'
export const incompleteMeanId = 'mean(ETHUSD_RTI, 300)'

/** A list that begins with indices and means of them. */
export function meanSnapshot(): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const means: [string, string, Partial<QuoteUpdate>][] = [
    [meanId, 'BRTI', {}],
    [incompleteMeanId, 'ETHUSD_RTI', { missing: 2, carried: 1 }],
  ]
  for (const [id, index, more] of means) {
    const quote = snapshot.quotes.find((each) => each.id === index)
    if (quote === undefined) throw new Error(`no sample for ${id}`)
    const publishedAtMs = Math.floor(quote.publishedAtMs / 1_000) * 1_000
    snapshot.quotes.push({ ...quote, publishedAtMs, value: percentOf(quote.value, '99.99', 2), ...more, id })
    const facts = snapshot.rows.find((row) => row.id === index)
    snapshot.rows.push({ ...facts, id })
  }
  const added = [meanId, incompleteMeanId].map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
  snapshot.state.settings.watchlists[0]?.entries.splice(2, 0, ...added)
  return snapshot
}
