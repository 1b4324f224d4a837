import type { AlertEvent, AlertEventKind, InboxPage, InboxQuery } from '../../../core/alert-events'
import type { Problem } from '../../../core/model'
import { merged, retractionsIn } from './inbox-events'
import type { Api } from '../../state/api'

/** As many events as a page has. */
const pageSize = 200
/** More are not kept: what is out of reach is asked for again. */
const maxHeld = 3 * pageSize

/** What the inbox can be cut down to; nothing stands for every kind. */
const inboxKinds: Record<string, readonly AlertEventKind[]> = {
  all: [],
  fired: ['fired'],
  late: ['retracted', 'lateByAmendment', 'lateFromHistory', 'confirmed', 'notKnown'],
  rest: ['sourceChanged', 'cooldownOver', 'recovered', 'snoozed', 'expiresSoon', 'expired', 'suspended', 'cannotFire'],
}

/**
 * The events on screen: a stretch of the inbox, or of what a search finds in it. It begins with the newest, which the
 * window is sent as they come, and reaches to older ones page by page; of a long way only the last pages are kept.
 */
export class InboxList {
  readonly #api: Pick<Api, 'getInbox'>
  search = $state('')
  kind = $state('all')
  /** The newest events, whatever is searched for. */
  #inbox: readonly AlertEvent[] = []
  #olderVersion = 0
  /** The number that what a search has found reaches up to. */
  #searchedTo = 0
  /** On screen, newest first. */
  events = $state.raw<readonly AlertEvent[]>([])
  #retractions = $state.raw<readonly AlertEvent[]>([])
  /** There are events before the oldest on screen. */
  hasOlder = $state(false)
  /** There are events after the newest on screen. */
  hasNewer = $state(false)
  /** Why the last question has no answer. */
  problem = $state.raw<Problem>()
  isAsking = $state(false)
  /** Counts searches begun and given up, so that the answer to a former one is passed over. */
  #beginnings = 0
  #work: Promise<void> = Promise.resolve()

  /** Which event was retracted, and by which. */
  readonly retractions: ReadonlyMap<string, AlertEvent> = $derived(
    retractionsIn([...this.events, ...this.#retractions]),
  )

  constructor(api: Pick<Api, 'getInbox'>) {
    this.#api = api
  }

  get isSearch(): boolean {
    return this.search.trim() !== '' || this.kind !== 'all'
  }

  /** What is searched for, as it is asked. */
  get query(): InboxQuery {
    const search = this.search.trim()
    const kinds = inboxKinds[this.kind] ?? []
    return { ...(search === '' ? {} : { search }), ...(kinds.length === 0 ? {} : { kinds: [...kinds] }) }
  }

  /** Takes what the window was sent: the newest events, and a number that changes with any older one. */
  async take(inbox: readonly AlertEvent[], olderVersion: number): Promise<void> {
    if (inbox === this.#inbox && olderVersion === this.#olderVersion) return
    const isContinued = continues(this.#inbox, inbox)
    const haveOlderChanged = olderVersion !== this.#olderVersion
    this.#inbox = inbox
    this.#olderVersion = olderVersion
    this.#retractions = merged(
      inbox.filter(({ kind }) => kind === 'retracted'),
      this.#retractions,
    )
    if (!isContinued) {
      await this.#begin()
      return
    }
    this.#renew()
    if (haveOlderChanged) await this.#inTurn(() => this.#askAgain())
    if (this.isSearch) await this.#inTurn(() => this.#findNewer())
  }

  async searchFor(search: string): Promise<void> {
    this.search = search
    await this.#begin()
  }

  async cutTo(kind: string): Promise<void> {
    this.kind = kind
    await this.#begin()
  }

  /** Asks for those before the oldest on screen. */
  askOlder(): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.events.at(-1)?.number
      const page = before === undefined ? undefined : await this.#ask({ ...this.query, before })
      if (page === undefined) return
      const all = merged(page.events, this.events)
      this.hasNewer ||= all.length > maxHeld
      this.events = all.slice(-maxHeld)
      this.hasOlder = page.hasMore
    })
  }

