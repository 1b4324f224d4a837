import type { AlertEvent, AlertEventKind, InboxPage, InboxQuery } from '../../../protocol/alert-events'
import type { Problem } from '../../../protocol/model'
import { merged, retractionsIn } from './inbox-events'
import type { AlertActions } from '../../state/alert-actions'

/** As many events as the window is sent, and as a page holds. */
const pageSize = 200

/** What the inbox can be cut down to; nothing stands for every kind. */
const inboxKinds: Record<string, readonly AlertEventKind[]> = {
  all: [],
  fired: ['fired'],
  late: ['retracted', 'lateByAmendment', 'lateFromHistory', 'confirmed', 'notKnown'],
  rest: ['cooldownOver', 'recovered', 'snoozed', 'expiresSoon', 'expired', 'suspended', 'cannotFire'],
}

/**
 * The events on screen: those the window is sent as they come, older ones as asked for, or the answer to a search.
 * What has been on screen stays there.
 */
export class InboxList {
  readonly #actions: Pick<AlertActions, 'getInbox'>
  #search = $state('')
  #kind = $state('all')
  #known = $state.raw<readonly AlertEvent[]>([])
  #found = $state.raw<readonly AlertEvent[]>()
  #hasMoreKnown = $state<boolean>()
  #hasMoreFound = $state(false)
  #problem = $state.raw<Problem>()
  #isAsking = $state(false)
  /** Counts the questions, so that the answer to a former one is passed over. */
  #asked = 0

  readonly events: readonly AlertEvent[] = $derived(this.#found ?? this.#known)
  readonly hasMore: boolean = $derived(
    this.isSearch ? this.#hasMoreFound : (this.#hasMoreKnown ?? this.#known.length >= pageSize),
  )
  /** Which event was retracted, and by which. */
  readonly retractions: ReadonlyMap<string, AlertEvent> = $derived(
    retractionsIn([...this.#known, ...(this.#found ?? [])]),
  )

  constructor(actions: Pick<AlertActions, 'getInbox'>) {
    this.#actions = actions
  }

  get search(): string {
    return this.#search
  }

  get kind(): string {
    return this.#kind
  }

  get isSearch(): boolean {
    return this.#search.trim() !== '' || this.#kind !== 'all'
  }

  /** Why the last question has no answer. */
  get problem(): Problem | undefined {
    return this.#problem
  }

  get isAsking(): boolean {
    return this.#isAsking
  }

  /** What is searched for, as it is asked. */
  get query(): InboxQuery {
    const search = this.#search.trim()
    const kinds = inboxKinds[this.#kind] ?? []
    return { ...(search === '' ? {} : { search }), ...(kinds.length === 0 ? {} : { kinds: [...kinds] }) }
  }

  /** Takes what the window was sent; a search on screen is asked again. */
  async take(inbox: readonly AlertEvent[]): Promise<void> {
    this.#known = merged(inbox, this.#known)
    if (this.isSearch) await this.#find(this.#found ?? [])
  }

  async searchFor(search: string): Promise<void> {
    this.#search = search
    await this.#begin()
  }

  async cutTo(kind: string): Promise<void> {
    this.#kind = kind
    await this.#begin()
  }

  /** Asks for those before the oldest on screen. */
  async askOlder(): Promise<void> {
    const before = this.events.at(-1)?.number
    if (before === undefined || this.#isAsking) return
    const page = await this.#ask({ ...this.query, before })
    if (page === undefined) return
    if (this.isSearch) {
      this.#found = merged(this.#found ?? [], page.events)
      this.#hasMoreFound = page.hasMore
    } else {
      this.#known = merged(this.#known, page.events)
      this.#hasMoreKnown = page.hasMore
    }
  }

  async #begin(): Promise<void> {
    if (this.isSearch) {
      await this.#find([])
      return
    }
    this.#asked++
    this.#isAsking = false
    this.#found = undefined
    this.#problem = undefined
  }

  async #find(kept: readonly AlertEvent[]): Promise<void> {
    const page = await this.#ask(this.query)
    if (page === undefined) return
    // Older ones that were asked for stay, and with them what is known of still older ones.
    if (kept.length === 0) this.#hasMoreFound = page.hasMore
    this.#found = merged(page.events, kept)
  }

  /** Nothing for an answer that comes too late, and for a refusal, which is kept. */
  async #ask(query: InboxQuery): Promise<InboxPage | undefined> {
    const number = ++this.#asked
    this.#isAsking = true
    const answer = await this.#actions.getInbox(query)
    if (number !== this.#asked) return undefined
    this.#isAsking = false
    this.#problem = answer.ok ? undefined : answer.problem
    return answer.ok ? answer.value : undefined
  }
}
