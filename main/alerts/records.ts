/** What the alert engine keeps in the history: rules with their runs, states and firings, events, and what the policy remembers. */
import * as v from 'valibot'
import { inputsSchema } from '../../core/alert-inputs'
import { snoozeSchema, type AlertSnooze } from '../../core/alerts'
import { ruleSchema } from '../../core/alert-schema'
import { timeSchema } from '../../core/shapes'
import type { AlertEvent, InboxPage, InboxQuery } from '../../core/alert-events'
import { resolutions, type IndexId, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import { parseJson } from '../base/sanitize'
import { inTurns } from '../base/work-queue'
import type {
  Learned,
  Queries,
  RuleCheckpoint,
  RuleFiring,
  RuleRun,
  HistoryAccess,
  StoredDocument,
  WriteBatch,
} from '../history-store/contract'
import { readPolicy, type RulePolicyState } from './policy/notification-policy'
import { firstAmong, newRecord, type Checkpoint, type Due, type Firing, type RuleRecord, type Run } from './record'
import type { Refolded } from './refold'
import { initialState, stateSchema } from '../../core/evaluation/state'

/** What the engine begins with. */
export interface Kept {
  /** With what fired after their checkpoints. */
  rules: { record: RuleRecord; fired: Firing[] }[]
  snoozes: AlertSnooze[]
  due: [IndexId, Due][]
  /** The newest, newest first. */
  events: AlertEvent[]
  unread: number
  lastNumber: number
  /** Entries that cannot be read: they stay in the history. */
  unreadableCount: number
}

const maxEventsInPage = 200

/** Of the document that says what is muted. */
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
/** What is to be written with the next commit. */
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
 * Collects what a turn decides, so that it is one transaction with the values it was decided on, and reads what was kept.
 * What cannot be read is left in the history and counted.
 */
export class Records {
  readonly #history: HistoryAccess
  #waiting = noRecords()
  /** Of each key what is to be in its place; `undefined`: nothing. */
  #documents = new Map<string, unknown>()
  /** Of which the history says that something is still to be folded. */
  readonly #dueIds = new Set<IndexId>()
  #readThrough: number | undefined

  constructor(history: HistoryAccess) {
    this.#history = history
  }

  /** Thousands of rules are checked part by part. */
  async read(clock: Clock): Promise<Outcome<Kept>> {
    const start = await this.#history.query('alertStart', null)
    const documents = await this.#history.query('documents', { prefix: keys.all })
    const page = await this.events({})
    const counts = await this.#history.query('eventCounts', null)
    if (!start.ok) return start
    if (!documents.ok) return documents
    if (!page.ok) return page
    if (!counts.ok) return counts
    const policies = await keptPolicies(documents.value, clock)
    const rules = await keptRules(start.value, policies.good, clock)
    const snoozes = keptSnoozes(documents.value)
    const { unread, lastNumber } = counts.value
    const unreadableCount = rules.badCount + policies.badCount + snoozes.badCount
    const due = keptDue(documents.value)
    for (const [id] of due) this.#dueIds.add(id)
    const { events } = page.value
    return {
      ok: true,
      value: { rules: rules.good, snoozes: snoozes.good, due, events, unread, lastNumber, unreadableCount },
    }
  }

  begin({ run, position, policy }: RuleRecord): void {
    const { rule } = run
    if (Object.keys(policy).length > 0) this.policy(rule.id, policy)
    this.#waiting.rules.push({ id: rule.id, position, document: JSON.stringify(rule) })
    this.run(run)
  }

  run({ number, rule, startedAtMs, endedAtMs, ...rest }: Run): void {
    const { first, sinceMs, keptMs, fromMs, toMs, cadence } = rest
    this.#waiting.runs.push({
      ruleId: rule.id,
      run: number,
      document: JSON.stringify({ rule, first, sinceMs, keptMs, fromMs, toMs, cadence }),
      startedAtMs,
      endedAtMs,
    })
  }

  remove(ruleId: string): void {
    this.#waiting.removedRules.push(ruleId)
    this.policy(ruleId, {})
  }

  /** What the policy remembers of a rule. */
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

  /** What a run came to, in the place of what it had come to from the changed time on. Answers whether that is anything. */
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

  /** What is still to be folded of an index, or that nothing is: it outlives a crash. Answers whether that is news. */
  due(id: IndexId, due: Due | undefined): boolean {
    if (due === undefined && !this.#dueIds.delete(id)) return false
    if (due !== undefined) this.#dueIds.add(id)
    this.#documents.set(keys.due + id, due)
    return true
  }

  /** Writes all that was collected, with everything else of this turn. */
  commit(atMs: number): Promise<Outcome<Learned[]>> {
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

  /** A page of the inbox, read part by part: what is decided meanwhile is written in between. */
  async events(query: InboxQuery): Promise<Outcome<InboxPage>> {
    const { after } = query
    const events: AlertEvent[] = []
    const retractions: AlertEvent[] = []
    // One more than a page says that there are more.
    for (let place = {}; events.length <= maxEventsInPage;) {
      const limit = maxEventsInPage + 1 - events.length
      const part = await this.#history.query('events', { ...query, ...place, limit })
      if (!part.ok) return part
      events.push(...part.value.events)
      retractions.push(...part.value.retractions)
      const { next } = part.value
      if (next === undefined) break
      place = after === undefined ? { before: next } : { after: next }
    }
    const page = events.slice(0, maxEventsInPage)
    const hasMore = events.length > maxEventsInPage
    return { ok: true, value: { events: after === undefined ? page : page.toReversed(), retractions, hasMore } }
  }

  /** All events that match, newest first. Throws the message of a problem. */
  async *allEvents(query: InboxQuery): AsyncGenerator<AlertEvent[], void> {
    for (let before = query.before; ;) {
      const part = await this.#history.query('events', { ...query, before })
      if (!part.ok) throw new Error(part.problem.message)
      yield part.value.events
      before = part.value.next
      if (before === undefined) return
    }
  }

  /** `undefined` where there is none, or none can be read. */
  async eventOf(id: string): Promise<AlertEvent | undefined> {
    const found = await this.#history.query('event', { id })
    return found.ok ? (found.value ?? undefined) : undefined
  }

  /** All runs of a rule, oldest first. Each ends where one after it begins, or with the last value it has seen. */
  async runs(ruleId: string): Promise<Outcome<Run[]>> {
    const found = await this.#history.query('runs', { ruleId })
    if (!found.ok) return found
    const runs = found.value.flatMap((row) => toRun(row) ?? [])
    const value = runs.map((run, at) => {
      const nextMs = Math.min(...runs.slice(at + 1).map(({ sinceMs }) => sinceMs))
      const toMs = Math.max(run.toMs ?? 0, nextMs)
      return { ...run, sinceMs: Math.min(run.sinceMs, nextMs), ...(toMs < Infinity && { toMs }) }
    })
    return { ok: true, value }
  }

  /** The runs of a rule that have ended and may have values from this published time on. */
  async runsBefore(ruleId: string, fromMs: number): Promise<Outcome<Run[]>> {
    const runs = await this.runs(ruleId)
    if (!runs.ok) return runs
    const past: Run[] = []
    for (const run of runs.value.filter(({ toMs = -Infinity }) => toMs >= fromMs)) {
      const known = await this.withFirst(run)
      if (!known.ok) return known
      past.push(known.value)
    }
    return { ok: true, value: past }
  }

  /** A run with its first value, of those now in the history; of the present one that is noted as it is learned. */
  async withFirst(run: Run): Promise<Outcome<Run>> {
    const { rule, sinceMs, keptMs, fromMs, toMs } = run
    if (toMs === undefined) return { ok: true, value: run }
    const found = await this.#history.query('valueAt', { id: rule.indexId, atMs: sinceMs })
    if (!found.ok) return found
    const { revisions, nextPublishedAtMs = Infinity } = found.value
    const inForceMs = revisions.at(-1)?.publishedAtMs ?? 0
    // An older one than it had: that is no longer in the history.
    const isKnown = inForceMs >= Math.min(fromMs ?? Infinity, (keptMs ?? Infinity) + 1)
    const firstMs = firstAmong(run, [...(isKnown ? [inForceMs] : []), nextPublishedAtMs])
    const bare: Run = { ...run }
    delete bare.fromMs
    return { ok: true, value: firstMs > toMs ? bare : { ...bare, fromMs: firstMs } }
  }

  /** The state of a run before a published time; `undefined`: it begins with its first value. */
  async stateBefore(
    { rule, number: run, fromMs = 0 }: Run,
    publishedAtMs: number,
  ): Promise<Outcome<Checkpoint | undefined>> {
    const found = await this.#history.query('checkpointBefore', { ruleId: rule.id, run, publishedAtMs })
    if (!found.ok) return found
    const checkpoint = found.value === null ? undefined : toCheckpoint(found.value)
    // One from before its first value is of when it had another first.
    return { ok: true, value: checkpoint !== undefined && checkpoint.atMs >= fromMs ? checkpoint : undefined }
  }

  /** When the value in force at a time was published. */
  async publishedBy(id: IndexId, atMs: number): Promise<Outcome<number | undefined>> {
    const found = await this.#history.query('valueAt', { id, atMs })
    return found.ok ? { ok: true, value: found.value.revisions.at(-1)?.publishedAtMs } : found
  }

  /** What folding a run again from a published time needs: the state before it, and what was kept from then on. */
  async around(
    run: Run,
    fromMs: number,
  ): Promise<Outcome<{ from?: Checkpoint; later: Checkpoint[]; fired: Firing[] }>> {
    const asked = { ruleId: run.rule.id, run: run.number }
    const before = await this.stateBefore(run, fromMs)
    if (!before.ok) return before
    const from = before.value
    const later = await this.#history.query('checkpoints', { ...asked, fromMs })
    if (!later.ok) return later
    const fired = await this.#history.query('firings', { ...asked, fromMs: from === undefined ? 0 : from.atMs + 1 })
    if (!fired.ok) return fired
    const value = {
      from,
      later: later.value.flatMap((row) => toCheckpoint(row) ?? []),
      fired: fired.value.flatMap((row) => toFiring(row) ?? []),
    }
    return { ok: true, value }
  }

  /** A page of values, oldest first, each in its latest revision. */
  values(asked: Omit<Queries['values']['params'], 'revisions'>): Promise<Outcome<Queries['values']['result']>> {
    return this.#history.query('values', { ...asked, revisions: 'latest' })
  }
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
  // An older file says when a run began only where that was without a value.
  const { fromMs = startedAtMs, sinceMs = fromMs } = read.output
  return { number, startedAtMs, ...read.output, sinceMs, endedAtMs }
}

/** A state that cannot be read is begun again, and counts as unreadable. */
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

/** By the ids of rules. */
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

/** One bad entry takes no other with it. */
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
