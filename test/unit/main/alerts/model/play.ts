/** Plays a script to the engine and to the definitions, and reports their first difference. */
import { AlertEngine } from '../../../../../main/alerts/engine'
import { publicationOf as barePublication, sourceOf, type Source } from '../../../../../core/publication'
import { HeldValues } from '../../../../../main/connections/held-values'
import { QuoteStore } from '../../../../../main/quotes/quote-store'
import type {
  Queries,
  QueryName,
  HistoryAccess,
  StoredValue,
  WriteBatch,
  ValueOrigin,
} from '../../../../../main/history-store/contract'
import type { AlertEvent } from '../../../../../core/alert-events'
import type { AlertDraft, AlertRule, RuleValidity } from '../../../../../core/alerts'
import type { Publication } from '../../../../../core/model'
import { FakeClock } from '../../../../support/fake-clock'
import { MemoryHistory } from '../../../../support/memory-history'
import { RecordedLog } from '../../../../support/recorded-log'
import type { Entry } from './definitions'
import { ReferenceRun } from './reference-run'
import type { Script, Step, Wish } from './scripts'
import { valueOf } from '../../../../support/value-of'

const startMs = Date.UTC(2023, 10, 1, 12)

/** A planted fault: changes something between the script and the engine. */
export interface Fault {
  rule?: (draft: AlertDraft) => AlertDraft
  seen?: (publication: Publication) => Publication
  /** Late and amended values are not refolded. */
  forgetsThePast?: true
  /** All values have the same source. */
  forgetsSources?: true
  /** How far a value may be ahead of its time. */
  maxAheadMs?: number
  /** Undoing a deletion creates the rule anew. */
  remakesDeleted?: true
  /** Values received while the rule is deleted are stored, but the rule is not told. */
  forgetsWhileDeleted?: true
  /** Changes what the engine writes. */
  turn?: (turn: WriteBatch) => WriteBatch
}

export interface Played {
  firings: number
  /** Retracted, confirmed or late events. */
  changes: number
  /** What each side said at the first step where they differ. */
  difference?: { step: number; app: string; definitions: string }
}

const kinds = new Set(['fired', 'lateByAmendment', 'lateFromHistory', 'retracted', 'confirmed'])

function draftOf(wish: Wish): AlertDraft {
  return { ...wish, indexId: 'BRTI', severity: 'normal' }
}

function publicationOf({ atMs, value, isRepeat, amendedAtMs }: Entry): Publication {
  return {
    value,
    publishedAtMs: atMs,
    ...(amendedAtMs >= 0 && { amendedAtMs }),
    ...(isRepeat && { isRepeatOfPrevious: true as const }),
  }
}

/** A history that a killed engine can no longer reach. */
class Line implements HistoryAccess {
  isCut = false
  readonly #history: MemoryHistory
  readonly #change: (turn: WriteBatch) => WriteBatch

  constructor(history: MemoryHistory, change: (turn: WriteBatch) => WriteBatch = (turn) => turn) {
    this.#history = history
    this.#change = change
  }

  append(values: readonly StoredValue[]): void {
    if (!this.isCut) this.#history.append(values)
  }

  commit(turn: WriteBatch): ReturnType<HistoryAccess['commit']> {
    return this.isCut ? new Promise(() => undefined) : this.#history.commit(this.#change(turn))
  }

  query<Q extends QueryName>(
    name: Q,
    params: Queries[Q]['params'],
  ): ReturnType<HistoryAccess['query']> & Promise<never> {
    const answer = this.isCut ? new Promise(() => undefined) : this.#history.query(name, params)
    return answer as ReturnType<HistoryAccess['query']> & Promise<never>
  }
}

/** The service's time as the app knows it. */
class Time {
  readonly #clock: FakeClock
  readonly #startedAtMs: number
  readonly #maxAheadMs: number

