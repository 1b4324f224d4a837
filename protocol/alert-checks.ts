/** What may be wrong with a draft of a rule, said at its field. */
import type { DraftProblem } from './alert-events'
import type { AlertDraft } from './alerts'
import { isDecimalText } from './decimal'

/** What a draft is checked against, as far as it is known. */
export interface DraftContext {
  nowMs: number
}

/** Every fault of a draft; none when it can be saved. */
export function checkDraft(draft: AlertDraft, _context: DraftContext): DraftProblem[] {
  const { terms } = draft
  if ('level' in terms && !isDecimalText(terms.level)) {
    return [{ field: 'level', message: 'A level is a number such as 68500.00.' }]
  }
  return []
}
