/** A run of a rule by the definitions. After each change, everything is recomputed from the list of all values. */
import type { AlertRule } from '../../../../../core/alerts'
import { findIn, judge, phaseOf, type Entry, type Fire, type Standing } from './definitions'

/** A recorded firing in its latest revision. `label` keeps the time and direction of the first one. */
interface Recorded extends Fire {
  label: string
  gapSinceMs: number | undefined
}

/** The events of a change, one a line. */
export type Lines = string[]

const longestGapMs = 10_000

/** When a run began, in published time. */
export interface Beginning {
  atMs: number
  /** The newest known value if nothing had been received. Values up to it do not count. */
  keptMs?: number
}

interface Judged {
  /** For the source of the last value. */
  standing: Standing
  fires: Fire[]
}

export class ReferenceRun {
  readonly #rule: AlertRule
  readonly #base: Standing
  readonly #beginning: Beginning
  /** All known values by published time, each in its latest revision. */
  #known: Entry[] = []
  #recorded: Recorded[] = []
  /** The next run, once this one has ended. */
  #next: ReferenceRun | undefined
  /** While the rule is deleted, it takes values without events. */
  isDeleted = false
  /** Cached result of the values. */
  #judged: Judged | undefined

  constructor(rule: AlertRule, first: 'wait' | 'fire', beginning: Beginning) {
    this.#rule = rule
    this.#beginning = { ...beginning }
    this.#base = { first, armed: [], holds: [], isDone: false }
  }

