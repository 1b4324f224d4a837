import type { AmendmentEntry } from '../../../core/records'
import type { AmendmentCursor } from '../../../protocol/history'
import type { IndexId, Problem } from '../../../core/model'
import type { Api } from '../../state/api'

/** Names an amendment: there is one of these in the history. */
export function amendmentKey({ id, publishedAtMs, amendedAtMs }: AmendmentEntry): string {
  return `${id} ${publishedAtMs} ${amendedAtMs}`
}

/** The amendments on screen, newest first: those of the last answer, and older ones as asked for. */
export class AmendmentList {
  readonly #api: Pick<Api, 'getAmendments'>
  readonly #indexId: IndexId | undefined
  /** `undefined` until there is an answer. */
  entries = $state.raw<readonly AmendmentEntry[]>()
  #next = $state.raw<AmendmentCursor>()
  /** Why the last question has no answer; what is on screen stays. */
  problem = $state.raw<Problem>()
  isAsking = $state(false)

  /** Without an id the amendments of all indices. */
  constructor(api: Pick<Api, 'getAmendments'>, indexId?: IndexId) {
    this.#api = api
    this.#indexId = indexId
  }

  get hasOlder(): boolean {
    return this.#next !== undefined
  }

  /** Asks for the newest; older ones that are on screen stay where the two meet. */
  async refresh(): Promise<void> {
    const page = await this.#ask()
    if (page === undefined) return
    const known = this.entries ?? []
    const last = page.next === undefined ? undefined : page.amendments.at(-1)
    const meetsAt = known.findIndex((entry) => last !== undefined && amendmentKey(entry) === amendmentKey(last))
    if (meetsAt !== -1) this.entries = [...page.amendments, ...known.slice(meetsAt + 1)]
    else {
      this.entries = page.amendments
      this.#next = page.next
    }
  }

  async askOlder(): Promise<void> {
    const before = this.#next
    if (before === undefined) return
    const page = await this.#ask(before)
    if (page === undefined) return
    this.entries = [...(this.entries ?? []), ...page.amendments]
    this.#next = page.next
  }

  /** Nothing while another question is on its way, and for a refusal, which is kept. */
  async #ask(before?: AmendmentCursor) {
    if (this.isAsking) return undefined
    this.isAsking = true
    const answer = await this.#api.getAmendments({
      ...(this.#indexId !== undefined && { indexId: this.#indexId }),
      ...(before !== undefined && { before }),
    })
    this.isAsking = false
    this.problem = answer.ok ? undefined : answer.problem
    return answer.ok ? answer.value : undefined
  }
}
