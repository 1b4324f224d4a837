/** A run of a rule by the definitions: after each change everything is answered from the list of all its values. */
import type { AlertRule } from '../../../../../protocol/alerts'
import { findIn, judge, phaseOf, type Entry, type Fire, type Standing } from './definitions'

/** A firing that has become an event: as it was recorded, and as it is now. */
interface Recorded extends Fire {
  label: string
  gapSinceMs: number | undefined
}

/** What is said of a change, one line an event. */
export type Lines = string[]

const longestGapMs = 10_000

interface Judged {
  standing: Standing
  fires: Fire[]
}

export class ReferenceRun {
  readonly #rule: AlertRule
  readonly #base: Standing
  readonly #sinceMs: number
  /** In order of published time, each in its latest revision. */
  #values: Entry[] = []
  #recorded: Recorded[] = []
  /** The run in its place, once it has ended. */
  #next: ReferenceRun | undefined
  /** What the values come to, until there are others. */
  #judged: Judged | undefined

  /** `sinceMs`: when it begins, where it begins without a value. */
  constructor(rule: AlertRule, first: 'wait' | 'fire', sinceMs = Infinity) {
    this.#rule = rule
    this.#sinceMs = sinceMs
    this.#base = { first, armed: [], holds: [], isDone: false }
  }

  get phase(): string {
    return phaseOf(this.#now().standing)
  }

  /** The next value, as it is published. */
  see(entry: Entry): Lines {
    if (this.#values.some(({ atMs }) => atMs >= entry.atMs)) return []
    this.#values.push({ ...entry })
    this.#judged = undefined
    const { fires } = this.#now()
    const now = fires.filter((fire) => fire.entry.atMs === entry.atMs).map((fire) => this.#record(fire))
    this.#recorded.push(...now)
    return now.map(({ label }) => `fired ${label} ${entry.value}`)
  }

  /** Values of times past have become known, or were amended. */
  learn(entries: readonly Entry[], kind: 'amendment' | 'history'): Lines {
    const hasEnded = this.#next !== undefined
    const firstMs = Math.min(this.#values[0]?.atMs ?? Infinity, this.#sinceMs + 1)
    const lastMs = Math.max(this.#values.at(-1)?.atMs ?? 0, this.#next?.untilMs ?? 0)
    const inside = entries.filter(({ atMs }) => atMs >= firstMs && (!hasEnded || atMs <= lastMs))
    if (inside.length === 0) return []
    const times = new Set(inside.map(({ atMs }) => atMs))
    this.#values = [...this.#values.filter(({ atMs }) => !times.has(atMs)), ...inside.map((entry) => ({ ...entry }))]
    this.#values.sort((a, b) => a.atMs - b.atMs)
    this.#judged = undefined
    return this.#compare(kind)
  }

  /** The rule begins again: no later value is shown to this run, but what it came to by those before may change. */
  end(next: ReferenceRun): void {
    this.#next = next
  }

  /**
   * What was published up to then is still of the run before: of one that began with a value, nothing more. Where this one
   * never had a value, the first of those after it is none of the run before either.
   */
  get untilMs(): number {
    if (this.#sinceMs === Infinity) return 0
    return Math.min(this.#sinceMs, this.firstMs - 1)
  }

  /** The first value of this run and those after it. */
  get firstMs(): number {
    return Math.min(this.#values[0]?.atMs ?? Infinity, this.#next?.firstMs ?? Infinity)
  }

  #now(): Judged {
    return (this.#judged ??= this.#judgeAll())
  }

  #judgeAll(): Judged {
    let standing = this.#base
    const fires: Fire[] = []
    for (const [at, entry] of this.#values.entries()) {
      // A rule that is done looks at nothing.
      const seen = standing.isDone ? undefined : findIn(this.#rule.terms, this.#values.slice(0, at + 1), fires)
      const { after, fire } = judge(this.#rule, standing, entry, seen)
      if (fire !== undefined) fires.push(fire)
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
    const previous = this.#values.findLast(({ atMs }) => atMs < entry.atMs)
    return previous !== undefined && entry.atMs - previous.atMs > longestGapMs ? previous.atMs : undefined
  }

  /** What had fired against what fires now. */
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
