import type { BackTest } from '../../protocol/alert-events'
import type { AlertDraft, AlertRule, AlertTerms } from '../../protocol/alerts'
import type { Publication, Resolution } from '../../protocol/model'
import { evaluate, newMemory } from './rules/evaluate'
import { initialState } from './rules/state'

const mostFires = 1_000

/**
 * When a rule like this would have fired on these values, oldest first, by the same evaluation as the engine's; one that
 * tells once as if armed again each time. `undefined` where there are fewer than two values or the terms need more than
 * values.
 */
export function backTest(
  draft: AlertDraft,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): BackTest | undefined {
  const [first, second] = publications
  const last = publications.at(-1)
  if (first === undefined || second === undefined || last === undefined || !needsValuesAlone(draft.terms))
    return undefined
  const fires = firesOf(draft, draft.terms, publications, cadence)
  const banded = withBand(draft.terms)
  const firesWithBand = banded === undefined ? fires.length : firesOf(draft, banded, publications, cadence).length
  return {
    sinceMs: first.publishedAtMs,
    untilMs: last.publishedAtMs,
    fires,
    ...(firesWithBand < fires.length && { firesWithBand }),
  }
}

function needsValuesAlone({ condition }: AlertTerms): boolean {
  switch (condition) {
    case 'risesTo':
    case 'fallsTo':
    case 'crosses':
    case 'isAbove':
    case 'isBelow':
    case 'entersBand':
    case 'leavesBand':
    case 'moves':
    case 'carriedOver':
    case 'amended':
      return true
    default:
      return false
  }
}

/** The terms with a band of five basis points, where they could have one and have none. */
function withBand(terms: AlertTerms): AlertTerms | undefined {
  if (!('level' in terms || 'low' in terms) || terms.rearmBand !== undefined) return undefined
  return { ...terms, rearmBand: { size: '5', unit: 'basisPoints' } }
}

function firesOf(
  draft: AlertDraft,
  terms: AlertTerms,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): BackTest['fires'] {
  const repeat = draft.repeat.mode === 'once' ? ({ mode: 'everyCrossing' } as const) : draft.repeat
  const rule: AlertRule = { ...draft, terms, repeat, id: 'back-test', version: 1, createdAtMs: 0 }
  const memory = newMemory()
  const fires: BackTest['fires'] = []
  let state = initialState('wait')
  let previous: Publication | undefined
  for (const publication of publications) {
    const verdict = evaluate(rule, state, memory, {
      kind: 'value',
      publication,
      ...(previous !== undefined && { previous: { value: previous.value, publishedAtMs: previous.publishedAtMs } }),
      ...(cadence !== undefined && { cadence }),
    })
    state = verdict.state
    previous = publication
    if (verdict.firings.length > 0) fires.push({ publishedAtMs: publication.publishedAtMs, value: publication.value })
    if (fires.length === mostFires) break
  }
  return fires
}
