import type { AlertEvent } from '../../core/alert-events'
import type { Api } from './api'
import type { ChartTick, QuoteUpdate, WindowSnapshot, WindowState, WindowUpdate } from '../../protocol/desktop'
import { formulaInfo } from '../../core/formula'
import { formulaParts, serviceIds } from '../../core/formula-id'
import { isStale } from '../../core/freshness'
import { fromJson, type Json } from '../../protocol/json'
import type { UnsavedKind } from '../../protocol/unsaved'
import type { IndexId, IndexInfo, Problem } from '../../core/model'
import { untilOlderMs } from '../format/age'
import type { RuleContext } from '../format/alert-states'
import { PendingChanges } from './pending-changes'
import { createRow, type Row } from './row.svelte'
import { UpdateSequence } from './update-sequence'

const retry = { firstMs: 100, maxMs: 5_000 }
/** Ages are counted on once a second while one of them is counted by seconds, and once a minute by the wall clock. */
const tickMs = { min: 1_000, max: 60_000 }
/** With values that come about a second later, to be drawn once; when none come, a little later. */
const minTickMs = 900
const tickAfterValuesMs = 1_500

/** What a part of the page does with the points of the open index. */
export interface PointListener {
  /** Points since the last call, in order; at most one call a frame. */
  add: (points: readonly ChartTick[]) => void
  /** Points may have been missed, or only now can be had: they are to be asked for again. */
  askAgain: () => void
  /** The newest alert events. */
  see: (events: readonly AlertEvent[]) => void
}

/** Runs something before the page is drawn next; answers the way to stop it. */
type OnNextFrame = (run: () => void) => () => void

/**
 * The page's copy of what the main process knows. Views read it and never edit it; what they want changed they ask for,
 * and the answer comes back through here.
 */
export class Mirror {
  readonly #api: Pick<Api, 'getSnapshot' | 'onUpdate'>
  readonly #onNextFrame: OnNextFrame
  readonly #sequence = new UpdateSequence()
  /** Every row that was asked for or received. Not reactive itself: each row is, by its own. */
  readonly #rows = Object.create(null) as Record<IndexId, Row>
  #pointListeners: readonly PointListener[] = []
  #pending = new PendingChanges()
  /** Absent until the first snapshot is there. */
  state = $state.raw<WindowState>()
  /** When the connection status was last received, by `performance.now()`. */
  stateAtMs = $state.raw(0)
  /** Why there is no snapshot. Absent while there is one. */
  problem = $state.raw<Problem>()
  /** Wall clock, fresh to about a minute: decides what "today" is. */
  nowMs = $state.raw(Date.now())
  #infos = $derived(byId(this.state?.catalogue ?? []))
  #missing = $derived(byId(this.state?.missingData.indices ?? []))
  #unsaved = $derived(unsavedOf(this.state))
  #isAsking = false
  #failures = 0
  #cancelFrame: (() => void) | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #ageTimer: ReturnType<typeof setTimeout> | undefined
  #countedAtMs = 0
  #countsAtMs = 0

  constructor(api: Pick<Api, 'getSnapshot' | 'onUpdate'>, onNextFrame: OnNextFrame) {
    this.#api = api
    this.#onNextFrame = onNextFrame
  }

