/** A rule over its life by the definitions: every question is answered from the list of all values of the run. */
import type { AlertRule } from '../../../../../protocol/alerts'
import { findIn, findMove, judge, phaseOf, type Entry, type Fire, type Side, type Standing } from './definitions'

/** A firing that has become an event. */
interface Told extends Fire {
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
export type Corrections = string[]

const keptOverRestart = 20

export class ReferenceRun {
  readonly #rule: AlertRule
  readonly #newId: () => string
  /** Before the first value of the run. */
  #base: Standing
  #run: Entry[] = []
  #told: Told[] = []
  /** Of before the restart, oldest first. */
  #toldBefore: Told[] = []

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
    const told = fires.map((fire) => this.#tell(fire))
    this.#told.push(...told)
    return told.map(({ id, direction }) => ({ id, direction, atMs: entry.atMs }))
  }

  /** All but the standing and the last firings is forgotten. */
  restart(): void {
    this.#base = this.#judgeAll().standing
    this.#toldBefore = [...this.#toldBefore, ...this.#told].slice(-keptOverRestart)
    this.#told = []
    this.#run = []
  }

  amend(amended: Entry): Corrections {
    const at = this.#run.findIndex(({ atMs }) => atMs === amended.atMs)
    const known = this.#run[at]
    const before = this.#toldBefore.find(({ entry }) => entry.atMs === amended.atMs)
    if (before !== undefined && (known === undefined || this.#rule.terms.condition === 'moves'))
      return this.#amendBefore(before, amended, at)
    if (known === undefined || amended.amendedAtMs <= known.amendedAtMs) return []
    this.#run[at] = { ...amended }
    const [told, corrections] = this.#compare(this.#told, this.#judgeAll().fires, amended)
    this.#told = told
    return corrections
  }

  /** The first value of the run is the last of the one before. If it fired, the run begins with that. */
  #seesFiringAgain(entry: Entry): boolean {
    const told = this.#toldBefore.find((each) => each.entry.atMs === entry.atMs)
    if (told === undefined) return false
    this.#base = told.before
    this.#run = [{ ...entry }]
    this.#toldBefore = this.#toldBefore.filter((each) => each !== told)
    this.#told = [told]
    return true
  }

  /** A firing of before the restart. What came of it since is judged anew where nothing else had changed the rule. */
  #amendBefore(told: Told, amended: Entry, at: number): Corrections {
    if (amended.amendedAtMs <= told.entry.amendedAtMs) return []
    const was = this.#judgeOne(told, told.entry)
    const now = this.#judgeOne(told, amended)
    const isLast = this.#toldBefore.at(-1) === told
    const others = this.#toldBefore.filter((each) => each !== told)
    const isMove = this.#rule.terms.condition === 'moves'
    const fires = now.fire === undefined ? [] : [now.fire]
    if (!isLast || JSON.stringify(was.after) !== JSON.stringify(this.#base)) {
      const [kept, corrections] = this.#compare([told], fires, amended)
      this.#toldBefore = [...others, ...kept].sort((a, b) => a.entry.atMs - b.entry.atMs)
      return corrections
    }
    if (isMove) {
      this.#base = now.after
      if (at !== -1) this.#run[at] = { ...amended }
    } else {
      this.#base = told.before
      this.#run = [{ ...amended }, ...this.#run]
    }
    const all = isMove ? [...fires, ...this.#judgeAll().fires] : this.#judgeAll().fires
    const [kept, corrections] = this.#compare([told, ...this.#told], all, amended)
    // A move has no window at the first value of a run: what has fired there fired before.
    const isBefore = (each: Told) => isMove && each.entry.atMs === amended.atMs
    this.#toldBefore = [...others, ...kept.filter(isBefore)]
    this.#told = kept.filter((each) => !isBefore(each))
    return corrections
  }

  #tell(fire: Fire): Told {
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
  #judgeOne({ before, reference }: Told, entry: Entry): { after: Standing; fire?: Fire } {
    const { terms } = this.#rule
    if (terms.condition !== 'moves' || reference === undefined)
      return judge(this.#rule, before, entry, findIn(terms, [entry], []))
    if (entry.isRepeat || Number(entry.value) === 0) return { after: before }
    const from = { atMs: reference.atMs, value: reference.value, isRepeat: false, amendedAtMs: -1 }
    const { after, fire } = judge(this.#rule, before, entry, findMove(terms, entry, [from, entry]))
    return fire === undefined ? { after } : { after, fire: { ...fire, reference } }
  }

  /** What had been told against what fires now: the events that stay, and the corrections. */
  #compare(told: readonly Told[], fires: readonly Fire[], amended: Entry): [Told[], Corrections] {
    const partner = new Map<Told, Fire>()
    const isFree = (fire: Fire) => ![...partner.values()].includes(fire)
    for (const each of told) {
      const same = fires.find(
        (fire) => fire.entry.atMs === each.entry.atMs && fire.direction === each.direction && isFree(fire),
      )
      if (same !== undefined) partner.set(each, same)
    }
    const stayedMs = [...partner.keys()].map(({ entry }) => entry.atMs)
    for (const each of told) {
      if (partner.has(each)) continue
      const moved = fires.find((fire) => {
        const between = stayedMs.filter((ms) => (ms - fire.entry.atMs) * (ms - each.entry.atMs) < 0)
        return fire.direction === each.direction && isFree(fire) && between.length === 0
      })
      if (moved !== undefined) partner.set(each, moved)
    }
    const lines = told.flatMap((each) => this.#line(each, partner.get(each), amended))
    const kept = told.flatMap((each) => {
      const fire = partner.get(each)
      return fire === undefined ? [] : [{ ...fire, entry: { ...fire.entry }, id: each.id }]
    })
    const late = fires.filter(isFree).map((fire) => this.#tell(fire))
    const lateLines = late.map(
      ({ id, entry, direction }) => `lateByAmendment ${id} ${entry.atMs} ${entry.value} ${direction ?? ''}`,
    )
    return [[...kept, ...late].sort((a, b) => a.entry.atMs - b.entry.atMs), [...lines, ...lateLines]]
  }

  #line(told: Told, fire: Fire | undefined, amended: Entry): Corrections {
    if (fire === undefined)
      return [`retracted ${told.id} ${amended.atMs} ${amended.value} ${told.direction ?? ''} ${amended.amendedAtMs}`]
    const isOwn = fire.entry.atMs === amended.atMs || fire.entry.atMs !== told.entry.atMs
    const isOther = JSON.stringify(fire.reference) !== JSON.stringify(told.reference)
    return isOwn || isOther
      ? [`confirmed ${told.id} ${fire.entry.atMs} ${fire.entry.value} ${fire.direction ?? ''}`]
      : []
  }
}
