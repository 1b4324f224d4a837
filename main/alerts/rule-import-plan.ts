import { draftKey } from '../../protocol/alert-words'
import type { AlertDraft } from '../../protocol/alerts'

/** What importing these adds: all that do not wait for the same as a rule that is there. */
export function newRules(drafts: readonly AlertDraft[], present: readonly AlertDraft[]): AlertDraft[] {
  const taken = new Set(present.map(draftKey))
  return drafts.filter((draft) => !taken.has(draftKey(draft)))
}
