/**
 * What the alert engine stores in the history: rules with their runs, states and firings, events, and policy states.
 */
import * as v from 'valibot'
import { inputsSchema } from '../../core/alert-inputs'
import { snoozeSchema, type AlertSnooze } from '../../core/alerts'
import { ruleSchema } from '../../core/alert-schema'
import { timeSchema } from '../../core/shapes'
import type { AlertEvent, InboxPage, InboxQuery } from '../../core/alert-events'
import { resolutions, type IndexId, type Outcome } from '../../core/model'
import { answered } from '../base/answered'
import type { Clock } from '../base/clock'
import { parseJson } from '../base/sanitize'
import { inTurns } from '../base/work-queue'
import { asking, valuePages, type Ask } from '../history-store/asking'
import type {
  Learned,
  Queries,
  RuleCheckpoint,
  RuleFiring,
  RuleRun,
  HistoryAccess,
  StoredDocument,
  StoredValue,
  WriteBatch,
} from '../history-store/contract'
import { readPolicy, type RulePolicyState } from './policy/notification-policy'
import { firstAmong, newRecord, type Checkpoint, type Due, type Firing, type RuleRecord, type Run } from './record'
import type { Refolded } from './refold'
import type { Refusal } from './refusals'
import { initialState, stateSchema } from '../../core/evaluation/state'

/** What the engine reads at its start. */
export interface Kept {
  /** With the firings after their checkpoints. */
  rules: { record: RuleRecord; fired: Firing[] }[]
  snoozes: AlertSnooze[]
  due: [IndexId, Due][]
  /** The newest events, newest first. */
  events: AlertEvent[]
  unread: number
  lastNumber: number
  /** Number of entries that cannot be read. They stay in the history. */
  unreadableCount: number
}

const maxEventsInPage = 200

/** Key of the document with the snoozes. */
export const snoozesKey = 'alerts:snoozes'
const keys = { due: 'alerts:due:', policy: 'alerts:policy:', snoozes: snoozesKey, all: 'alerts:' }

const runSchema: v.GenericSchema<
  unknown,
  Pick<Run, 'rule' | 'first' | 'keptMs' | 'fromMs' | 'toMs' | 'cadence'> & { sinceMs?: number }
> = v.object({
  rule: ruleSchema,
  first: v.picklist(['wait', 'fire']),
  sinceMs: v.exactOptional(timeSchema),
  keptMs: v.exactOptional(timeSchema),
  fromMs: v.exactOptional(timeSchema),
  toMs: v.exactOptional(timeSchema),
  cadence: v.exactOptional(v.picklist(resolutions)),
})

const dueSchema: v.GenericSchema<unknown, Due> = v.object({
  fromMs: timeSchema,
  toMs: timeSchema,
  cause: v.picklist(['amendment', 'history']),
})

type Lists = Omit<
  Required<WriteBatch>,
  'values' | 'spans' | 'snapshots' | 'readThrough' | 'documents' | 'removedDocuments'
>
/** What the next commit writes. */
type Waiting = { -readonly [K in keyof Lists]: Lists[K][number][] }

function noRecords(): Waiting {
  return {
    rules: [],
    removedRules: [],
    runs: [],
    droppedFirings: [],
    firings: [],
    droppedCheckpoints: [],
    checkpoints: [],
    events: [],
  }
}

/**
 * Collects the decisions of a turn, so that they are written in one transaction with the values they depend on. Reads
 * stored entries. An entry that cannot be read stays in the history and is counted.
 */
export class Records {
  readonly #history: HistoryAccess
  readonly #ask: Ask
  #waiting = noRecords()
  /** New content by document key. Undefined deletes the document. */
  #documents = new Map<string, unknown>()
  /** Indices that have a stored range to refold. */
  readonly #dueIds = new Set<IndexId>()
  #readThrough: number | undefined
  /** Why nothing may be written to this history. Undefined if it may be. */
  refusal: Refusal | undefined = undefined

  constructor(history: HistoryAccess) {
    this.#history = history
    this.#ask = asking(history)
  }

  /** Checks thousands of rules in several turns. */
  read(clock: Clock): Promise<Outcome<Kept>> {
    return answered(async () => {
      const start = await this.#ask('alertStart', null)
      const documents = await this.#ask('documents', { prefix: keys.all })
      const { events } = await this.#page({})
      const { unread, lastNumber } = await this.#ask('eventCounts', null)
      const policies = await keptPolicies(documents, clock)
      const rules = await keptRules(start, policies.good, clock)
      const snoozes = keptSnoozes(documents)
      const unreadableCount = rules.badCount + policies.badCount + snoozes.badCount
      const due = keptDue(documents)
      for (const [id] of due) this.#dueIds.add(id)
      return { rules: rules.good, snoozes: snoozes.good, due, events, unread, lastNumber, unreadableCount }
    })
  }

