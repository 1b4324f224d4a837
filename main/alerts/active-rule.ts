import { isDeepStrictEqual } from 'node:util'
import type { AlertInputs } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
import { parseDecimal } from '../../protocol/decimal'
import type { Publication } from '../../protocol/model'
import { isEvent, saysMore, pairFirings, seenOf, timeOf, windowOf, type FiredStep, type Firing } from './fired-step'
import { comparesValues, RuleLog, wholeReach } from './rule-log'
import { evaluate } from './rules/evaluate'
import type { Observation, ValueSeen } from './rules/observation'
import { newMemory, type RuleMemory, type RuleState } from './rules/state'
import type { Verdict } from './rules/verdict'

/** What an amendment does to what fired, or did not. Of a retraction the inputs are the amendment that undid it. */
export type Amendment =
  | { kind: 'retracted' | 'confirmed'; eventId: string; inputs: AlertInputs }
  | { kind: 'lateByAmendment'; inputs: AlertInputs }

type Found = Firing & { inputs: AlertInputs }

const maxKeptFirings = 20

/**
 * One rule at work: its state, what it remembers in this run, and enough of what it has seen to judge again when a value
 * is amended (alerts, 12). Only values are judged again, and only of terms that compare them: a silence is not undone by
 * a later value, and constituents or corporate actions that are published again are a new observation.
 */
export class ActiveRule {
  readonly rule: AlertRule
  #state: RuleState
  #memory: RuleMemory = newMemory()
  readonly #log: RuleLog | undefined
  /** The last 20 and those the log can judge again, oldest first. */
  #fired: Firing[]
  /** What fired before the rule was last edited or armed: it can be undone, and says nothing of the present state. */
  #past: readonly FiredStep[]

  constructor(rule: AlertRule, state: RuleState, fired: readonly FiredStep[] = []) {
    this.rule = rule
    this.#state = state
    this.#past = fired.filter((step) => step.rule !== undefined)
    this.#fired = fired.filter((step) => step.rule === undefined)
    this.#log = comparesValues(rule.terms) ? new RuleLog(rule) : undefined
  }

