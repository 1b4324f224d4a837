import type { AlertEvent } from '../../core/alert-events'
import type { Api } from './api'
import type { ChartTick, QuoteUpdate, WindowSnapshot, WindowState, WindowUpdate } from '../../protocol/desktop'
import { formulaInfo } from '../../core/formula'
import { formulaParts, serviceIds } from '../../core/formula-id'
import { isOverdue, isStale } from '../../core/freshness'
import { fromJson, type Json } from '../../protocol/json'
import type { UnsavedKind } from '../../protocol/unsaved'
import type { IndexId, IndexInfo, Problem } from '../../core/model'
import { untilOlderMs } from '../format/age'
import type { RuleContext } from '../format/alert-states'
import { flagsOf, type Flag } from '../format/flags'
import { byIndex, indexAlert, type IndexAlert } from '../format/index-alert'
import { display } from './display.svelte'
import { PendingChanges } from './pending-changes'
import { createRow, type Row } from './row.svelte'
import { UpdateSequence } from './update-sequence'

const retry = { firstMs: 100, maxMs: 5_000 }
/** Ages are updated once a second while one of them shows seconds, and at each minute of the wall clock. */
const tickMs = { min: 1_000, max: 60_000 }
/** Values that arrive this long after the last update of ages update them too, so that rows are drawn once. */
const minTickMs = 900
/** Without further values, ages are updated this long after the last ones. */
const tickAfterValuesMs = 1_500

/** Callbacks for the points of followed indices. */
export interface PointListener {
  /** Called with the points since the last call, in order, at most once a frame. */
  addPoints: (points: readonly ChartTick[]) => void
  /** Called when points may have been missed or have become available. They must be fetched again. */
  refetch: () => void
  /** Called with the newest alert events. */
  addEvents: (events: readonly AlertEvent[]) => void
}

/** Runs `run` before the next frame. Returns a function that cancels it. */
type OnNextFrame = (run: () => void) => () => void

/**
 * The page's copy of the main process's state. Views only read it. They change it with commands, whose effects arrive as
 * updates.
 */
export class Mirror {
  readonly #api: Pick<Api, 'getSnapshot' | 'onUpdate'>
  readonly #onNextFrame: OnNextFrame
  readonly #sequence = new UpdateSequence()
  /** Every row that was requested or received. The rows are reactive, the record is not. */
  readonly #rows = Object.create(null) as Record<IndexId, Row>
  #pointListeners: readonly PointListener[] = []
  #pending = new PendingChanges()
  /** Undefined until the first snapshot. */
  state = $state.raw<WindowState>()
  /** When the connection status was last received, by `performance.now()`. */
  stateAtMs = $state.raw(0)
  /** Why there is no snapshot. Undefined while there is one. */
  problem = $state.raw<Problem>()
  /** Wall clock, updated each minute. Decides which day is today. */
  nowMs = $state.raw(Date.now())
  /** The time that ages on screen are shown for, by `performance.now()`. */
  agesAtMs = $state.raw(performance.now())
  #infos = $derived(byId(this.state?.catalogue ?? []))
  #missing = $derived(byId(this.state?.missingData.indices ?? []))
  #unsaved = $derived(unsavedOf(this.state))
  #rules = $derived(byIndex(this.state?.alerts ?? []))
  #events = $derived(byIndex(this.state?.inbox ?? []))
  #isFetching = false
  #failures = 0
  #cancelFrame: (() => void) | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #ageTimer: ReturnType<typeof setTimeout> | undefined
  #nextAgesAtMs = 0

  constructor(api: Pick<Api, 'getSnapshot' | 'onUpdate'>, onNextFrame: OnNextFrame) {
    this.#api = api
    this.#onNextFrame = onNextFrame
  }

