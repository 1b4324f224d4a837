import type { AlertPreview } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import type { Outcome } from '../../../../core/model'
import { debounced } from '../../../state/debounced.svelte'

/** Typing goes on for as long as keys follow each other faster than this. */
const settleMs = 250

/** Equal for drafts that wait for the same of the same index. */
export function termsKey({ indexId, terms }: AlertDraft): string {
  return JSON.stringify([indexId, terms])
}

/** What a draft would do, asked for when the fields stand still. An answer stays until the next one is there. */
export class DraftPreview {
  readonly #ask: (draft: AlertDraft) => Promise<Outcome<AlertPreview>>
  #answer = $state.raw<{ draft: AlertDraft; outcome: Outcome<AlertPreview> }>()
  #wanted = $state.raw<AlertDraft>()
  readonly #asking = debounced((draft: AlertDraft) => this.#askFor(draft), settleMs)

  constructor(ask: (draft: AlertDraft) => Promise<Outcome<AlertPreview>>) {
    this.#ask = ask
  }

  /** The latest answer, which may be about an earlier draft. */
  get latest(): Outcome<AlertPreview> | undefined {
    return this.#answer?.outcome
  }

  /** Whether `latest` is about what is wanted. */
  get isCurrent(): boolean {
    return this.#answer !== undefined && this.#answer.draft === this.#wanted
  }

  /** What is answered about just this draft; an answer about the one before says nothing of it. */
  answerTo(draft: AlertDraft): AlertPreview | undefined {
    return this.#answer?.draft === draft && this.#answer.outcome.ok ? this.#answer.outcome.value : undefined
  }

  /**
   * What is answered about the terms of this draft, whatever else of it has changed since: whether they hold already, and
   * what they compare.
   */
  answerToTerms(draft: AlertDraft): Pick<AlertPreview, 'isMet' | 'measure'> | undefined {
    const answer = this.#answer
    return answer?.outcome.ok === true && termsKey(answer.draft) === termsKey(draft) ? answer.outcome.value : undefined
  }

  /** Asks about this draft soon; absent: about none. */
  want(draft: AlertDraft | undefined): void {
    this.#asking.stop()
    this.#wanted = draft
    if (draft !== undefined) this.#asking.soon(draft)
  }

  async #askFor(draft: AlertDraft): Promise<void> {
    const outcome = await this.#ask(draft)
    // What was asked since is answered later.
    if (this.#wanted === draft) this.#answer = { draft, outcome }
  }
}
