import type { AlertDraft, AlertView } from '../../protocol/alerts'
import type { DesktopApi } from '../../protocol/desktop'
import { settled } from './settled'
import type { Toasts } from './toasts.svelte'

/** What a user can ask for at a notice of an alert. */
export class NoticeActions {
  readonly #api: Pick<DesktopApi, 'armAlert' | 'testNotification'>
  readonly #toasts: Toasts

  constructor(api: Pick<DesktopApi, 'armAlert' | 'testNotification'>, toasts: Toasts) {
    this.#api = api
    this.#toasts = toasts
  }

  /** Answers in plain words what became of a notification that means nothing. */
  async testNotification(): Promise<string> {
    const answer = await settled(this.#api.testNotification({}))
    return answer.ok ? answer.value.words : `The test could not be made: ${answer.problem.message}`
  }

  /** Answers whether the rule waits again. */
  async armAgain({ id, indexId }: AlertView): Promise<boolean> {
    const answer = await settled(this.#api.armAlert({ ruleId: id }))
    if (answer.ok) this.#toasts.show(`The alert on ${indexId} is armed again`)
    else this.#toasts.fail(`The alert on ${indexId} could not be armed again: ${answer.problem.message}`)
    return answer.ok
  }
}

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