  get phase(): string {
    return phaseOf(this.#now().standing)
  }

  /** Takes the next live value. */
  see(entry: Entry): Lines {
    if (this.#values.some(({ atMs }) => atMs >= entry.atMs)) return []
    const { atMs, keptMs } = this.#beginning
    // The next value always counts as published after the start. The first one may be the value in effect.
    if (this.#values.length > 0) this.#beginning.atMs = Math.min(atMs, entry.atMs - 1)
    else if (keptMs !== undefined) this.#beginning.atMs = Math.min(atMs, entry.atMs)
    this.#know([entry])
    if (this.isDeleted) return []
    const { fires } = this.#now()
    const now = fires.filter((fire) => fire.entry.atMs === entry.atMs).map((fire) => this.#record(fire))
    this.#recorded.push(...now)
    return now.map(({ label }) => `fired ${label} ${entry.value}`)
  }

  /** Takes late or amended values. */
  learn(entries: readonly Entry[], kind: 'amendment' | 'history'): Lines {
    const { keptMs = -Infinity } = this.#beginning
    const ofThis = entries.filter((entry) => entry.atMs > keptMs || this.#known.some(({ atMs }) => atMs === entry.atMs))
    if (ofThis.length === 0) return []
    this.#know(ofThis)
    if (this.isDeleted) return []
    return this.#compare(kind)
  }

  /** The deletion is undone. Values since then arrive late. */
  putBack(): Lines {
    this.isDeleted = false
    return this.#known.length === 0 ? [] : this.#compare('history')
  }

  /** The rule begins again. Values published until then stay with this run. */
  end(next: ReferenceRun): void {
    this.#next = next
  }

  /** When the run began. A run that ended before its start is empty. */
  get #atMs(): number {
    return Math.min(this.#beginning.atMs, this.#untilMs)
  }

  get #untilMs(): number {
    return this.#next === undefined ? Infinity : this.#next.#atMs
  }

  /** The values of the run: the one in effect at its start and all published until its end. */
  get #values(): Entry[] {
    const [sinceMs, untilMs] = [this.#atMs, this.#untilMs]
    const inForce = this.#known.findLast(({ atMs }) => atMs <= sinceMs)
    return this.#known.filter((entry) => entry === inForce || (entry.atMs > sinceMs && entry.atMs <= untilMs))
  }

  #know(entries: readonly Entry[]): void {
    const times = new Set(entries.map(({ atMs }) => atMs))
    this.#known = [...this.#known.filter(({ atMs }) => !times.has(atMs)), ...entries.map((entry) => ({ ...entry }))]
    this.#known.sort((a, b) => a.atMs - b.atMs)
    this.#judged = undefined
  }

  #now(): Judged {
    return (this.#judged ??= this.#judgeAll())
  }

  #judgeAll(): Judged {
    let standing = this.#base
    const fires: Fire[] = []
    const values = this.#values
    // Each source has its own state. A later one begins as after creation, and waits.
    const standings = new Map(values.slice(0, 1).map(({ source }) => [source, this.#base]))
    for (const [at, entry] of values.entries()) {
      // A finished rule ignores values.
      if (standing.isDone) break
      const isSame = ({ source }: Entry) => source === entry.source
      const before = standings.get(entry.source) ?? { ...this.#base, first: 'wait' }
      const own = values.slice(0, at + 1).filter(isSame)
      const seen = findIn(
        this.#rule.terms,
        own,
        fires.filter((fire) => isSame(fire.entry)),
      )
      const { after, fire } = judge(this.#rule, before, entry, seen)
      if (fire !== undefined) fires.push(fire)
      standings.set(entry.source, after)
      standing = after
    }
    return { standing, fires: fires.filter(({ isOutside }) => isOutside === undefined) }
  }

  #record(fire: Fire): Recorded {
    const { entry, direction } = fire
    return {
      ...fire,
      entry: { ...entry },
      gapSinceMs: this.#gapBefore(entry),
      label: `${entry.atMs}${direction ?? ''}`,
    }
  }

  #gapBefore(entry: Entry): number | undefined {
    const previous = this.#values.findLast(({ atMs, source }) => atMs < entry.atMs && source === entry.source)
    return previous !== undefined && entry.atMs - previous.atMs > longestGapMs ? previous.atMs : undefined
  }

  /** Compares what had fired with what fires now. */
  #compare(kind: 'amendment' | 'history'): Lines {
    const { fires } = this.#now()
    const partner = new Map<Recorded, Fire>()
    const isFree = (fire: Fire) => ![...partner.values()].includes(fire)
    for (const each of this.#recorded) {
      const same = fires.find((fire) => fire.entry.atMs === each.entry.atMs && fire.direction === each.direction)
      if (same !== undefined) partner.set(each, same)
    }
    const stayedMs = [...partner.keys()].map(({ entry }) => entry.atMs)
    for (const each of this.#recorded) {
      if (partner.has(each)) continue
      let best: Fire | undefined
      for (const fire of fires) {
        const isCut = stayedMs.some((ms) => (ms - fire.entry.atMs) * (ms - each.entry.atMs) < 0)
        if (isCut || !isFree(fire) || fire.direction !== each.direction) continue
        const isNearer =
          best === undefined ||
          Math.abs(fire.entry.atMs - each.entry.atMs) < Math.abs(best.entry.atMs - each.entry.atMs)
        if (isNearer) best = fire
      }
      if (best !== undefined) partner.set(each, best)
    }
    const lines = this.#recorded.flatMap((each) => this.#lineOf(each, partner.get(each)))
    const kept = this.#recorded.flatMap((each) => {
      const fire = partner.get(each)
      if (fire === undefined) return []
      return [{ ...this.#record(fire), label: each.label }]
    })
    const late = fires.filter(isFree).map((fire) => this.#record(fire))
    this.#recorded = [...kept, ...late].sort((a, b) => a.entry.atMs - b.entry.atMs)
    const nameOf = ({ entry }: Recorded) =>
      kind === 'amendment' || entry.amendedAtMs >= 0 ? 'lateByAmendment' : 'lateFromHistory'
    return [...lines, ...late.map((each) => `${nameOf(each)} ${each.label} ${each.entry.value}`)]
  }

  #lineOf(each: Recorded, fire: Fire | undefined): Lines {
    if (fire === undefined) return [`retracted ${each.label}`]
    const now = this.#record(fire)
    const said = ({ entry, reference, gapSinceMs }: Recorded) =>
      JSON.stringify([entry.atMs, entry.value, entry.amendedAtMs, reference, gapSinceMs])
    return said(each) === said(now) ? [] : [`confirmed ${each.label} ${fire.entry.atMs} ${fire.entry.value}`]
  }
}
