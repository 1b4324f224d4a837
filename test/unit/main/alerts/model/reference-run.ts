/** A rule over its life by the definitions: every question is answered from the list of all values of the run. */
import type { AlertRule } from '../../../../../protocol/alerts'
import { findIn, findMove, judge, phaseOf, type Entry, type Fire, type Side, type Standing } from './definitions'

/** A firing that has become an event. */
interface Recorded extends Fire {
  id: string
  /** Copied: an amendment does not reach it. */
  entry: Entry
}

export interface Fired {
  id: string
  atMs: number
  direction: Side | undefined
}

/** What an amendment does, as `kind event time direction`. */
export type Amendments = string[]

const keptOverRestart = 20

export class ReferenceRun {
  readonly #rule: AlertRule
  readonly #newId: () => string
  /** Before the first value of the run. */
  #base: Standing
  #run: Entry[] = []
  #recorded: Recorded[] = []
  /** Of before the restart, oldest first. */
  #recordedBefore: Recorded[] = []

  constructor(rule: AlertRule, first: 'wait' | 'fire', newId: () => string) {
    this.#rule = rule
    this.#newId = newId
    this.#base = { first, armed: [], holds: [], isDone: false }
  }

  get phase(): string {
    return phaseOf(this.#judgeAll().standing)
  }

  see(entry: Entry, isSeenAgain: boolean): Fired[] {
    const hasLooked = this.#base.first === undefined && this.#rule.terms.condition !== 'moves'
    if (isSeenAgain && hasLooked && this.#seesFiringAgain(entry)) return []
    // An amendment that put it there has come before it.
    if (this.#run.some(({ atMs }) => atMs === entry.atMs)) return []
    this.#run.push({ ...entry })
    const fires = this.#judgeAll().fires.filter((fire) => fire.entry.atMs === entry.atMs)
    const recorded = fires.map((fire) => this.#record(fire))
    this.#recorded.push(...recorded)
    return recorded.map(({ id, direction }) => ({ id, direction, atMs: entry.atMs }))
  }

  /** All but the standing and the last firings is forgotten. */
  restart(): void {
    this.#base = this.#judgeAll().standing
    this.#recordedBefore = [...this.#recordedBefore, ...this.#recorded].slice(-keptOverRestart)
    this.#recorded = []
    this.#run = []
  }

  amend(amended: Entry): Amendments {
    const at = this.#run.findIndex(({ atMs }) => atMs === amended.atMs)
    const known = this.#run[at]
    const before = this.#recordedBefore.find(({ entry }) => entry.atMs === amended.atMs)
    if (before !== undefined && (known === undefined || this.#rule.terms.condition === 'moves'))
      return this.#amendBefore(before, amended, at)
    if (known === undefined || amended.amendedAtMs <= known.amendedAtMs) return []
    this.#run[at] = { ...amended }
    const [recorded, amendments] = this.#compare(this.#recorded, this.#judgeAll().fires, amended)
    this.#recorded = recorded
    return amendments
  }

  /** The first value of the run is the last of the one before. If it fired, the run begins with that. */
  #seesFiringAgain(entry: Entry): boolean {
    const recorded = this.#recordedBefore.find((each) => each.entry.atMs === entry.atMs)
    if (recorded === undefined) return false
    this.#base = recorded.before
    this.#run = [{ ...entry }]
    this.#recordedBefore = this.#recordedBefore.filter((each) => each !== recorded)
    this.#recorded = [recorded]
    return true
  }

  /** A firing of before the restart. What came of it since is judged again where nothing else had changed the rule. */
  #amendBefore(recorded: Recorded, amended: Entry, at: number): Amendments {
    if (amended.amendedAtMs <= recorded.entry.amendedAtMs) return []
    const was = this.#judgeOne(recorded, recorded.entry)
    const now = this.#judgeOne(recorded, amended)
    const isLast = this.#recordedBefore.at(-1) === recorded
    const others = this.#recordedBefore.filter((each) => each !== recorded)
    const isMove = this.#rule.terms.condition === 'moves'
    const fires = now.fire === undefined ? [] : [now.fire]
    if (!isLast || JSON.stringify(was.after) !== JSON.stringify(this.#base)) {
      const [kept, amendments] = this.#compare([recorded], fires, amended)
      this.#recordedBefore = [...others, ...kept].sort((a, b) => a.entry.atMs - b.entry.atMs)
      return amendments
    }
    if (isMove) {
      this.#base = now.after
      if (at !== -1) this.#run[at] = { ...amended }
    } else {
      this.#base = recorded.before
      this.#run = [{ ...amended }, ...this.#run]
    }
    const all = isMove ? [...fires, ...this.#judgeAll().fires] : this.#judgeAll().fires
    const [kept, amendments] = this.#compare([recorded, ...this.#recorded], all, amended)
    // A move has no window at the first value of a run: what has fired there fired before.
    const isBefore = (each: Recorded) => isMove && each.entry.atMs === amended.atMs
    this.#recordedBefore = [...others, ...kept.filter(isBefore)]
    this.#recorded = kept.filter((each) => !isBefore(each))
    return amendments
  }

  #record(fire: Fire): Recorded {
    return { ...fire, entry: { ...fire.entry }, id: this.#newId() }
  }

  #judgeAll(): { standing: Standing; fires: Fire[] } {
    let standing = this.#base
    const fires: Fire[] = []
    for (const [at, entry] of this.#run.entries()) {
      // A rule that is done looks at nothing.
      const seen = standing.isDone ? undefined : findIn(this.#rule.terms, this.#run.slice(0, at + 1), fires)
      const { after, fire } = judge(this.#rule, standing, entry, seen)
      if (fire !== undefined) fires.push(fire)
      standing = after
    }
    return { standing, fires }
  }

  /** By what it was judged by alone: a move by the value it was compared with. */
  #judgeOne({ before, reference }: Recorded, entry: Entry): { after: Standing; fire?: Fire } {
    const { terms } = this.#rule
    if (terms.condition !== 'moves' || reference === undefined)
      return judge(this.#rule, before, entry, findIn(terms, [entry], []))
    if (entry.isRepeat || Number(entry.value) === 0) return { after: before }
    const from = { atMs: reference.atMs, value: reference.value, isRepeat: false, amendedAtMs: -1 }
    const { after, fire } = judge(this.#rule, before, entry, findMove(terms, entry, [from, entry]))
    return fire === undefined ? { after } : { after, fire: { ...fire, reference } }
  }

  /** What had fired against what fires now: the events that stay, and the amendments. */
  #compare(recorded: readonly Recorded[], fires: readonly Fire[], amended: Entry): [Recorded[], Amendments] {
    const partner = new Map<Recorded, Fire>()
    const isFree = (fire: Fire) => ![...partner.values()].includes(fire)
    for (const each of recorded) {
      const same = fires.find(
        (fire) => fire.entry.atMs === each.entry.atMs && fire.direction === each.direction && isFree(fire),
      )
      if (same !== undefined) partner.set(each, same)
    }
    const stayedMs = [...partner.keys()].map(({ entry }) => entry.atMs)
    for (const each of recorded) {
      if (partner.has(each)) continue
      const moved = fires.find((fire) => {
        const between = stayedMs.filter((ms) => (ms - fire.entry.atMs) * (ms - each.entry.atMs) < 0)
        return fire.direction === each.direction && isFree(fire) && between.length === 0
      })
      if (moved !== undefined) partner.set(each, moved)
    }
    const lines = recorded.flatMap((each) => this.#line(each, partner.get(each), amended))
    const kept = recorded.flatMap((each) => {
      const fire = partner.get(each)
      return fire === undefined ? [] : [{ ...fire, entry: { ...fire.entry }, id: each.id }]
    })
    const late = fires.filter(isFree).map((fire) => this.#record(fire))
    const lateLines = late.map(
      ({ id, entry, direction }) => `lateByAmendment ${id} ${entry.atMs} ${entry.value} ${direction ?? ''}`,
    )
    return [[...kept, ...late].sort((a, b) => a.entry.atMs - b.entry.atMs), [...lines, ...lateLines]]
  }

  #line(recorded: Recorded, fire: Fire | undefined, amended: Entry): Amendments {
    if (fire === undefined)
      return [
        `retracted ${recorded.id} ${amended.atMs} ${amended.value} ${recorded.direction ?? ''} ${amended.amendedAtMs}`,
      ]
    const isOwn = fire.entry.atMs === amended.atMs || fire.entry.atMs !== recorded.entry.atMs
    const isOther = JSON.stringify(fire.reference) !== JSON.stringify(recorded.reference)
    return isOwn || isOther
      ? [`confirmed ${recorded.id} ${fire.entry.atMs} ${fire.entry.value} ${fire.direction ?? ''}`]
      : []
  }
}