  begin(record: RuleRecord): void {
    this.prepare(record)()
  }

  /** Does the slow part of `begin`. The returned function does the rest. */
  prepare({ run, position, policy }: RuleRecord): () => void {
    const { rule } = run
    const ruleRow = { id: rule.id, position, document: JSON.stringify(rule) }
    const runRow = toRunRow(run)
    return () => {
      if (Object.keys(policy).length > 0) this.policy(rule.id, policy)
      this.#waiting.rules.push(ruleRow)
      this.#waiting.runs.push(runRow)
    }
  }

  run(run: Run): void {
    this.#waiting.runs.push(toRunRow(run))
  }

  remove(ruleId: string): void {
    this.#waiting.removedRules.push(ruleId)
    this.policy(ruleId, {})
  }

  policy(ruleId: string, policy: RulePolicyState): void {
    this.#documents.set(keys.policy + ruleId, Object.keys(policy).length === 0 ? undefined : policy)
  }

  snoozes(snoozes: readonly AlertSnooze[]): void {
    this.#documents.set(keys.snoozes, snoozes)
  }

  checkpoint({ rule, number }: Run, checkpoint: Checkpoint): void {
    this.#waiting.checkpoints.push(toRow(rule.id, number, checkpoint))
  }

  firing({ rule, number }: Run, firing: Firing): void {
    this.#waiting.firings.push(firingRow(rule.id, number, firing))
  }

  /** Replaces the results of a run from the changed time on. Returns whether there is anything to write. */
  refolded({ rule, number: run }: Run, { from, settledAtMs, firings, checkpoints, replaces }: Refolded): boolean {
    const { id: ruleId } = rule
    const fromMs = from === undefined ? 0 : from.atMs + 1
    const until = settledAtMs === undefined ? {} : { toMs: settledAtMs }
    if (replaces.firings) this.#waiting.droppedFirings.push({ ruleId, run, fromMs, ...until })
    this.#waiting.firings.push(...firings.map((firing) => firingRow(ruleId, run, firing)))
    const kept = settledAtMs === undefined ? {} : { toMs: settledAtMs - 1 }
    if (replaces.checkpoints) this.#waiting.droppedCheckpoints.push({ ruleId, run, fromMs, ...kept })
    this.#waiting.checkpoints.push(...checkpoints.map((checkpoint) => toRow(ruleId, run, checkpoint)))
    return replaces.firings || replaces.checkpoints || firings.length + checkpoints.length > 0
  }

  event(event: AlertEvent): void {
    this.#waiting.events.push(event)
  }

  readThrough(number: number): void {
    this.#readThrough = number
  }

