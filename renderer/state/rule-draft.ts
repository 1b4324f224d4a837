import type { AlertDraft, AlertView } from '../../protocol/alerts'

/** What the app adds to a draft. */
const added = {
  id: true,
  version: true,
  createdAtMs: true,
  phase: true,
  heldMs: true,
  suspension: true,
  cooldown: true,
  measure: true,
} satisfies Record<Exclude<keyof AlertView, keyof AlertDraft>, true>

/** What the user had decided on when the rule was made, to begin the next one with. */
export function draftOf(rule: AlertView): AlertDraft {
  return Object.fromEntries(Object.entries(rule).filter(([name]) => !(name in added))) as unknown as AlertDraft
}
