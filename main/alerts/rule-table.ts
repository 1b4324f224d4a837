import { draftKey } from '../../core/alert-words'
import type { AlertRule } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { Condition } from '../../core/evaluation/condition'
import type { IndexId } from '../../core/model'
import type { QuietBand } from './quiet-band'
import { isFolded, type RuleRecord } from './record'

/** The place of an active rule, with its current record. Editing or re-arming gives the rule another place. */
export interface Place {
  readonly record: RuleRecord
}

/** Reading the record first brings its memory up to date. */
export class TablePlace implements Place {
  readonly key: string
  band: QuietBand | undefined
  #record: RuleRecord

  constructor(record: RuleRecord) {
    this.#record = record
    this.key = draftKey(record.run.rule)
  }

  get record(): RuleRecord {
    this.band?.settle()
    return this.#record
  }

  set record(record: RuleRecord) {
    this.#record = record
  }
}

/** Places by a key, in order of creation. Lists are copied on write, because a caller may be iterating. */
class Lists<Key> {
  readonly #members = new Map<Key, Set<TablePlace>>()
  /** Sorted on first use, so that thousands of additions in a row are sorted once. */
  readonly #lists = new Map<Key, readonly TablePlace[]>()

  of(key: Key): readonly TablePlace[] {
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const members = this.#members.get(key)
    if (members === undefined) return none
    const list = inOrder(members)
    this.#lists.set(key, list)
    return list
  }

  keys(): Iterable<Key> {
    return this.#members.keys()
  }

  add(key: Key, place: TablePlace): void {
    const members = this.#members.get(key)
    if (members === undefined) this.#members.set(key, new Set<TablePlace>().add(place))
    else members.add(place)
    this.#lists.delete(key)
  }

  remove(key: Key, place: TablePlace): void {
    const members = this.#members.get(key)
    members?.delete(place)
    if (members?.size === 0) this.#members.delete(key)
    this.#lists.delete(key)
  }
}

const dayMs = 86_400_000
const none: readonly TablePlace[] = []

function inOrder<P extends Place>(places: Iterable<P>): P[] {
  return [...places].sort((a, b) => a.record.position - b.record.position)
}

/**
 * The active rules in order of creation, by id, by index and by watch. The cost of adding or removing one does not
 * depend on their number.
 */
export class RuleTable {
  readonly #byId = new Map<string, TablePlace>()
  readonly #byIndex = new Lists<IndexId>()
  readonly #foldedByIndex = new Lists<IndexId>()
  readonly #observingByIndex = new Lists<IndexId>()
  readonly #byWatch = new Lists<Condition['watch']>()
  readonly #byKey = new Lists<string>()
  /** The band of each index, and the rules that share it. */
  readonly #bands = new Map<IndexId, { band: QuietBand; places: readonly TablePlace[] }>()
  /** Rules with an expiry or a cooldown. */
  readonly #timed = new Set<Place>()
  #all: readonly Place[] | undefined
  #lastPosition = 0
  #listening: { of?: readonly Place[]; untilMs: number; rules: readonly AlertRule[] } = { untilMs: 0, rules: [] }

  get size(): number {
    return this.#byId.size
  }