  /** The row of an index. Returns the same object each time. */
  row(id: IndexId): Row {
    return (this.#rows[id] ??= createRow(id, this))
  }

  /** Publish time of the newest value on any watchlist. 0 if there is none. */
  get lastDataMs(): number {
    const ids = this.state?.settings.watchlists.flatMap(({ entries }) => entries.map(({ id }) => id)) ?? []
    return Math.max(0, ...ids.map((id) => this.row(id).quote?.publishedAtMs ?? 0))
  }

  /** True if the value of an index may be out of date: the connection is not live, or the value is stale or cached. */
  isOld(id: IndexId): boolean {
    const { isStale, quote } = this.row(id)
    return this.state?.status.state !== 'live' || isStale || quote?.source === 'cache'
  }

  /** Whether a value is stale at a time of the page's monotonic clock. A formula is stale if one of its indices is. */
  isStaleAt(id: IndexId, nowMs: number): boolean {
    return this.#hasPart(id, nowMs, isStale)
  }

  /** The same for `isOverdue`. */
  isOverdueAt(id: IndexId, nowMs: number): boolean {
    return this.#hasPart(id, nowMs, isOverdue)
  }

  /** The latest value of an index. A formula counts as amended if the value of one of its indices is. */
  flagged(id: IndexId): QuoteUpdate | undefined {
    const { quote } = this.row(id)
    if (quote === undefined || quote.amendedAtMs !== undefined) return quote
    const amendedAtMs = Math.max(0, ...formulaParts(id).map((part) => this.row(part).quote?.amendedAtMs ?? 0))
    return amendedAtMs === 0 ? quote : { ...quote, amendedAtMs }
  }

  /** The flags of an index, the most important first. */
  flags(id: IndexId): Flag[] {
    const { facts, isStale, ageText } = this.row(id)
    return flagsOf({ quote: this.flagged(id), ...facts, staleFor: isStale ? ageText : undefined }, display)
  }

  /** True if the catalogue has the index. Bound, so that it can be passed to other functions. */
  readonly isListed = (id: IndexId): boolean => this.#infos.has(id)

  info(id: IndexId): IndexInfo | undefined {
    return this.#infos.get(id) ?? formulaInfo(id, (part) => this.#infos.get(part))
  }

  /** What the state of a rule depends on, besides the rule. */
  ruleContext(id: IndexId): RuleContext {
    return {
      nowMs: this.nowMs,
      snoozes: this.state?.snoozes ?? [],
      missing: this.#missing.get(id),
    }
  }

  /** The mark of the alerts of an index. Undefined without an alert and without an unread event. */
  alertOf(id: IndexId): IndexAlert | undefined {
    const [rules, inbox] = [this.#rules.get(id) ?? [], this.#events.get(id) ?? []]
    // Before the value is read, so that a row without alerts does not depend on it.
    if (rules.length === 0 && inbox.length === 0) return undefined
    const value = this.isOld(id) ? undefined : this.row(id).quote?.value
    return indexAlert({ indexId: id, rules, inbox }, value, this.ruleContext(id), display)
  }

  /** Why one of these is not saved to disk. Undefined if all are saved. */
  unsavedReason(kind: UnsavedKind, ids: readonly string[]): string | undefined {
    const unsaved = this.#unsaved
    return unsaved !== undefined && ids.some((id) => unsaved[kind].has(id)) ? unsaved.reason : undefined
  }

  /** Calls the listener until the returned function is called. */
  onPoints(listener: PointListener): () => void {
    this.#pointListeners = [...this.#pointListeners, listener]
    return () => (this.#pointListeners = this.#pointListeners.filter((each) => each !== listener))
  }

  /** Subscribes to updates, then fetches a snapshot. Returns a function that stops the mirror. */
  start(): () => void {
    const unsubscribe = this.#api.onUpdate((update) => this.#receive(update))
    this.#updateAgesIn(tickMs.min)
    void this.#fetchSnapshot()
    return () => {
      unsubscribe()
      clearTimeout(this.#retryTimer)
      clearTimeout(this.#ageTimer)
      this.#cancelFrame?.()
    }
  }

  #hasPart(id: IndexId, nowMs: number, is: typeof isStale): boolean {
    return serviceIds(id).some((each) => {
      const row = this.row(each)
      return row.quote !== undefined && is(row.ageMs(nowMs), this.#infos.get(each)?.maxResolution)
    })
  }

  #receive(update: Json<WindowUpdate>): void {
    const { apply, isComplete } = this.#sequence.receive(fromJson(update))
    this.#schedule(apply)
    if (!isComplete) void this.#fetchSnapshot()
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

  async #fetchSnapshot(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    const answer = await this.#api.getSnapshot({})
    this.#isFetching = false
    if (!answer.ok) {
      this.problem = answer.problem
      this.#retryLater()
      return
    }
    this.problem = undefined
    const snapshot = answer.value
    this.#replace(snapshot)
    const { apply, isComplete } = this.#sequence.settle(snapshot.number)
    this.#schedule(apply)
    if (isComplete) this.#failures = 0
    else this.#retryLater()
  }

  #retryLater(): void {
    const waitMs = Math.min(retry.maxMs, retry.firstMs * 2 ** this.#failures++)
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => void this.#fetchSnapshot(), waitMs)
  }

  #replace(snapshot: WindowSnapshot): void {
    const quoted = byId(snapshot.quotes)
    const listed = byId(snapshot.rows)
    for (const row of Object.values(this.#rows)) {
      if (!quoted.has(row.id)) row.applyQuote(undefined, 0)
      if (!listed.has(row.id)) row.applyFacts(undefined)
    }
    // Pending changes are older than the snapshot.
    this.#pending = new PendingChanges(snapshot.state)
    this.#pending.add(snapshot, performance.now())
    this.state = snapshot.state
    this.#apply()
    for (const listener of this.#pointListeners) listener.refetch()
  }

  #apply(): void {
    const { quotes, rows, state, points, hasLostPoints } = this.#pending
    // A connection that is live again can provide what was published while it was down, even if another one stays down.
    const wasLive = liveIds(this.state)
    // Everything that reads the state is recomputed when it is replaced. New values alone do not replace it.
    if (this.state !== undefined && Object.keys(state).length > 0) this.state = { ...this.state, ...state }
    this.#pending = new PendingChanges(this.state)
    if (state.status !== undefined) this.stateAtMs = performance.now()
    for (const facts of rows.values()) this.row(facts.id).applyFacts(facts)
    for (const [id, { quote, receivedAtMs }] of quotes) this.row(id).applyQuote(quote, receivedAtMs)
    const isBack = liveIds(this.state).some((id) => !wasLive.includes(id))
    for (const listener of this.#pointListeners) {
      if (state.inbox !== undefined) listener.addEvents(state.inbox)
      if (points.length > 0) listener.addPoints(points)
      if (hasLostPoints || isBack) listener.refetch()
    }
    if (quotes.size === 0) return
    const nowMs = performance.now()
    if (nowMs - this.agesAtMs >= minTickMs) this.#updateAges(tickAfterValuesMs)
    else if (this.#nextAgesAtMs > nowMs + tickAfterValuesMs) this.#updateAgesIn(tickAfterValuesMs)
  }

  #updateAgesIn(delayMs: number): void {
    this.#nextAgesAtMs = performance.now() + delayMs
    clearTimeout(this.#ageTimer)
    this.#ageTimer = setTimeout(() => this.#updateAges(), delayMs)
  }

  /** By default the next update is when the text of an age changes. A value becomes stale at a whole minute too. */
  #updateAges(nextMs?: number): void {
    const nowMs = performance.now()
    this.agesAtMs = nowMs
    const wallMs = Date.now()
    let olderMs = tickMs.max - (wallMs % tickMs.max)
    for (const row of Object.values(this.#rows)) {
      if (row.quote !== undefined) olderMs = Math.min(olderMs, untilOlderMs(row.ageMs(nowMs)))
    }
    if (Math.floor(wallMs / tickMs.max) !== Math.floor(this.nowMs / tickMs.max)) this.nowMs = wallMs
    this.#updateAgesIn(nextMs ?? Math.max(tickMs.min, olderMs))
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
