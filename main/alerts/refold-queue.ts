import type { AlertEvent } from '../../core/alert-events'
import { maxTimeMs } from '../../core/shapes'
import type { IndexId, Outcome, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import { publicationOf, sourceOf } from '../../core/publication'
import { inTurns } from '../base/work-queue'
import { answered } from '../base/answered'
import type { Learned } from '../history-store/contract'
import type { Commits } from './commits'
import type { Inbox } from './inbox'
import { isFolded, type Due, type Firing, type Run } from './record'
import type { Records } from './records'
import { Refold, type Refolded } from './refold'
import type { Place, RuleTable } from './rule-table'

/** The result of a refold of one run. A run that has ended belongs to a rule that was restarted since. */
interface FoldedRun {
  place: Place
  run: Run
  refolded: Refolded
}

/** The result of a refold of one index, with the events to retract or confirm. */
export interface FoldedIndex {
  id: IndexId
  due: Due
  runs: FoldedRun[]
  events: ReadonlyMap<string, AlertEvent>
  /** The stored range of the index that is still to be refolded is another one now. */
  hasDueChanged: boolean
}

/** A range to be refolded once its values are in the history. */
interface Awaited {
  id: IndexId
  due: Due
  /** The write was refused: the next successful commit includes it. */
  isRefused: boolean
}

interface Options {
  clock: Clock
  records: Records
  rules: RuleTable
  inbox: Inbox
  commits: Commits
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** Called with the result. In the same turn, the caller takes it over and evaluates the values that waited. */
  onFolded: (folded: FoldedIndex) => void
  /**
   * Called when the index cannot be refolded now. It is retried later, and its rules continue from their current state.
   */
  onPostponed: (id: IndexId) => void
}

/** A page is evaluated in one turn. This many values times rules take some milliseconds. */
const paging = { maxSteps: 6_000, minValues: 20, maxValues: 2_000 }
/** Retry delay while the history cannot be read. */
const retryMs = 10_000

/**
 * Refolds indices whose values arrived late or were amended, one index at a time. Reads the history in pages, so the
 * event loop runs in between. Retries what could not be read.
 */
export class RefoldQueue {
  readonly #options: Options
  readonly #due = new Map<IndexId, Due>()
  #awaited: Awaited[] = []
  #running: { id: IndexId; due: Due } | undefined
  #work: Promise<void> | undefined
  #isStopped = false
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** True if values of this index wait for its refold. */
  isRunning(id: IndexId): boolean {
    return this.#running?.id === id
  }

  /** The range of an index that is still to be refolded. */
  dueOf(id: IndexId): Due | undefined {
    const running = this.#running?.id === id ? this.#running.due : undefined
    const awaited = this.#awaited.flatMap((each) => (each.id === id ? [each.due] : []))
    return [running, ...awaited].reduce((sum, each) => (each === undefined ? sum : union(each, sum)), this.#due.get(id))
  }

  /** Refolds a range after its write. Call the returned function with the result of the write. */
  addOnceWritten(id: IndexId, due: Due): (outcome: Outcome<Learned[]>) => void {
    const awaited = { id, due, isRefused: false }
    this.#awaited.push(awaited)
    this.#noteDue(id)
    return (outcome) => this.#written(awaited, outcome)
  }

  /** Refolds a range after the next successful commit. */
  addWithNextCommit(id: IndexId, due: Due): void {
    this.#awaited.push({ id, due, isRefused: true })
    this.#noteDue(id)
  }

  /** Call after each successful commit. */
  stored(outcome: Outcome<Learned[]>): void {
    for (const each of this.#awaited.filter(({ isRefused }) => isRefused)) this.#written(each, outcome)
  }

  /**
   * Brings rules from their stored state to the last value of the history. Then refolds the ranges left over from the
   * last run of the app. `fired` are the firings after the stored state.
   */
  async resume(
    kept: readonly { place: Place; fired: readonly Firing[] }[],
    left: readonly (readonly [IndexId, Due])[],
  ): Promise<void> {
    // First, because each refold stores the ranges that are still due.
    for (const [id, due] of left) this.#due.set(id, due)
    const byIndex = new Map<IndexId, FoldingRun[]>()
    await inTurns(this.#options.clock, kept, ({ place, fired }) => {
      const { run, state, memory } = place.record
      const { rule } = run
      const { kept: from } = memory
      if (run.fromMs === undefined || !isFolded(rule.terms) || state.isDone) return
      const changed = { fromMs: (from?.atMs ?? run.fromMs - 1) + 1, toMs: Infinity }
      const refold = new Refold(run, { from, changed, fired })
      const runs = byIndex.get(rule.indexId)
      if (runs === undefined) byIndex.set(rule.indexId, [{ place, run, refold }])
      else runs.push({ place, run, refold })
    })
    for (const [id, runs] of byIndex) {
      const fromMs = Math.min(...runs.map(({ refold }) => refold.fromMs))
      await answered(() => this.#fold(id, { fromMs, toMs: maxTimeMs, cause: 'history' }, runs))
    }
    if (this.#due.size > 0) this.#start()
  }

  /** Resolves when no refold is running. */
  async idle(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Discards running work. The next start resumes it from the history. */
  stop(): void {
    this.#isStopped = true
    this.#cancelRetry?.()
  }

  #written(awaited: Awaited, outcome: Outcome<Learned[]>): void {
    if (this.#isStopped) return
    if (!outcome.ok) {
      awaited.isRefused = true
      return
    }
    this.#awaited = this.#awaited.filter((each) => each !== awaited)
    const { id, due, isRefused } = awaited
    const learned = outcome.value.find((each) => each.id === id)
    if (isRefused) this.#add(id, due)
    else if (learned !== undefined) this.#add(id, { ...due, fromMs: Math.max(due.fromMs, learned.fromMs) })
    else {
      this.#noteDue(id)
      void this.#options.commits.store()
    }
  }

  #add(id: IndexId, due: Due): void {
    this.#due.set(id, union(due, this.#due.get(id)))
    this.#start()
  }

  /** Stores which range of an index is still to be refolded. Returns whether that changed. */
  #noteDue(id: IndexId): boolean {
    return this.#options.records.due(id, this.dueOf(id))
  }

  #start(): void {
    if (this.#isStopped) return
    this.#work ??= this.#runAll().finally(() => {
      this.#work = undefined
    })
  }

  async #runAll(): Promise<void> {
    for (;;) {
      // No value that waits for its evaluation may be lost to a refold.
      while (this.#options.commits.isBusy) await this.#options.commits.idle()
      const [next] = this.#due
      if (next === undefined) return
      const [id, due] = next
      this.#due.delete(id)
      this.#running = { id, due }
      const folded = await answered(async () => this.#fold(id, due, await this.#runsOf(id, due)))
      const isDone = folded.ok && folded.value
      this.#running = undefined
      // Also after `stop`: the next start resumes what is due here.
      if (!isDone) this.#due.set(id, union(due, this.#due.get(id)))
      if (this.#isStopped) return
      if (isDone) continue
      this.#options.onPostponed(id)
      this.#cancelRetry?.()
      this.#cancelRetry = this.#options.clock.after(retryMs, () => this.#start())
      return
    }
  }

  /** The runs that a change can reach. */
  async #runsOf(id: IndexId, due: Due): Promise<FoldingRun[]> {
    const { rules, records } = this.#options
    const found: FoldingRun[] = []
    for (const place of rules.ofIndex(id)) {
      const { number, rule } = place.record.run
      const past = number > 1 ? await records.runsBefore(rule.id, due.fromMs) : []
      for (const run of [...past, place.record.run]) {
        // Before an edit the rule may have had another index or a condition that is not folded.
        if (run.rule.indexId !== id || !isFolded(run.rule.terms)) continue
        if (run.fromMs === undefined || run.fromMs > due.toMs) continue
        const around = await records.around(run, due.fromMs)
        const { from, fired } = around
        const { last } = place.record.memory
        const hasSeenAll = last === undefined || last.publishedAtMs >= due.toMs || run.toMs !== undefined
        // The rule had fired once and finished, so later values do not count. It still has to see them: if the firing is
        // undone, they count again.
        if (from?.state.isDone === true && fired.length === 0 && hasSeenAll) continue
        const untilMs = last === undefined ? Infinity : Math.max(due.toMs, last.publishedAtMs)
        found.push({ place, run, refold: new Refold(run, { ...around, changed: due, untilMs }) })
      }
    }
    return found
  }

  /** Returns false if it was stopped. */
  async #fold(id: IndexId, due: Due, runs: readonly FoldingRun[]): Promise<boolean> {
    const { inbox, onFolded, rules } = this.#options
    const isRead = runs.length === 0 || (await this.#read(id, runs))
    if (!isRead) return false
    const folded: FoldedRun[] = []
    await inTurns(this.#options.clock, runs, ({ place, run, refold }) => {
      const refolded = refold.end()
      if (refolded !== undefined) folded.push({ place, run, refolded })
    })
    const events = new Map<string, AlertEvent>()
    for (const difference of folded.flatMap(({ refolded }) => refolded.differences)) {
      const event = difference.kind === 'late' ? undefined : await inbox.get(difference.eventId)
      if (event !== undefined) events.set(event.id, event)
    }
    if (this.#isStopped) return false
    // A rule that was edited or re-armed in the meantime has a new run, and the folded one has ended.
    const present = new Set(rules.ofIndex(id))
    const hasBegunAgain = folded.some(({ place, run }) => !present.has(place) && run.endedAtMs === undefined)
    if (hasBegunAgain) this.#due.set(id, union(due, this.#due.get(id)))
    this.#running = undefined
    const isPresent = ({ place }: FoldedRun) => present.has(place)
    onFolded({ id, due, runs: folded.filter(isPresent), events, hasDueChanged: this.#noteDue(id) })
    return true
  }

  async #read(id: IndexId, runs: readonly FoldingRun[]): Promise<boolean> {
    const { records, cadenceOf } = this.#options
    const fromMs = Math.min(...runs.map(({ refold }) => refold.fromMs))
    const toMs = Math.min(maxTimeMs, Math.max(...runs.map(({ refold }) => refold.untilMs)))
    const limit = Math.max(paging.minValues, Math.min(paging.maxValues, Math.floor(paging.maxSteps / runs.length)))
    const cadence = cadenceOf(id)
    const query = { id, fromMs, toMs, limit }
    for await (const page of records.values(query)) {
      if (this.#isStopped) return false
      const left = runs.filter(({ refold }) => !refold.isOver)
      await inTurns(this.#options.clock, page, (value) => {
        const publication = publicationOf(value)
        const source = sourceOf(value)
        for (const { refold } of left) refold.see(publication, source, cadence)
      })
      if (left.every(({ refold }) => refold.isOver)) break
    }
    return true
  }
}

interface FoldingRun {
  place: Place
  run: Run
  refold: Refold
}

/** The smallest range that contains both. */
function union(a: Due, b: Due = a): Due {
  const cause = a.cause === 'history' || b.cause === 'history' ? 'history' : 'amendment'
  return { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs), cause }
}