  /** Returns the same list until a rule is added or removed. */
  all(): readonly Place[] {
    return (this.#all ??= inOrder(this.#byId.values()))
  }

  get(ruleId: string): Place | undefined {
    return this.#byId.get(ruleId)
  }

  /** Position of the newest rule, or the last reserved position. */
  get lastPosition(): number {
    return this.#lastPosition
  }

  /** Reserves positions for new rules. Returns the first. */
  takePositions(count: number): number {
    const first = this.#lastPosition + 1
    this.#lastPosition += count
    return first
  }

  /** The indices that have rules. */
  indexIds(): Iterable<IndexId> {
    return this.#byIndex.keys()
  }

  ofIndex(id: IndexId): readonly Place[] {
    return this.#byIndex.of(id)
  }

  /** The folded rules of an index. */
  foldedOf(id: IndexId): readonly Place[] {
    return this.#foldedByIndex.of(id)
  }

  /** The other rules of an index. */
  observingOf(id: IndexId): readonly Place[] {
    return this.#observingByIndex.of(id)
  }

  /** The band of an index. Undefined if a rule must see the next value. */
  bandOf(id: IndexId): QuietBand | undefined {
    return this.#bands.get(id)?.band
  }

  /** Lets the folded rules of an index skip values together, until one of them is added, changed or removed. */
  setBand(id: IndexId, band: QuietBand): void {
    const places = this.#foldedByIndex.of(id)
    for (const place of places) place.band = band
    this.#bands.set(id, { band, places })
  }

  endBand(id: IndexId): void {
    const ended = this.#bands.get(id)
    if (ended === undefined) return
    ended.band.settle()
    for (const place of ended.places) place.band = undefined
    this.#bands.delete(id)
  }

  /** See `AlertEngine.listening`. */
  listening(nowMs: number): readonly AlertRule[] {
    const all = this.all()
    if (all === this.#listening.of && nowMs < this.#listening.untilMs) return this.#listening.rules
    let untilMs = Infinity
    const rules: AlertRule[] = []
    for (const { record } of all) {
      const { rule } = record.run
      const overMs = rule.expiresAt === undefined || record.state.isDone ? Infinity : rule.expiresAt.atMs + dayMs
      if (overMs <= nowMs) continue
      untilMs = Math.min(untilMs, overMs)
      rules.push(rule)
    }
    this.#listening = { of: all, untilMs, rules }
    return rules
  }

  /** The rules that react when nothing is published. Returns the same list until it changes. */
  watched(watch: NonNullable<Condition['watch']>): readonly Place[] {
    return this.#byWatch.of(watch)
  }

  /** The rules that have an expiry or a cooldown. */
  timed(): readonly Place[] {
    return inOrder(this.#timed)
  }

  /** The rule with this `draftKey`, that is, with the same condition. Ignores `exceptRuleId`. */
  findEqual(key: string, exceptRuleId?: string): RuleRecord | undefined {
    return this.#byKey.of(key).find(({ record }) => record.run.rule.id !== exceptRuleId)?.record
  }

  /** Does the slow part of `put` for a new rule. */
  prepare(record: RuleRecord): TablePlace {
    return new TablePlace(record)
  }

  /** Adds a rule. Replaces the one with its id. */
  put(added: RuleRecord | TablePlace): Place {
    const place = added instanceof TablePlace ? added : new TablePlace(added)
    const { record } = place
    const { rule } = record.run
    this.#leave(rule.id)
    this.endBand(rule.indexId)
    this.#byId.set(rule.id, place)
    this.#lastPosition = Math.max(this.#lastPosition, record.position)
    this.#byIndex.add(rule.indexId, place)
    this.#kindOf(record).add(rule.indexId, place)
    this.#byWatch.add(specOf(rule.terms.condition).watch, place)
    this.#byKey.add(place.key, place)
    this.#noteTimed(place)
    return place
  }

  /** Replaces the record of a rule. */
  set(place: Place, record: RuleRecord): void {
    const known = this.#byId.get(record.run.rule.id)
    if (known !== place) return
    if (known.record !== record) this.endBand(record.run.rule.indexId)
    known.record = record
    this.#noteTimed(place)
  }

  remove(ruleId: string): void {
    this.#leave(ruleId)
    this.#byId.delete(ruleId)
  }

  #leave(ruleId: string): void {
    this.#all = undefined
    const place = this.#byId.get(ruleId)
    if (place === undefined) return
    const { rule } = place.record.run
    this.endBand(rule.indexId)
    this.#byIndex.remove(rule.indexId, place)
    this.#kindOf(place.record).remove(rule.indexId, place)
    this.#byWatch.remove(specOf(rule.terms.condition).watch, place)
    this.#byKey.remove(place.key, place)
    this.#timed.delete(place)
  }

  #kindOf({ run }: RuleRecord): Lists<IndexId> {
    return isFolded(run.rule.terms) ? this.#foldedByIndex : this.#observingByIndex
  }

  #noteTimed(place: Place): void {
    const { run, policy } = place.record
    if (run.rule.expiresAt !== undefined || policy.cooldown !== undefined) this.#timed.add(place)
    else this.#timed.delete(place)
  }
}
