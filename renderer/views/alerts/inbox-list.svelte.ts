import {
  alertEventKinds,
  type AlertEvent,
  type AlertEventKind,
  type InboxPage,
  type InboxQuery,
} from '../../../core/alert-events'
import type { Problem } from '../../../core/model'
import { merged, retractionsIn } from './inbox-events'
import type { Api } from '../../state/api'

/** The events in a page. */
const pageSize = 200
/** The most events kept on screen. Others are fetched again when needed. */
const maxHeld = 3 * pageSize

const lateKinds: AlertEventKind[] = ['retracted', 'lateByAmendment', 'lateFromHistory', 'confirmed', 'notKnown']
const firedOrLate: ReadonlySet<AlertEventKind> = new Set(['fired', ...lateKinds])

/** The filters of the inbox by kind of event. No kinds means all. */
export const inboxKinds: { value: string; name: string; kinds: AlertEventKind[] }[] = [
  { value: 'all', name: 'All events', kinds: [] },
  { value: 'fired', name: 'Fired', kinds: ['fired'] },
  { value: 'late', name: 'Retracted, late', kinds: lateKinds },
  { value: 'rest', name: 'Alert status', kinds: alertEventKinds.filter((kind) => !firedOrLate.has(kind)) },
]

/**
 * The events on screen, newest first: a stretch of the inbox or of the results of a search. The main process sends the
 * newest events as they are recorded. Older ones are fetched page by page, and at most `maxHeld` are kept.
 */
export class InboxList {
  readonly #api: Pick<Api, 'getInbox'>
  search = $state('')
  kind = $state('all')
  /** The newest events of the whole inbox. */
  #inbox: readonly AlertEvent[] = []
  #olderVersion = 0
  /** The number of the newest event that the search has covered. */
  #searchedTo = 0
  /** The events on screen. */
  events = $state.raw<readonly AlertEvent[]>([])
  #retractions = $state.raw<readonly AlertEvent[]>([])
  /** There are older events than those on screen. */
  hasOlder = $state(false)
  /** There are newer events than those on screen. */
  hasNewer = $state(false)
  /** Why the last request was refused. */
  problem = $state.raw<Problem>()
  isLoading = $state(false)
  /** Counts restarts, so that answers to earlier requests are ignored. */
  #restarts = 0
  #work: Promise<void> = Promise.resolve()

  /** The retractions by the id of the retracted event. */
  readonly retractions: ReadonlyMap<string, AlertEvent> = $derived(
    retractionsIn([...this.events, ...this.#retractions]),
  )

  constructor(api: Pick<Api, 'getInbox'>) {
    this.#api = api
  }

  get isSearch(): boolean {
    return this.search.trim() !== '' || this.kind !== 'all'
  }

  /** The search as a query to the main process. */
  get query(): InboxQuery {
    const search = this.search.trim()
    const kinds = inboxKinds.find(({ value }) => value === this.kind)?.kinds ?? []
    return { ...(search !== '' && { search }), ...(kinds.length > 0 && { kinds }) }
  }

  /** Takes the newest events that were sent, and a version that changes when an older event does. */
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
      await this.#restart()
      return
    }
    this.#renew()
    if (haveOlderChanged) await this.#inTurn(() => this.#reload())
    if (this.isSearch) await this.#inTurn(() => this.#findNewer())
  }

  async searchFor(search: string): Promise<void> {
    this.search = search
    await this.#restart()
  }

  async filterBy(kind: string): Promise<void> {
    this.kind = kind
    await this.#restart()
  }

  /** Fetches the page before the oldest event on screen. */
  loadOlder(): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.events.at(-1)?.number
      const page = before === undefined ? undefined : await this.#fetch({ ...this.query, before })
      if (page === undefined) return
      const all = merged(page.events, this.events)
      this.hasNewer ||= all.length > maxHeld
      this.events = all.slice(-maxHeld)
      this.hasOlder = page.hasMore
    })
  }

  /** Fetches the page after the newest event on screen. */
  loadNewer(): Promise<void> {
    return this.#inTurn(async () => {
      const after = this.events[0]?.number
      if (after !== undefined) await this.#loadAfter(after)
    })
  }

  /** Shows the newest events. */
  goToNewest(): Promise<void> {
    return this.#restart()
  }

  async #restart(): Promise<void> {
    this.#restarts++
    this.problem = undefined
    this.isLoading = false
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
    const page = await this.#fetch(this.query)
    if (page === undefined) return
    this.#searchedTo = searchedTo
    this.events = page.events
    this.hasOlder = page.hasMore
    this.hasNewer = false
  }

  /** Runs requests one after another. Requests before a restart are dropped. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const restarts = this.#restarts
    this.#work = this.#work.then(() => (restarts === this.#restarts ? run() : undefined))
    return this.#work
  }

  /** Replaces events on screen by their present versions. Adds new ones if the newest are on screen. */
  #renew(): void {
    const isAtNewest = !this.isSearch && !this.hasNewer
    const isHeld = ({ id }: AlertEvent) => this.events.some((event) => event.id === id)
    this.#keepNewest(merged(isAtNewest ? this.#inbox : this.#inbox.filter(isHeld), this.events))
  }

  #keepNewest(all: readonly AlertEvent[]): void {
    this.hasOlder ||= all.length > maxHeld
    this.events = all.slice(0, maxHeld)
  }

  /** Searches the events recorded since the last search. */
  async #findNewer(): Promise<void> {
    if (this.#newest > this.#searchedTo && !this.hasNewer) await this.#loadAfter(this.#searchedTo)
  }

  async #loadAfter(after: number): Promise<void> {
    const searchedTo = this.#newest
    const page = await this.#fetch({ ...this.query, after })
    if (page === undefined) return
    this.#keepNewest(merged(page.events, this.events))
    this.hasNewer = page.hasMore
    if (page.hasMore) return
    this.#searchedTo = searchedTo
    // Events may have been sent during the request.
    this.#renew()
  }

  /** Fetches the stretch on screen again. */
  async #reload(): Promise<void> {
    const newest = this.events[0]?.number ?? 0
    const oldest = this.events.at(-1)?.number ?? 0
    for (let before = newest + 1; before > oldest;) {
      const page = await this.#fetch({ ...this.query, before })
      if (page === undefined) return
      this.events = merged(
        page.events.filter(({ number }) => number >= oldest),
        this.events,
      )
      before = page.hasMore ? (page.events.at(-1)?.number ?? 0) : 0
    }
  }

  /** The number of the newest event of the inbox. */
  get #newest(): number {
    return this.#inbox[0]?.number ?? 0
  }

  /** Returns nothing after a restart or a refusal. A refusal is kept in `problem`. */
  async #fetch(query: InboxQuery): Promise<InboxPage | undefined> {
    const restarts = this.#restarts
    this.isLoading = true
    const answer = await this.#api.getInbox({ query })
    if (restarts !== this.#restarts) return undefined
    this.isLoading = false
    this.problem = answer.ok ? undefined : answer.problem
    if (!answer.ok) return undefined
    this.#retractions = merged(answer.value.retractions, this.#retractions)
    return answer.value
  }
}

/** True if `now` continues `before`: the same record, and no event missing in between. */
function continues(before: readonly AlertEvent[], now: readonly AlertEvent[]): boolean {
  const [last] = before
  return last !== undefined && (now.some(({ id }) => id === last.id) || now.at(-1)?.number === last.number + 1)
}