  constructor(clock: FakeClock, maxAheadMs = 2_000) {
    this.#clock = clock
    this.#startedAtMs = clock.monotonicMs()
    this.#maxAheadMs = maxAheadMs
  }

  nowMs(): number {
    return startMs + this.#clock.monotonicMs() - this.#startedAtMs
  }

  isAhead(publishedAtMs: number): boolean {
    return publishedAtMs > this.nowMs() + this.#maxAheadMs
  }
}

/** The engine as in the app, with a quote store, held values and a history. */
class AppRun {
  readonly #history = new MemoryHistory()
  readonly #clock: FakeClock
  readonly #fault: Fault
  #line: Line
  #engine: AlertEngine
  #quotes: QuoteStore
  #ruleId = ''
  #wish: Wish | undefined
  #isDeleted = false
  #source: Source = { id: 'A', name: 'Desk A' }
  #ids = 0
  #read = 0
  readonly #labels = new Map<string, string>()
  readonly #time: Time
  #held: HeldValues

  constructor(clock: FakeClock, fault: Fault) {
    this.#clock = clock
    this.#fault = fault
    this.#time = new Time(clock, fault.maxAheadMs)
    this.#held = this.#newHeld()
    ;[this.#line, this.#engine, this.#quotes] = this.#open()
  }

  async use(): Promise<void> {
    await this.#engine.use()
  }

  async begin(wish: Wish, first: 'wait' | 'fire'): Promise<void> {
    const made = valueOf(await this.#engine.create(this.#draft(wish), first, this.#quotes.get('BRTI')))
    this.#ruleId = made.id
    this.#wish = wish
    // Created after the rule, so that the order shows. Its index publishes nothing.
    const other = { ...draftOf(wish), indexId: 'OTHER' }
    await this.#engine.create(other, 'wait', undefined)
  }

  async edit(wish: Wish, first: 'wait' | 'fire'): Promise<void> {
    valueOf(await this.#engine.edit(this.#ruleId, this.#draft(wish), first, this.#quotes.get('BRTI')))
    this.#wish = wish
  }

  async noteReach(reach: RuleValidity | undefined): Promise<void> {
    await this.#engine.noteReach(new Map([[this.#ruleId, reach]]))
  }

  async snooze(isOn: boolean): Promise<void> {
    const scope = { of: 'rule', ruleId: this.#ruleId } as const
    await (isOn ? this.#engine.snooze(scope, null) : this.#engine.endSnooze(scope))
  }

  async remove(): Promise<void> {
    valueOf(await this.#engine.remove(this.#ruleId))
    this.#isDeleted = true
  }

  /** Returns whether the deletion could be undone. */
  async putBack(): Promise<boolean> {
    this.#isDeleted = false
    if (this.#fault.remakesDeleted === undefined) return (await this.#engine.putBack(this.#ruleId)).ok
    if (this.#wish !== undefined) await this.begin(this.#wish, 'wait')
    return true
  }

  /** The view of the rule. */
  get view(): string {
    const views = this.#engine.views()
    const place = views.findIndex(({ id }) => id === this.#ruleId)
    const view = views[place]
    if (view === undefined) return 'none'
    const isSnoozed = this.#engine.snoozes().some(({ scope }) => scope.of === 'rule' && scope.ruleId === view.id)
    return viewText({ ...view, place, isSnoozed })
  }

  /** Switches to another connection. */
  turnTo(source: string): void {
    this.#source = this.#fault.forgetsSources === undefined ? { id: source, name: `Desk ${source}` } : this.#source
    this.#quotes.demote(['BRTI'])
    this.#held.forget('BRTI')
  }

  receive(entry: Entry): void {
    const publication = this.#fault.seen?.(publicationOf(entry)) ?? publicationOf(entry)
    if (!this.#held.take('BRTI', publication, 'stream')) this.#take(publication)
  }

  #take(publication: Publication): void {
    this.#line.append([this.#storedValue(publication, 'stream')])
    this.#quotes.apply('BRTI', publication, 'stream', this.#source)
  }

  #newHeld(): HeldValues {
    return new HeldValues({
      clock: this.#clock,
      time: this.#time,
      release: ({ publication }) => this.#take(publication),
      onHeld: () => undefined,
    })
  }

  learn(entries: readonly Entry[]): void {
    const publications = entries.map(publicationOf)
    const values = publications.map((each) => this.#storedValue(each, 'catchUp'))
    this.#engine.learnedLate('BRTI', publications, this.#line.commit({ values }), this.#source)
  }

  /** Ends the app in order or kills it, then starts it again. */
  async restart(isKilled: boolean): Promise<void> {
    if (!isKilled) {
      this.#engine.dispose()
      await this.#engine.flush()
    }
    this.#line.isCut = true
    this.#held.dispose()
    this.#held = this.#newHeld()
    const latest = this.#history.query('latest', null)
    ;[this.#line, this.#engine, this.#quotes] = this.#open()
    const known = await latest
    if (known.ok) {
      const [value] = known.value
      const quotes = known.value.map((each) => ({ ...barePublication(each), id: 'BRTI', source: 'cache' as const }))
      this.#quotes.seed(quotes, () => value && sourceOf(value))
    }
    await this.#engine.use()
  }

  /** Ends the run of the app. */
  end(): void {
    this.#line.isCut = true
    this.#held.dispose()
    this.#history.giveBack()
  }

  /** Waits for all pending work. */
  settled(): Promise<void> {
    return this.#engine.flush()
  }

  /** The events recorded since the last call, oldest first. */
  async lines(): Promise<string[]> {
    await this.#engine.flush()
    const news = this.#engine
      .inbox()
      .filter(({ number }) => number > this.#read)
      .reverse()
    this.#read = news.at(-1)?.number ?? this.#read
    return news.filter(({ kind }) => kinds.has(kind)).map((event) => this.#lineOf(event))
  }

  #lineOf({ id, kind, inputs, aboutEventId = '' }: AlertEvent): string {
    const { publishedAtMs = 0, value = '', direction = '' } = inputs
    if (kind === 'retracted') return `retracted ${this.#labels.get(aboutEventId) ?? '?'}`
    if (kind === 'confirmed') return `confirmed ${this.#labels.get(aboutEventId) ?? '?'} ${publishedAtMs} ${value}`
    this.#labels.set(id, `${publishedAtMs}${direction}`)
    return `${kind} ${publishedAtMs}${direction} ${value}`
  }

  get #isForgotten(): boolean {
    return this.#isDeleted && this.#fault.forgetsWhileDeleted !== undefined
  }

  #draft(wish: Wish): AlertDraft {
    return this.#fault.rule?.(draftOf(wish)) ?? draftOf(wish)
  }

  #storedValue(publication: Publication, origin: ValueOrigin): StoredValue {
    const { id: connectionId, name: connection } = this.#source
    return { ...publication, id: 'BRTI', learnedAtMs: this.#clock.wallMs(), origin, connection, connectionId }
  }

  #open(): [Line, AlertEngine, QuoteStore] {
    const clock = this.#clock
    const line = new Line(this.#history, this.#fault.turn)
    const onError = (error: unknown) => {
      throw error
    }
    const engine = new AlertEngine({
      clock,
      newId: () => `e${++this.#ids}`,
      log: new RecordedLog(),
      history: line,
      cadenceOf: () => 'PER_SECOND',
      originOf: () => ({ connection: 'Desk', isDemo: false }),
      sourceOf: (id) => quotes.sourceOf(id),
    })
    const quotes = new QuoteStore({ clock, onError })
    quotes.events.on('changed', ({ previous, next, by, isBehind }) => {
      if (this.#isForgotten) return
      if (this.#fault.forgetsThePast === undefined || previous?.publishedAtMs !== next.publishedAtMs) {
        engine.consider(previous, next, by, isBehind)
      }
    })
    quotes.events.on('past', ({ id, publication, by }) => {
      if (this.#fault.forgetsThePast === undefined && !this.#isForgotten) engine.considerPast(id, publication, by)
    })
    return [line, engine, quotes]
  }
}

/** Both sides with the index that they watch. */
class Stage {
  readonly #clock = new FakeClock(startMs + 60_000)
  readonly #startedAtMs = this.#clock.monotonicMs()
  readonly #app: AppRun
  readonly #runs: ReferenceRun[] = []
  /** All published values, in order, in their latest revision. */
  #published: Entry[] = []
  /** Values published while disconnected. The next outage delivers them late. */
  #missed: Entry[] = []
  #amendments = 0
  #source = 'A'
  /** Values ahead of their time, in order. */
  #ahead: Entry[] = []
  /** Results of held values whose time came in this step. */
  #fromAhead: string[] = []
  /** Whether the newest value was received since app start. A cached value begins no rule. */
  #isReceived = false
  #atOnce: string[] = []
  /** When the newest value was received, on the monotonic clock. */
  #receivedAtMs = 0
  #latestMs = 0
  #version = 1
  #reach: RuleValidity | undefined
  #isSnoozed = false
  /** Steps until the deletion is undone. */
  #deletedSteps: number | undefined

  private constructor(fault: Fault) {
    this.#app = new AppRun(this.#clock, fault)
  }

  static async open({ wish, first, before }: Script, fault: Fault): Promise<Stage> {
    const stage = new Stage(fault)
    await stage.#app.use()
    for (const { afterMs, value, isRepeat } of before.received)
      await stage.#value({ kind: 'value', afterMs, value, isRepeat })
    await stage.#miss(before.missed)
    const made = stage.#begin(wish, first)
    await stage.#app.begin(wish, first)
    // A firing at creation is reported with the first step.
    stage.#atOnce = made
    return stage
  }

  /** The lines of the app and of the definitions for a step. */
  async play(step: Step): Promise<[string[], string[]]> {
    const undone = this.#deletedSteps === 0 ? await this.#undo() : []
    if (this.#deletedSteps !== undefined) this.#deletedSteps--
    const lines = await this.#do(step)
    const defined = [...this.#atOnce, ...undone, ...lines, ...this.#fromAhead]
    this.#atOnce = []
    this.#fromAhead = []
    return [await this.#app.lines(), defined]
  }

  end(): void {
    this.#app.end()
  }

  /** The view of the rule in the app and by the definitions. */
  views(): [string, string] {
    if (this.#isDeleted) return [this.#app.view, 'none']
    const phase = this.#runs.at(-1)?.phase ?? 'none'
    return [
      this.#app.view,
      viewText({ place: 0, version: this.#version, phase, reach: this.#reach, isSnoozed: this.#isSnoozed }),
    ]
  }

  async #do(step: Step): Promise<string[]> {
    if (step.kind !== 'clock') this.#setRight(this.#newestMs)
    switch (step.kind) {
      case 'value':
        return this.#value(step)
      case 'source':
        if (step.source === this.#source) return []
        this.#source = step.source
        this.#isReceived = false
        this.#ahead = []
        this.#app.turnTo(step.source)
        return []
      case 'ahead':
        return this.#comeAhead(step)
      case 'amend': {
        const entry = this.#published.at(-1 - step.back)
        // No source amends a value of another. Its first value is its latest, even if it is old.
        if (entry?.source !== this.#source || this.#isFirstOfSource) return []
        return this.#amend(
          { ...entry, value: step.value, isRepeat: step.isRepeat },
          step.isLater ? undefined : entry.amendedAtMs,
        )
      }
      case 'amendUnseen':
      case 'late': {
        const atMs = (this.#published.at(-1 - step.back)?.atMs ?? startMs) - 500
        // There is a value at the time of a missed one.
        const isTaken = [...this.#published, ...this.#missed].some((each) => each.atMs === atMs)
        // The first value of a source is its latest, even if it is old, so it is not late.
        if (this.#published.length === 0 || isTaken || this.#isFirstOfSource) return []
        const entry = { atMs, value: step.value, isRepeat: false, amendedAtMs: -1, source: this.#source }
        if (step.kind === 'amendUnseen') return this.#amend(entry)
        this.#put(entry)
        this.#receive(entry)
        return this.#learn([entry], 'history')
      }
      case 'outage':
        return this.#outage(step)
      case 'restart':
        return this.#restart(step)
      case 'clock':
        this.#clock.jumpWall(step.byMs)
        return []
      case 'edit': {
        if (this.#isDeleted) return []
        await this.#miss(step.missed)
        await this.#advance(step.afterMs)
        const lines = this.#begin(step.wish, step.first)
        await this.#app.edit(step.wish, step.first)
        this.#version++
        this.#reach = undefined
        return lines
      }
      case 'reach':
        if (this.#isDeleted) return []
        this.#reach = reaches[step.reach]
        await this.#app.noteReach(this.#reach)
        return []
      case 'snooze':
        if (this.#isDeleted) return []
        this.#isSnoozed = step.isOn
        await this.#app.snooze(step.isOn)
        return []
      case 'delete':
        if (this.#isDeleted) return []
        this.#deletedSteps = step.forSteps
        for (const run of this.#runs) run.isDeleted = true
        await this.#app.remove()
        return []
    }
  }

  get #isDeleted(): boolean {
    return this.#deletedSteps !== undefined
  }

  /** The rule is restored. Values since its deletion arrive late. */
  async #undo(): Promise<string[]> {
    if (!this.#isDeleted || this.#deletedSteps === Infinity) return []
    this.#deletedSteps = undefined
    const isUndone = await this.#app.putBack()
    // Otherwise the next value would also count as late.
    await this.#app.settled()
    return isUndone ? this.#runs.flatMap((run) => run.putBack()) : ['undone']
  }

  /** The rule begins, with the latest value if that was received. */
  #begin(wish: Wish, first: 'wait' | 'fire'): string[] {
    const last = this.#published.at(-1)
    const isReceived = this.#isReceived && last !== undefined
    // The time of that value plus the time since its receipt. A value published in this very millisecond comes later.
    const nowMs = isReceived ? last.atMs + this.#clock.monotonicMs() - this.#receivedAtMs : this.#clock.serviceMs()
    const keptMs = last?.atMs ?? 0
    const atMs = Math.max(keptMs, nowMs - 1)
    const run = new ReferenceRun(ruleOf(wish), first, { atMs, ...(!isReceived && { keptMs }) })
    this.#runs.at(-1)?.end(run)
    this.#runs.push(run)
    return isReceived ? run.see(last) : []
  }

  async #value({ afterMs, value, isRepeat }: Extract<Step, { kind: 'value' }>): Promise<string[]> {
    const entry = await this.#next(afterMs, value, isRepeat)
    this.#put(entry)
    this.#receive(entry)
    return this.#see(entry)
  }

  /** The next value. Earlier runs may own it. */
  #see(entry: Entry): string[] {
    const last = this.#runs.at(-1)
    const lines = last?.see(entry) ?? []
    return [...lines, ...this.#runs.flatMap((run) => (run === last ? [] : run.learn([entry], 'history')))]
  }

  /** Up to two seconds ahead it counts at once, else at its time. */
  #comeAhead({ byMs, value }: Extract<Step, { kind: 'ahead' }>): string[] {
    const atMs = this.#nowMs + byMs
    const entry = { atMs, value, isRepeat: false, amendedAtMs: -1, source: this.#source }
    if (atMs <= this.#newestMs || this.#ahead.some((each) => each.atMs === atMs)) return []
    this.#setRight(atMs - 250_000)
    if (byMs <= 2_000) {
      this.#put(entry)
      this.#receive(entry)
      return this.#see(entry)
    }
    this.#app.receive(entry)
    this.#ahead = [...this.#ahead, entry].sort((a, b) => a.atMs - b.atMs)
    return []
  }

  /** Time passes, and held values are released in order. */
  async #advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms
    for (let [next] = this.#ahead; next !== undefined && next.atMs <= endMs; [next] = this.#ahead) {
      this.#ahead.shift()
      this.#setRight(next.atMs)
      this.#clock.advance(next.atMs - this.#nowMs)
      // A value that was less far ahead may have come first.
      const isLate = next.atMs < (this.#published.at(-1)?.atMs ?? 0)
      this.#put(next)
      this.#noteReceived(next)
      this.#fromAhead.push(...(isLate ? this.#learn([next], 'history') : this.#see(next)))
      // A late value is evaluated before the next one comes.
      if (isLate) await this.#app.settled()
    }
    this.#clock.advance(endMs - this.#nowMs)
  }

  get #isFirstOfSource(): boolean {
    return this.#published.at(-1)?.source !== this.#source
  }

  /** The service's time. */
  get #nowMs(): number {
    return startMs + this.#clock.monotonicMs() - this.#startedAtMs
  }

  #amend(to: Entry, sameMs?: number): string[] {
    // Of two texts for one revision, the later by code units is kept.
    const known = this.#published.find(({ atMs }) => atMs === to.atMs)
    if (sameMs !== undefined && (sameMs < 0 || known === undefined || to.value <= known.value)) return []
    const amended = { ...to, amendedAtMs: sameMs ?? startMs + ++this.#amendments }
    this.#put(amended)
    const isFirst = !this.#isReceived && amended.atMs === this.#published.at(-1)?.atMs
    this.#receive(amended)
    const lines = this.#learn([amended], 'amendment')
    return isFirst ? [...lines, ...this.#see(amended)] : lines
  }

  /** Values are missed, a live one comes, and then the missed ones arrive in parts. */
  async #outage({ missed, order, afterMs, value }: Extract<Step, { kind: 'outage' }>): Promise<string[]> {
    await this.#miss(missed)
    // The current source delivers them.
    const entries = this.#missed.map((entry) => ({ ...entry, source: this.#source }))
    this.#missed = []
    for (const entry of entries) this.#put(entry)
    const live = await this.#next(afterMs, value, false)
    this.#put(live)
    this.#receive(live)
    const lines = this.#see(live)
    // The previous run may own it.
    if (this.#runs.length > 1) await this.#app.settled()
    return this.#learnInParts(order === 'whole' ? [entries] : partsOf(entries, order), lines)
  }

  async #learnInParts(parts: Entry[][], lines: string[]): Promise<string[]> {
    for (const part of parts) {
      this.#app.learn(part)
      // One after the other, as the service answers.
      await this.#app.settled()
      lines.push(...this.#learn(part, 'history'))
    }
    return lines
  }

  async #restart({ isKilled, comesAgain, amendedTo }: Extract<Step, { kind: 'restart' }>): Promise<string[]> {
    const undone = await this.#undo()
    await this.#app.restart(isKilled)
    if (this.#isDeleted && (await this.#app.putBack())) return ['refused']
    this.#isReceived = false
    this.#ahead = []
    const last = this.#published.at(-1)
    if (!comesAgain || last?.source !== this.#source) return undone
    if (amendedTo !== undefined) return [...undone, ...this.#amend({ ...last, value: amendedTo, isRepeat: false })]
    this.#receive(last)
    // If the rule began without a value, this is its first.
    return [...undone, ...this.#see(last)]
  }

  #receive(entry: Entry): void {
    this.#app.receive(entry)
    this.#noteReceived(entry)
  }

  #noteReceived(entry: Entry): void {
    const newestMs = this.#published.at(-1)?.atMs ?? 0
    if (entry.atMs !== newestMs || (this.#isReceived && newestMs === this.#latestMs)) return
    this.#isReceived = true
    this.#latestMs = newestMs
    this.#receivedAtMs = this.#clock.monotonicMs()
  }

  async #miss(missed: Extract<Step, { kind: 'outage' }>['missed']): Promise<void> {
    for (const { afterMs, value, isRepeat } of missed) this.#missed.push(await this.#next(afterMs, value, isRepeat))
  }

  /** Corrects a clock that was set back before anything is published, because values far ahead of it are refused. */
  #setRight(atMs: number): void {
    this.#clock.jumpWall(Math.max(0, atMs - this.#clock.wallMs()))
  }

  get #newestMs(): number {
    return Math.max(this.#published.at(-1)?.atMs ?? 0, this.#missed.at(-1)?.atMs ?? 0)
  }

  async #next(afterMs: number, value: string, isRepeat: boolean): Promise<Entry> {
    await this.#advance(afterMs)
    let atMs = Math.max(this.#newestMs + 1, this.#nowMs)
    // No service publishes two values for one time, and held values come first.
    while (this.#ahead.some((each) => each.atMs <= atMs)) {
      await this.#advance(atMs - this.#nowMs)
      atMs = Math.max(this.#newestMs + 1, this.#nowMs)
    }
    this.#setRight(atMs)
    return { atMs, value, isRepeat, amendedAtMs: -1, source: this.#source }
  }

  #put(entry: Entry): void {
    this.#published = [...this.#published.filter(({ atMs }) => atMs !== entry.atMs), entry]
    this.#published.sort((a, b) => a.atMs - b.atMs)
  }

  #learn(entries: readonly Entry[], kind: 'amendment' | 'history'): string[] {
    return this.#runs.flatMap((run) => run.learn(entries, kind))
  }
}

function partsOf(entries: readonly Entry[], order: 'backwards' | 'halves'): Entry[][] {
  if (order === 'backwards') return entries.map((entry) => [entry]).reverse()
  const middle = Math.ceil(entries.length / 2)
  return [entries.slice(middle), entries.slice(0, middle)].filter((part) => part.length > 0)
}

const reaches: Record<Extract<Step, { kind: 'reach' }>['reach'], RuleValidity | undefined> = {
  unchecked: 'unchecked',
  cannotFire: { cannotFire: 'The service no longer has BRTI.', sinceMs: startMs },
  canFire: undefined,
}

interface Shown {
  place: number
  version: number
  phase: string
  reach?: RuleValidity | undefined
  isSnoozed: boolean
}

function viewText({ place, version, phase, reach, isSnoozed }: Shown): string {
  return `rule ${place} version ${version}: ${phase} ${JSON.stringify(reach ?? 'canFire')}${isSnoozed ? ' snoozed' : ''}`
}

function ruleOf(wish: Wish): AlertRule {
  return { ...draftOf(wish), id: 'r', version: 1, createdAtMs: startMs }
}

/** This many firings within three minutes suspend a rule (alert engine, 14), which these definitions omit. */
const maxFirings = 15

export async function play(script: Script, fault: Fault = {}): Promise<Played> {
  const stage = await Stage.open(script, fault)
  try {
    return await playOn(stage, script)
  } finally {
    stage.end()
  }
}

async function playOn(stage: Stage, script: Script): Promise<Played> {
  const played: Played = { firings: 0, changes: 0 }
  let count = 0
  for (const [at, step] of script.steps.entries()) {
    const [app, reference] = await stage.play(step)
    const [appView, referenceView] = stage.views()
    const firings = app.filter((line) => /^(fired|lateByAmendment) /.test(line)).length
    count += firings
    // From here on the policy decides, which has its own tests.
    if (appView.includes(' suspended ') && count >= maxFirings) return played
    const [said, defined] = [[...app.sort(), appView].join('\n'), [...reference.sort(), referenceView].join('\n')]
    if (said !== defined) return { ...played, difference: { step: at, app: said, definitions: defined } }
    played.firings += firings
    played.changes += app.length - firings
  }
  return played
}
