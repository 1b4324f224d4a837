import type { ServiceTool } from '../../protocol/service-tools'
import type { ServiceToolsClient } from '../mcp/service-tools'

/** What is known of the tools of one service. */
export type ListedToolsView =
  | { state: 'listed'; tools: ServiceTool[] }
  | { state: 'notOffered' }
  | { state: 'unreachable'; message: string }

/** The assistant tools of one service, listed once after its stream went live; after a failure, when it is live again. */
export class ListedTools {
  readonly #client: ServiceToolsClient | undefined
  readonly #onChange: () => void
  #view: ListedToolsView | undefined
  #isListing = false

  /** Without a `client` the service offers none. */
  constructor(client: ServiceToolsClient | undefined, onChange: () => void) {
    this.#client = client
    this.#onChange = onChange
    if (client === undefined) this.#view = { state: 'notOffered' }
  }

  /** Absent until the service has been asked. */
  get view(): ListedToolsView | undefined {
    return this.#view
  }

  async connected(): Promise<void> {
    if (this.#client === undefined || this.#isListing || this.#view?.state === 'listed') return
    this.#isListing = true
    const listed = await this.#client.list()
    this.#isListing = false
    this.#view = listed.ok
      ? { state: 'listed', tools: listed.value }
      : { state: 'unreachable', message: listed.problem.message }
    this.#onChange()
  }
}
