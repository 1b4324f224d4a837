import type { AmendmentEntry } from '../../../core/records'
import type { AmendmentCursor } from '../../../protocol/history'
import type { IndexId, Problem } from '../../../core/model'
import type { Api } from '../../state/api'

/** Identifies an amendment in the history. */
export function amendmentKey({ id, publishedAtMs, amendedAtMs }: AmendmentEntry): string {
  return `${id} ${publishedAtMs} ${amendedAtMs}`
}

/** The amendments on screen, newest first. The newest are fetched again and again, older ones page by page. */
export class AmendmentList {
  readonly #api: Pick<Api, 'getAmendments'>
  readonly #indexId: IndexId | undefined
  /** Undefined until the first answer. */
  entries = $state.raw<readonly AmendmentEntry[]>()
  #next = $state.raw<AmendmentCursor>()
  /** Why the last request was refused. The entries stay on screen. */
  problem = $state.raw<Problem>()
  isLoading = $state(false)

  /** Lists the amendments of one index, or of all without an id. */
  constructor(api: Pick<Api, 'getAmendments'>, indexId?: IndexId) {
    this.#api = api
    this.#indexId = indexId
  }

  get hasOlder(): boolean {
    return this.#next !== undefined
  }

  /** Fetches the newest page. Older entries stay on screen if the page reaches them. */
  async refresh(): Promise<void> {
    const page = await this.#fetch()
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

  async loadOlder(): Promise<void> {
    const before = this.#next
    if (before === undefined) return
    const page = await this.#fetch(before)
    if (page === undefined) return
    this.entries = [...(this.entries ?? []), ...page.amendments]
    this.#next = page.next
  }

  /** Returns nothing while another request is pending, or after a refusal. A refusal is kept in `problem`. */
  async #fetch(before?: AmendmentCursor) {
    if (this.isLoading) return undefined
    this.isLoading = true
    const answer = await this.#api.getAmendments({ indexId: this.#indexId, before })
    this.isLoading = false
    this.problem = answer.ok ? undefined : answer.problem
    return answer.ok ? answer.value : undefined
  }
}