  /** The row of an index; always the same object. */
  row(id: IndexId): Row {
    return (this.#rows[id] ??= createRow(id))
  }

  /** When the newest value of all lists was published; 0 while there is none. */
  get lastDataMs(): number {
    const ids = this.state?.settings.watchlists.flatMap(({ entries }) => entries.map(({ id }) => id)) ?? []
    return Math.max(0, ...ids.map((id) => this.row(id).quote?.publishedAtMs ?? 0))
  }

  /** Whether the latest value known of an index may not be what it is now: not live, stale, or of an earlier run. */
  isOld(id: IndexId): boolean {
    const { isStale, quote } = this.row(id)
    return this.state?.status.state !== 'live' || isStale || quote?.source === 'cache'
  }

  /** Whether the value of an index is stale then, on the page's monotonic clock; that of a formula is where a part's is. */
  isStaleAt(id: IndexId, nowMs: number): boolean {
    return serviceIds(id).some((each) => {
      const row = this.row(each)
      return row.quote !== undefined && isStale(row.ageMs(nowMs), this.#infos.get(each)?.maxResolution)
    })
  }

  /** The latest value of an index with all that is to be said of it: a formula is amended where a part is. */
  flagged(id: IndexId): QuoteUpdate | undefined {
    const { quote } = this.row(id)
    if (quote === undefined || quote.amendedAtMs !== undefined) return quote
    const amendedAtMs = Math.max(0, ...formulaParts(id).map((part) => this.row(part).quote?.amendedAtMs ?? 0))
    return amendedAtMs === 0 ? quote : { ...quote, amendedAtMs }
  }

  info(id: IndexId): IndexInfo | undefined {
    return this.#infos.get(id) ?? formulaInfo(id, (part) => this.#infos.get(part))
  }

  /** What the rules of an index stand in. */
  ruleContext(id: IndexId): RuleContext {
    return {
      nowMs: this.nowMs,
      snoozes: this.state?.snoozes ?? [],
      missing: this.#missing.get(id),
    }
  }

  /** Why any of these is not on the disk; `undefined` where all are. */
  unsavedReason(kind: UnsavedKind, ids: readonly string[]): string | undefined {
    const unsaved = this.#unsaved
    return unsaved !== undefined && ids.some((id) => unsaved[kind].has(id)) ? unsaved.reason : undefined
  }

  /** Passes on every point until the returned function is called. */
  onPoints(listener: PointListener): () => void {
    this.#pointListeners = [...this.#pointListeners, listener]
    return () => (this.#pointListeners = this.#pointListeners.filter((each) => each !== listener))
  }

  /** Subscribes, then asks for everything. Returns the way to stop. */
  start(): () => void {
    const unsubscribe = this.#api.onUpdate((update) => this.#receive(update))
    this.#countAgesIn(tickMs.min)
    void this.#ask()
    return () => {
      unsubscribe()
      clearTimeout(this.#retryTimer)
      clearTimeout(this.#ageTimer)
      this.#cancelFrame?.()
    }
  }

  #receive(update: Json<WindowUpdate>): void {
    const { apply, isComplete } = this.#sequence.receive(fromJson(update))
    this.#schedule(apply)
    if (!isComplete) void this.#ask()
  }

  #schedule(updates: readonly WindowUpdate[]): void {
    if (updates.length === 0) return
    const receivedAtMs = performance.now()
    for (const update of updates) this.#pending.add(update, receivedAtMs)
    this.#cancelFrame ??= this.#onNextFrame(() => {
      this.#cancelFrame = undefined
      this.#apply()
    })
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const answer = await this.#api.getSnapshot({})
    this.#isAsking = false
    if (!answer.ok) {
      this.problem = answer.problem
      this.#askLater()
      return
    }
    this.problem = undefined
    const snapshot = answer.value
    this.#replace(snapshot)
    const { apply, isComplete } = this.#sequence.settle(snapshot.number)
    this.#schedule(apply)
    if (isComplete) this.#failures = 0
    else this.#askLater()
  }

  #askLater(): void {
    const waitMs = Math.min(retry.maxMs, retry.firstMs * 2 ** this.#failures++)
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => void this.#ask(), waitMs)
  }

  #replace(snapshot: WindowSnapshot): void {
    const quoted = byId(snapshot.quotes)
    const listed = byId(snapshot.rows)
    for (const row of Object.values(this.#rows)) {
      if (!quoted.has(row.id)) row.applyQuote(undefined, 0)
      if (!listed.has(row.id)) row.applyFacts(undefined)
    }
    // What was pending is older than the snapshot.
    this.#pending = new PendingChanges(snapshot.state)
    this.#pending.add(snapshot, performance.now())
    this.state = snapshot.state
    this.#apply()
    for (const listener of this.#pointListeners) listener.askAgain()
  }

  #apply(): void {
    const { quotes, rows, state, points, hasLostPoints } = this.#pending
    // What was published without a connection can be had once it is back. Another one may stay broken.
    const wasLive = liveIds(this.state)
    // Replaced for values alone, it would have everything that reads the state computed and drawn again.
    if (this.state !== undefined && Object.keys(state).length > 0) this.state = { ...this.state, ...state }
    this.#pending = new PendingChanges(this.state)
    if (state.status !== undefined) this.stateAtMs = performance.now()
    for (const facts of rows.values()) this.row(facts.id).applyFacts(facts)
    const nowMs = performance.now()
    for (const [id, { quote, receivedAtMs }] of quotes) {
      this.row(id).applyQuote(quote, receivedAtMs)
      this.row(id).refreshAge(nowMs, (atMs) => this.isStaleAt(id, atMs))
    }
    const isBack = liveIds(this.state).some((id) => !wasLive.includes(id))
    for (const listener of this.#pointListeners) {
      if (state.inbox !== undefined) listener.see(state.inbox)
      if (points.length > 0) listener.add(points)
      if (hasLostPoints || isBack) listener.askAgain()
    }
    if (quotes.size === 0) return
    if (nowMs - this.#countedAtMs >= minTickMs) this.#countAges(tickAfterValuesMs)
    else if (this.#countsAtMs > nowMs + tickAfterValuesMs) this.#countAgesIn(tickAfterValuesMs)
  }

  #countAgesIn(delayMs: number): void {
    this.#countsAtMs = performance.now() + delayMs
    clearTimeout(this.#ageTimer)
    this.#ageTimer = setTimeout(() => this.#countAges(), delayMs)
  }

  /** Of all rows on screen. Without `nextMs` again when an age reads differently: a value becomes stale at a whole minute too. */
  #countAges(nextMs?: number): void {
    const nowMs = performance.now()
    this.#countedAtMs = nowMs
    const wallMs = Date.now()
    let olderMs = tickMs.max - (wallMs % tickMs.max)
    for (const row of Object.values(this.#rows)) {
      row.refreshAge(nowMs, (atMs) => this.isStaleAt(row.id, atMs))
      if (row.quote !== undefined) olderMs = Math.min(olderMs, untilOlderMs(row.ageMs(nowMs)))
    }
    if (Math.floor(wallMs / tickMs.max) !== Math.floor(this.nowMs / tickMs.max)) this.nowMs = wallMs
    this.#countAgesIn(nextMs ?? Math.max(tickMs.min, olderMs))
  }
}

function byId<T extends { id: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((each) => [each.id, each]))
}

function liveIds(state: WindowState | undefined): string[] {
  return state?.connections.flatMap((each) => (each.state === 'live' ? [each.id] : [])) ?? []
}

function unsavedOf(state: WindowState | undefined) {
  const unsaved = state?.unsaved
  if (unsaved === null || unsaved === undefined) return undefined
  return {
    reason: unsaved.reason,
    preferences: new Set<string>(unsaved.preferences),
    lists: new Set(unsaved.lists),
    connections: new Set(unsaved.connections),
    alerts: new Set(unsaved.alerts),
    events: new Set(unsaved.events),
  }
}