  /** Asks for those after the newest on screen. */
  askNewer(): Promise<void> {
    return this.#inTurn(async () => {
      const after = this.events[0]?.number
      if (after !== undefined) await this.#askAfter(after)
    })
  }

  /** Goes back to the newest. */
  goToNewest(): Promise<void> {
    return this.#begin()
  }

  async #begin(): Promise<void> {
    this.#beginnings++
    this.problem = undefined
    this.isAsking = false
    if (this.isSearch) {
      this.#work = this.#find()
      await this.#work
      return
    }
    this.events = this.#inbox
    this.hasOlder = this.#inbox.length >= pageSize
    this.hasNewer = false
  }

  async #find(): Promise<void> {
    const searchedTo = this.#newest
    const page = await this.#ask(this.query)
    if (page === undefined) return
    this.#searchedTo = searchedTo
    this.events = page.events
    this.hasOlder = page.hasMore
    this.hasNewer = false
  }

  /** One after the other; what was begun before a new search comes to nothing. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const beginning = this.#beginnings
    this.#work = this.#work.then(() => (beginning === this.#beginnings ? run() : undefined))
    return this.#work
  }

  /** Events on screen as they are now; new ones above them where these are the newest. */
  #renew(): void {
    const isAtNewest = !this.isSearch && !this.hasNewer
    const isHeld = ({ id }: AlertEvent) => this.events.some((event) => event.id === id)
    this.#keepNewest(merged(isAtNewest ? this.#inbox : this.#inbox.filter(isHeld), this.events))
  }

  #keepNewest(all: readonly AlertEvent[]): void {
    this.hasOlder ||= all.length > maxHeld
    this.events = all.slice(0, maxHeld)
  }

  /** What a search finds of the events that came after it. */
  async #findNewer(): Promise<void> {
    if (this.#newest > this.#searchedTo && !this.hasNewer) await this.#askAfter(this.#searchedTo)
  }

  async #askAfter(after: number): Promise<void> {
    const searchedTo = this.#newest
    const page = await this.#ask({ ...this.query, after })
    if (page === undefined) return
    this.#keepNewest(merged(page.events, this.events))
    this.hasNewer = page.hasMore
    if (page.hasMore) return
    this.#searchedTo = searchedTo
    // What came while this was asked for.
    this.#renew()
  }

  /** The same stretch once more, as it is now. */
  async #askAgain(): Promise<void> {
    const newest = this.events[0]?.number ?? 0
    const oldest = this.events.at(-1)?.number ?? 0
    for (let before = newest + 1; before > oldest;) {
      const page = await this.#ask({ ...this.query, before })
      if (page === undefined) return
      this.events = merged(
        page.events.filter(({ number }) => number >= oldest),
        this.events,
      )
      before = page.hasMore ? (page.events.at(-1)?.number ?? 0) : 0
    }
  }

  /** The number of the newest event of all. */
  get #newest(): number {
    return this.#inbox[0]?.number ?? 0
  }

  /** Nothing for an answer that comes too late, and for a refusal, which is kept. */
  async #ask(query: InboxQuery): Promise<InboxPage | undefined> {
    const beginning = this.#beginnings
    this.isAsking = true
    const answer = await this.#api.getInbox({ query })
    if (beginning !== this.#beginnings) return undefined
    this.isAsking = false
    this.problem = answer.ok ? undefined : answer.problem
    if (!answer.ok) return undefined
    this.#retractions = merged(answer.value.retractions, this.#retractions)
    return answer.value
  }
}

/** Whether the newest events go on from those before: the same record, and none left out in between. */
function continues(before: readonly AlertEvent[], now: readonly AlertEvent[]): boolean {
  const [last] = before
  return last !== undefined && (now.some(({ id }) => id === last.id) || now.at(-1)?.number === last.number + 1)
}
