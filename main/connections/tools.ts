import type { ServiceTool } from '../../protocol/service-tools'
import type { ServiceToolsClient } from '../mcp/service-tools'

/** The state of a service's tools. */
export type ListedToolsView =
  | { state: 'listed'; tools: ServiceTool[] }
  | { state: 'notOffered' }
  | { state: 'unreachable'; message: string }

/**
 * The assistant tools of one service, listed once after its stream went live. After a failure they are listed again
 * when it is live again.
 */
export class ListedTools {
  readonly #client: ServiceToolsClient | undefined
  readonly #onChange: () => void
  #view: ListedToolsView | undefined
  #isListing = false

  /** Without a `client` the service offers no tools. */
  constructor(client: ServiceToolsClient | undefined, onChange: () => void) {
    this.#client = client
    this.#onChange = onChange
    if (client === undefined) this.#view = { state: 'notOffered' }
  }

  /** Undefined until the service has answered. */
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