  get #isMove(): boolean {
    return this.rule.terms.condition === 'moves'
  }

  get state(): RuleState {
    return this.#state
  }

  /** The last firings that are events, oldest first; to be kept with the state. */
  get fired(): readonly FiredStep[] {
    return [...this.#past, ...this.#fired.filter(isEvent)].slice(-maxKeptFirings)
  }

  /** The same, for the run that begins again in the place of this one. */
  get firedAsPast(): readonly FiredStep[] {
    const { indexId, terms, repeat, severity, id, version, createdAtMs, holdMs, countsRepeats } = this.rule
    // Without the user's texts, which may be long and are in the events.
    const rule: AlertRule = {
      ...{ indexId, terms, repeat, severity, id, version, createdAtMs },
      ...(holdMs !== undefined && { holdMs }),
      ...(countsRepeats !== undefined && { countsRepeats }),
    }
    return this.fired.map((step) => ({ rule, ...step }))
  }

  /** Judges what was seen. `reach`: how far back an amendment can be judged in full. */
  see(seen: Observation, reach = wholeReach): Verdict {
    const log = this.#log
    if (log === undefined || seen.kind !== 'value') {
      const verdict = evaluate(this.rule, this.#state, this.#memory, seen)
      this.#state = verdict.state
      return verdict
    }
    const fired = this.#firedBefore(log, seen)
    if (fired !== undefined) {
      log.add(seen, fired.before, reach)
      return { state: this.#state, firings: [], words: 'Already judged: skipped.' }
    }
    const { verdict, found } = this.#judge(log, seen, reach)
    if (found.length > 0) {
      const sinceMs = log.sinceMs ?? 0
      this.#fired = [...this.#fired, ...found].filter(
        (each, at, all) => at >= all.length - maxKeptFirings || timeOf(each) >= sinceMs,
      )
    }
    return verdict
  }

  /** The event that a firing of the publication of this time has become; of several of one time, in their order. */
  noteEvent(eventId: string, publishedAtMs: number): void {
    const firing = this.#fired.find((each) => each.eventId === undefined && timeOf(each) === publishedAtMs)
    if (firing !== undefined) firing.eventId = eventId
  }

  /**
   * A value seen before has been amended. One that never was seen, or that is no later amendment than the one known, is
   * skipped. What fired later for its sake is judged again too. A value out of the log's reach, such as one from
   * before a restart, is judged again where it fired; the state follows where nothing has changed it since.
   */
  amend(publication: Publication): Amendment[] {
    return [...this.#amendPast(publication), ...this.#amendPresent(publication)]
  }

  #amendPast(publication: Publication): Amendment[] {
    const old = this.#past.find((each) => timeOf(each) === publication.publishedAtMs)
    if (old === undefined || !isLater(publication, old.publication)) return []
    const { eventId } = old
    const { found } = this.#judgeAlone({ ...old, publication })
    const now = pairFirings([old], found).get(old)
    this.#past = this.#past.flatMap((each) => (each !== old ? [each] : now === undefined ? [] : [{ ...now, eventId }]))
    if (now?.inputs === undefined) return [{ kind: 'retracted', eventId, inputs: undoing(old, publication) }]
    return saysMore(old, now) ? [{ kind: 'confirmed', eventId, inputs: now.inputs }] : []
  }

  #amendPresent(publication: Publication): Amendment[] {
    const log = this.#log
    if (log === undefined) return []
    const place = log.placeOf(publication.publishedAtMs)
    // At the first value a move has no window yet: it fired before a restart, if at all.
    const isOut = place === undefined || (place === 0 && this.#isMove && this.#firedAt(publication.publishedAtMs))
    return isOut ? this.#amendFired(log, publication) : this.#amendSeen(log, place, publication)
  }

  #amendSeen(log: RuleLog, place: number, publication: Publication): Amendment[] {
    const known = log.at(place)
    const before = log.stateBefore(place)
    if (known === undefined || before === undefined || !isLater(publication, known.publication)) return []
    const found = this.#judgeAgain(log, place, before, publication)
    return this.#exchange((each) => timeOf(each) >= publication.publishedAtMs, found, publication)
  }

  #amendFired(log: RuleLog, publication: Publication): Amendment[] {
    const { publishedAtMs } = publication
    const old = this.#firedAt(publishedAtMs)
    if (old === undefined || !isLater(publication, old.publication)) return []
    const isOfOld = (each: Firing) => timeOf(each) === publishedAtMs
    const now = this.#judgeAlone({ ...old, publication })
    const sinceMs = log.sinceMs ?? Infinity
    // A move cannot fire at the first value: it has no window yet.
    const isOfLog = (each: Firing) => timeOf(each) > sinceMs || (timeOf(each) === sinceMs && !this.#isMove)
    const isLast = !this.#fired.some((each) => timeOf(each) > publishedAtMs && !isOfLog(each))
    const isUnchanged = isDeepStrictEqual(log.stateBefore(0) ?? this.#state, this.#judgeAlone(old).state)
    // A move's window is lost with the beginning of the log, unless the rule was done and had none.
    const isCut = this.#isMove && log.isTrimmed && log.stateBefore(0)?.isDone !== true
    if (!isLast || !isUnchanged || isCut) return this.#exchange(isOfOld, now.found, publication)
    // What was before the log is no part of a move's window.
    const found = this.#isMove
      ? [...now.found, ...this.#judgeAgain(log, 0, now.state, publication)]
      : this.#judgeAgain(log, 0, old.before, publication, seenOf(old))
    return this.#exchange((each) => isOfOld(each) || isOfLog(each), found, publication)
  }

  #firedAt(publishedAtMs: number): Firing | undefined {
    return this.#fired.find((each) => timeOf(each) === publishedAtMs)
  }

  /** Goes through the log from this place on with the amended value, from this state before it. */
  #judgeAgain(log: RuleLog, place: number, before: RuleState, amendment: Publication, first?: ValueSeen): Found[] {
    const later = [...(first === undefined ? [] : [first]), ...log.cut(place)]
    this.#memory = this.#memoryOf(log)
    this.#state = before
    return later.flatMap((seen) => this.#judge(log, amended(seen, amendment)).found)
  }

  /** What the values of the log leave behind; only moves look back. */
  #memoryOf(log: RuleLog): RuleMemory {
    const memory = newMemory()
    if (!this.#isMove) return memory
    const fired = new Set(this.#fired.map(timeOf))
    for (const [at, seen] of log.all().entries()) {
      const verdict = evaluate(this.rule, log.stateBefore(at) ?? this.#state, memory, seen)
      const { value, publishedAtMs } = seen.publication
      // Here the log does not reach back far enough for it to fire again.
      const isMissed = log.isTrimmed && verdict.firings.length === 0 && fired.has(publishedAtMs)
      const decimal = isMissed ? parseDecimal(value) : undefined
      if (decimal !== undefined) memory.window.restart({ value, decimal, publishedAtMs })
    }
    return memory
  }

  /**
   * What the value fired that comes once more after a restart: it can still be amended. One that fired nothing is judged
   * again, which changes nothing but where the app died before its judgement was stored.
   */
  #firedBefore(log: RuleLog, { publication, previous }: ValueSeen): Firing | undefined {
    if (log.length > 0 || this.#isMove || this.#state.whenAlreadyMet !== undefined) return undefined
    const isSame = previous?.publishedAtMs === publication.publishedAtMs && previous.value === publication.value
    return isSame ? this.#firedAt(publication.publishedAtMs) : undefined
  }

  #judge(log: RuleLog, seen: ValueSeen, reach = wholeReach): { verdict: Verdict; found: Found[] } {
    const before = this.#state
    log.add(seen, before, reach)
    const verdict = evaluate(this.rule, before, this.#memory, seen)
    this.#state = verdict.state
    const found = verdict.firings.map((inputs) => ({
      publication: seen.publication,
      before,
      ...(seen.cadence !== undefined && { cadence: seen.cadence }),
      inputs,
    }))
    return { verdict, found }
  }

  /** By what was kept with a firing alone. */
  #judgeAlone(firing: Firing): { state: RuleState; found: Found[] } {
    const { before, cadence, publication, inputs, rule = this.rule } = firing
    const memory = newMemory()
    for (const seen of windowOf(rule, firing)) evaluate(rule, before, memory, seen)
    const { state, firings } = evaluate(rule, before, memory, seenOf(firing))
    const past = firing.rule === undefined ? {} : { rule }
    const kept = { publication, before, ...(cadence !== undefined && { cadence }), ...past }
    const reference = inputs?.reference === undefined ? {} : { reference: inputs.reference }
    return { state, found: firings.map((each) => ({ ...kept, inputs: { ...each, ...reference } })) }
  }

  /** Puts what fires now in the place of what had fired, and says what that means for the events. */
  #exchange(isConcerned: (each: Firing) => boolean, found: readonly Found[], amendment: Publication): Amendment[] {
    const old = this.#fired.filter(isConcerned)
    const pairs = pairFirings(old, found)
    const amendments = old.flatMap((each): Amendment[] => {
      const now = found.find((one) => one === pairs.get(each))
      const { eventId } = each
      if (eventId === undefined) return []
      if (now === undefined) return [{ kind: 'retracted', eventId, inputs: undoing(each, amendment) }]
      now.eventId = eventId
      return saysMore(each, now) ? [{ kind: 'confirmed', eventId, inputs: now.inputs }] : []
    })
    const known = new Set(pairs.values())
    const late = found.filter((each) => !known.has(each))
    this.#fired = [...this.#fired.filter((each) => !isConcerned(each)), ...found].sort((a, b) => timeOf(a) - timeOf(b))
    return [...amendments, ...late.map(({ inputs }): Amendment => ({ kind: 'lateByAmendment', inputs }))]
  }
}

function isLater(publication: Publication, known: Publication): boolean {
  return publication.amendedAtMs !== undefined && publication.amendedAtMs > (known.amendedAtMs ?? -1)
}

/** The amended value in its place and as the previous one of the next. */
function amended(seen: ValueSeen, amendment: Publication): ValueSeen {
  const { publishedAtMs, value } = amendment
  if (seen.publication.publishedAtMs === publishedAtMs) return { ...seen, publication: amendment }
  return seen.previous?.publishedAtMs === publishedAtMs ? { ...seen, previous: { publishedAtMs, value } } : seen
}

/** What undid a firing; with the publication before it where it was the amended one that had fired. */
function undoing(firing: Firing, { value, publishedAtMs, amendedAtMs }: Publication): AlertInputs {
  const { previous, direction } = firing.inputs ?? {}
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(previous !== undefined && timeOf(firing) === publishedAtMs && { previous }),
    ...(direction !== undefined && { direction }),
  }
}