  /**
   * Stores the range of an index that is still to be refolded, so that it survives a crash. Returns whether anything
   * changed.
   */
  due(id: IndexId, due: Due | undefined): boolean {
    if (due === undefined && !this.#dueIds.delete(id)) return false
    if (due !== undefined) this.#dueIds.add(id)
    this.#documents.set(keys.due + id, due)
    return true
  }

  /** Writes everything collected, in one transaction with everything else of this turn of the event loop. */
  async commit(atMs: number): Promise<Outcome<Learned[]>> {
    if (this.refusal !== undefined) return this.refusal
    const documents = [...this.#documents]
    const turn: WriteBatch = {
      ...this.#waiting,
      documents: documents.flatMap(([key, kept]) =>
        kept === undefined ? [] : [{ key, atMs, document: JSON.stringify(kept) }],
      ),
      removedDocuments: documents.flatMap(([key, kept]) => (kept === undefined ? [key] : [])),
      readThrough: this.#readThrough,
    }
    this.#waiting = noRecords()
    this.#documents = new Map()
    this.#readThrough = undefined
    return this.#history.commit(turn)
  }

  /** A page of the inbox. It is read in parts, so that commits can run in between. */
  events(query: InboxQuery): Promise<Outcome<InboxPage>> {
    return answered(() => this.#page(query))
  }

  async #page(query: InboxQuery): Promise<InboxPage> {
    const { after } = query
    const events: AlertEvent[] = []
    const retractions: AlertEvent[] = []
    // Reads one more event than a page has, to see whether there are more.
    for (let place = {}; events.length <= maxEventsInPage;) {
      const limit = maxEventsInPage + 1 - events.length
      const { next, ...part } = await this.#ask('events', { ...query, ...place, limit })
      events.push(...part.events)
      retractions.push(...part.retractions)
      if (next === undefined) break
      place = after === undefined ? { before: next } : { after: next }
    }
    const page = events.slice(0, maxEventsInPage)
    const hasMore = events.length > maxEventsInPage
    return { events: after === undefined ? page : page.toReversed(), retractions, hasMore }
  }

  /** All events that match, newest first. Throws the message of a problem. */
  async *allEvents(query: InboxQuery): AsyncGenerator<AlertEvent[], void> {
    for (let before = query.before; ;) {
      const part = await this.#ask('events', { ...query, before })
      yield part.events
      before = part.next
      if (before === undefined) return
    }
  }

  /** Undefined if the event does not exist or cannot be read. */
  async eventOf(id: string): Promise<AlertEvent | undefined> {
    const found = await this.#history.query('event', { id })
    return found.ok ? (found.value ?? undefined) : undefined
  }

  // A query that fails rejects from here on. Call these within `answered`.

  /** All runs of a rule, oldest first. Each ends where a later run begins, or with the last value it has seen. */
  async runs(ruleId: string): Promise<Run[]> {
    const found = await this.#ask('runs', { ruleId })
    const runs = found.flatMap((row) => toRun(row) ?? [])
    return runs.map((run, at) => {
      const nextMs = Math.min(...runs.slice(at + 1).map(({ sinceMs }) => sinceMs))
      const toMs = Math.max(run.toMs ?? 0, nextMs)
      return { ...run, sinceMs: Math.min(run.sinceMs, nextMs), ...(toMs < Infinity && { toMs }) }
    })
  }

  /** The ended runs of a rule that may include values from this published time on. */
  async runsBefore(ruleId: string, fromMs: number): Promise<Run[]> {
    const runs = await this.runs(ruleId)
    const past: Run[] = []
    for (const run of runs.filter(({ toMs = -Infinity }) => toMs >= fromMs)) past.push(await this.withFirst(run))
    return past
  }

  /**
   * An ended run with its first value according to the history as it is now. The current run is returned unchanged,
   * because the engine keeps its first value up to date.
   */
  async withFirst(run: Run): Promise<Run> {
    const { rule, sinceMs, keptMs, fromMs, toMs } = run
    if (toMs === undefined) return run
    const found = await this.#ask('valueAt', { id: rule.indexId, atMs: sinceMs })
    const { revisions, nextPublishedAtMs = Infinity } = found
    const inEffectMs = revisions.at(-1)?.publishedAtMs ?? 0
    // False if the run's first value is no longer in the history and only an older one is.
    const isKnown = inEffectMs >= Math.min(fromMs ?? Infinity, (keptMs ?? Infinity) + 1)
    const firstMs = firstAmong(run, [...(isKnown ? [inEffectMs] : []), nextPublishedAtMs])
    const bare: Run = { ...run }
    delete bare.fromMs
    return firstMs > toMs ? bare : { ...bare, fromMs: firstMs }
  }

  /** The state of a run before a published time. Undefined if there is none, so that a refold begins with the run. */
  async stateBefore({ rule, number: run, fromMs = 0 }: Run, publishedAtMs: number): Promise<Checkpoint | undefined> {
    const found = await this.#ask('checkpointBefore', { ruleId: rule.id, run, publishedAtMs })
    const checkpoint = found === null ? undefined : toCheckpoint(found)
    // A state from before the first value belongs to an earlier first value.
    return checkpoint !== undefined && checkpoint.atMs >= fromMs ? checkpoint : undefined
  }

  /** The published time of the value in effect at a time. */
  async publishedBy(id: IndexId, atMs: number): Promise<number | undefined> {
    return (await this.#ask('valueAt', { id, atMs })).revisions.at(-1)?.publishedAtMs
  }

  /** What a refold from a published time needs: the state before it, and all later states and firings. */
  async around(run: Run, fromMs: number): Promise<{ from?: Checkpoint; later: Checkpoint[]; fired: Firing[] }> {
    const query = { ruleId: run.rule.id, run: run.number }
    const from = await this.stateBefore(run, fromMs)
    const later = await this.#ask('checkpoints', { ...query, fromMs })
    const fired = await this.#ask('firings', { ...query, fromMs: from === undefined ? 0 : from.atMs + 1 })
    return {
      from,
      later: later.flatMap((row) => toCheckpoint(row) ?? []),
      fired: fired.flatMap((row) => toFiring(row) ?? []),
    }
  }

  /** Pages of values, oldest first, each in its latest revision. */
  values(query: Omit<Queries['values']['params'], 'revisions' | 'after'>): AsyncGenerator<StoredValue[], void> {
    return valuePages(this.#ask, { ...query, revisions: 'latest' })
  }
}

function toRunRow({ number, rule, startedAtMs, endedAtMs, ...rest }: Run): RuleRun {
  const { first, sinceMs, keptMs, fromMs, toMs, cadence } = rest
  const document = JSON.stringify({ rule, first, sinceMs, keptMs, fromMs, toMs, cadence })
  return { ruleId: rule.id, run: number, document, startedAtMs, endedAtMs }
}

function toRow(ruleId: string, run: number, { atMs, state }: Checkpoint): RuleCheckpoint {
  return { ruleId, run, publishedAtMs: atMs, state: JSON.stringify(state) }
}

function firingRow(ruleId: string, run: number, { publishedAtMs, inputs, eventId }: Firing): RuleFiring {
  return {
    ruleId,
    run,
    publishedAtMs,
    document: JSON.stringify(inputs),
    direction: inputs.direction,
    eventId,
  }
}

function toCheckpoint({ publishedAtMs, state }: RuleCheckpoint): Checkpoint | undefined {
  const read = v.safeParse(stateSchema, parseJson(state))
  return read.success ? { atMs: publishedAtMs, state: read.output } : undefined
}

function toFiring({ publishedAtMs, document, eventId }: RuleFiring): Firing | undefined {
  const read = v.safeParse(inputsSchema, parseJson(document))
  return read.success ? { publishedAtMs, inputs: read.output, eventId } : undefined
}

function toRun({ run: number, document, startedAtMs, endedAtMs }: RuleRun): Run | undefined {
  const read = v.safeParse(runSchema, parseJson(document))
  if (!read.success) return undefined
  // Older entries have `sinceMs` only if the run began without a value.
  const { fromMs = startedAtMs, sinceMs = fromMs } = read.output
  return { number, startedAtMs, ...read.output, sinceMs, endedAtMs }
}

/** A state that cannot be read is replaced by an initial one and counted as unreadable. */
async function keptRules(
  { rules, runs, checkpoints, firings }: Queries['alertStart']['result'],
  policies: ReadonlyMap<string, RulePolicyState>,
  clock: Clock,
): Promise<{ good: Kept['rules']; badCount: number }> {
  const runOf = new Map(runs.map((row) => [row.ruleId, row]))
  const checkpointOf = new Map(checkpoints.map((row) => [row.ruleId, row]))
  const firingsOf = new Map<string, RuleFiring[]>()
  for (const firing of firings) {
    const known = firingsOf.get(firing.ruleId)
    if (known === undefined) firingsOf.set(firing.ruleId, [firing])
    else known.push(firing)
  }
  let badCount = 0
  const good: Kept['rules'] = []
  await inTurns(clock, rules, ({ id, position }) => {
    const row = runOf.get(id)
    const run = row && toRun(row)
    if (run?.rule.id !== id) {
      badCount++
      return
    }
    const kept = checkpointOf.get(id)
    const fired = (firingsOf.get(id) ?? []).flatMap((firing) => toFiring(firing) ?? [])
    let checkpoint: Checkpoint | undefined
    if (kept !== undefined && kept.publishedAtMs >= (run.fromMs ?? 0)) {
      checkpoint = toCheckpoint(kept)
      if (checkpoint === undefined) badCount++
      checkpoint ??= { atMs: kept.publishedAtMs, state: initialState('wait') }
    }
    const record = { ...newRecord(run, position, checkpoint), policy: policies.get(id) ?? {} }
    good.push({ record, fired })
  })
  return { good, badCount }
}

/** By rule id. */
async function keptPolicies(
  documents: readonly StoredDocument[],
  clock: Clock,
): Promise<{ good: Map<string, RulePolicyState>; badCount: number }> {
  const good = new Map<string, RulePolicyState>()
  let badCount = 0
  await inTurns(clock, documents, ({ key, document }) => {
    if (!key.startsWith(keys.policy)) return
    const policy = readPolicy(parseJson(document))
    if (policy === undefined) badCount++
    else good.set(key.slice(keys.policy.length), policy)
  })
  return { good, badCount }
}

/** Skips single entries that cannot be read. */
function keptSnoozes(documents: readonly StoredDocument[]): { good: AlertSnooze[]; badCount: number } {
  const kept = documents.find(({ key }) => key === keys.snoozes)
  const list = v.safeParse(v.array(v.unknown()), kept === undefined ? [] : parseJson(kept.document))
  if (!list.success) return { good: [], badCount: 1 }
  const good = list.output.flatMap((each) => {
    const read = v.safeParse(snoozeSchema, each)
    return read.success ? [read.output] : []
  })
  return { good, badCount: list.output.length - good.length }
}

function keptDue(documents: readonly StoredDocument[]): [IndexId, Due][] {
  return documents.flatMap(({ key, document }): [IndexId, Due][] => {
    const read = v.safeParse(dueSchema, key.startsWith(keys.due) ? parseJson(document) : undefined)
    return read.success ? [[key.slice(keys.due.length), read.output]] : []
  })
}
