import type { TimeRange } from '../../core/ranges'
import { parseFormula, type MeanFormula, type PairFormula } from '../../core/formula-id'
import { staleAfterMs } from '../../core/freshness'
import type { IndexId, Publication, Resolution } from '../../core/model'
import { Emitter } from '../base/emitter'
import { SerialTasks } from '../base/serial-tasks'
import { formulaPublication, formulaSeries, meanAfter, type PartFacts } from '../../core/formula-series'
import { RollingMean } from '../../core/settlement/rolling-mean'
import type { Log } from '../base/log'
import { lastAmendedMs, publicationOf } from '../../core/publication'
import { answered } from '../base/answered'
import { asking, valuePages, type Ask } from '../history-store/asking'
import type { HistoryAccess, StoredValue, ValueCursor } from '../history-store/contract'
import type { Formulas } from './formulas'
import type { QuoteStore } from './quote-store'

interface FormulaPastEvents {
  /** An earlier value of a formula, amended because a part was. Treat it like a received one. */
  amended: { id: IndexId; publication: Publication }
  /** Values of a formula in a time range, ascending, without those already known. Treat them like caught-up values. */
  learned: TimeRange & { id: IndexId; resolution: Resolution; publications: Publication[]; origin: 'catchUp' }
}

interface Options extends PartFacts {
  history: Pick<HistoryAccess, 'query'>
  store: QuoteStore
  formulas: Pick<Formulas, 'of'>
  log: Log
  onError: (error: unknown) => void
}

/** The values of a mean to compute again. */
interface MeanRange extends TimeRange {
  /** Time of the latest amendment among its values. 0 without any. */
  amendedAtMs: number
}

/** Includes the last value before the range, which is in effect at its start. */
interface Parts {
  left: readonly Revisions[]
  right: readonly Revisions[]
}

/**
 * Keeps the past of formulas consistent with their parts. If a part is amended, values computed from it are amended. If
 * all parts are caught up, missing values of the formula are computed. A late value amends the means that lacked it.
 */
export class FormulaPast {
  readonly events: Emitter<FormulaPastEvents>
  readonly #options: Options
  readonly #ask: Ask
  /** Tasks run one at a time, so that each sees the result of the previous ones. */
  readonly #works = new SerialTasks()
  /** Amendments waiting for their task. The task handles all amendments made until it runs. */
  readonly #waiting = new Set<string>()
  /** The same for means. */
  readonly #waitingMeans = new Map<IndexId, MeanRange>()

  constructor(options: Options) {
    this.#options = options
    this.#ask = asking(options.history)
    this.events = new Emitter(options.onError)
    const { store } = options
    store.events.on('past', ({ id, publication }) => {
      if (publication.amendedAtMs !== undefined) this.#amendedPart(id, publication)
      this.#meansChanged(id, rangeOf(publication))
    })
    store.events.on('changed', ({ previous, next }) => {
      if (previous?.publishedAtMs !== next.publishedAtMs || next.amendedAtMs === undefined) return
      this.#amendedPart(next.id, next)
      this.#meansChanged(next.id, rangeOf(next))
    })
  }

  /** Call when values of a part in this range were caught up and appended to the history. */
  caughtUp(part: IndexId, range: TimeRange, publications: readonly Publication[]): void {
    for (const publication of publications) {
      if (publication.amendedAtMs !== undefined) this.#amendedPart(part, publication)
    }
    for (const id of this.#options.formulas.of(part)) this.#then(() => this.#fill(id, part, range))
    this.#meansChanged(part, { ...range, amendedAtMs: lastAmendedMs(publications) })
  }

  /** Resolves when no task is waiting or running. */
  settled(): Promise<void> {
    return this.#works.idle()
  }

  #amendedPart(part: IndexId, { publishedAtMs }: Publication): void {
    for (const id of this.#options.formulas.of(part)) {
      const name = `${id}/${part}/${publishedAtMs}`
      if (this.#waiting.has(name)) continue
      this.#waiting.add(name)
      this.#then(() => {
        this.#waiting.delete(name)
        return this.#amend(id, part, publishedAtMs)
      })
    }
  }

  /** Values of an index in this range are new or amended. Counts for means only. */
  #meansChanged(part: IndexId, changed: MeanRange): void {
    for (const id of this.#options.formulas.of(part)) {
      const formula = parseFormula(id)
      if (formula?.operation !== 'mean') continue
      const waiting = this.#waitingMeans.get(id)
      const { fromMs, toMs, amendedAtMs } = waiting ?? changed
      this.#waitingMeans.set(id, {
        fromMs: Math.min(fromMs, changed.fromMs),
        toMs: Math.max(toMs, changed.toMs + (formula.seconds - 1) * 1_000),
        amendedAtMs: Math.max(amendedAtMs, changed.amendedAtMs),
      })
      if (waiting !== undefined) continue
      this.#then(async () => {
        const range = this.#waitingMeans.get(id)
        this.#waitingMeans.delete(id)
        if (range !== undefined) await this.#computeMeans(id, formula, range)
      })
    }
  }

  #then(run: () => Promise<void>): void {
    const { log, onError } = this.#options
    void answered(() => this.#works.run(run)).then((outcome) => {
      if (!outcome.ok) log.warn('The past of a formula could not be read', { problem: outcome.problem.message })
    }, onError)
  }

  /** Recomputes the formula's values that were computed from this publication. */
  async #amend(id: IndexId, part: IndexId, publishedAtMs: number): Promise<void> {
    const formula = parseFormula(id)
    if (formula === undefined || formula.operation === 'mean') return
    const { nextPublishedAtMs } = await this.#ask('valueAt', { id: part, atMs: publishedAtMs })
    const next =
      nextPublishedAtMs === undefined ? undefined : await this.#ask('valueAt', { id: part, atMs: nextPublishedAtMs })
    // The publication counted until the next one was received, which may be long after its published time.
    const learnedMs = Math.max(nextPublishedAtMs ?? 0, next?.revisions[0]?.learnedAtMs ?? 0)
    const range = { fromMs: publishedAtMs, toMs: nextPublishedAtMs === undefined ? farMs : learnedMs + slackMs }
    for await (const times of this.#times(id, range)) {
      const [first, last] = [times[0]?.[0], times.at(-1)?.[0]]
      if (first === undefined || last === undefined) continue
      const parts = await this.#parts(formula, { fromMs: first.publishedAtMs, toMs: last.publishedAtMs })
      for (const revisions of times) {
        const publication = amendmentOf(formula, revisions, parts)
        if (publication !== undefined) this.events.emit('amended', { id, publication })
      }
    }
  }

  /** Computes the formula's values in a range for which both parts were caught up. */
  async #fill(id: IndexId, part: IndexId, range: TimeRange): Promise<void> {
    const { resolutionOf } = this.#options
    const formula = parseFormula(id)
    const resolution = resolutionOf(id)
    if (formula === undefined || formula.operation === 'mean' || resolution === undefined) return
    const firstMs = await this.#firstMs(id, range)
    if (firstMs > range.toMs) return
    const other = part === formula.left ? formula.right : formula.left
    const maxGapMs = staleAfterMs(resolutionOf(other) ?? resolution)
    const gaps = await this.#ask('gaps', { id: other, fromMs: firstMs, toMs: range.toMs, maxGapMs })
    // The other part calls `caughtUp` too when it is complete.
    if (gaps.some(({ state }) => state === 'unasked')) return
    for (let fromMs = firstMs; fromMs <= range.toMs; fromMs += partMs) {
      const toMs = Math.min(range.toMs, fromMs + partMs - 1)
      const { left, right } = await this.#parts(formula, { fromMs, toMs })
      const own = await this.#allRevisions(id, { fromMs, toMs })
      const there = new Set(own.map(({ publishedAtMs }) => publishedAtMs))
      const series = formulaSeries(formula, [latest(left), latest(right)], this.#options)
      const publications = series.filter(({ publishedAtMs: ms }) => ms >= fromMs && ms <= toMs && !there.has(ms))
      if (publications.length === 0) continue
      this.events.emit('learned', { id, resolution, publications, origin: 'catchUp', fromMs, toMs })
    }
  }

  /** Computes the means of a range. Emits those that are missing or differ. */
  async #computeMeans(id: IndexId, formula: MeanFormula, { amendedAtMs, fromMs, toMs }: MeanRange): Promise<void> {
    const { decimalsOf, store } = this.#options
    const latest = store.get(id)
    // Later ones are computed as they come.
    const isLive = latest !== undefined && latest.source !== 'cache'
    const range = { fromMs, toMs: isLive ? Math.min(toMs, latest.publishedAtMs) : toMs }
    const firstMs = await this.#firstMs(id, range)
    const own = await this.#allRevisions(id, range)
    const known = new Map(own.map((value) => [value.publishedAtMs, value]))
    let mean = new RollingMean(formula.seconds)
    let connection: string | undefined
    // A silence before the first window would make it fill.
    const startMs = fromMs - formula.seconds * 1_000 - staleAfterMs('PER_SECOND')
    for await (const times of this.#times(formula.index, { fromMs: startMs, toMs: range.toMs })) {
      const publications: Publication[] = []
      for (const revisions of times) {
        const value = revisions.at(-1)
        if (value === undefined) continue
        // Values of two connections are never in one mean.
        if (connection !== undefined && value.connection !== connection) mean = new RollingMean(formula.seconds)
        connection = value.connection
        const next = meanAfter(mean, publicationOf(value), decimalsOf(formula.index))
        if (next === undefined || next.publishedAtMs < Math.max(fromMs, firstMs)) continue
        const before = known.get(next.publishedAtMs)
        if (before === undefined) publications.push(next)
        else if (before.value !== next.value || before.missing !== next.missing) {
          const laterMs = (before.amendedAtMs ?? next.publishedAtMs - 1) + 1
          publications.push({ ...next, amendedAtMs: Math.max(amendedAtMs, laterMs) })
        }
      }
      const [from, to] = [publications[0]?.publishedAtMs, publications.at(-1)?.publishedAtMs]
      if (from === undefined || to === undefined) continue
      const learned = { id, resolution: 'PER_SECOND', publications, origin: 'catchUp', fromMs: from, toMs: to } as const
      this.events.emit('learned', learned)
    }
  }

  /** Where in a range the values of a formula begin: it was not watched before its first value. Infinity without one. */
  async #firstMs(id: IndexId, { fromMs }: TimeRange): Promise<number> {
    const { revisions, nextPublishedAtMs = Infinity } = await this.#ask('valueAt', { id, atMs: fromMs })
    return revisions.length > 0 ? fromMs : nextPublishedAtMs
  }

  /** All revisions of both parts in a range, and those in effect before it. */
  async #parts({ left, right }: PairFormula, range: TimeRange): Promise<Parts> {
    return { left: byTime(await this.#part(left, range)), right: byTime(await this.#part(right, range)) }
  }

  async #part(id: IndexId, { fromMs, toMs }: TimeRange): Promise<StoredValue[]> {
    // A value received late was not in effect yet, so the one before it is needed too.
    const inEffect = await this.#ask('valueAt', { id, atMs: fromMs })
    const startMs = inEffect.revisions[0]?.publishedAtMs ?? fromMs
    const before = await this.#ask('valueAt', { id, atMs: startMs - 1 })
    return [...before.revisions, ...(await this.#allRevisions(id, { fromMs: startMs, toMs }))]
  }

  async #allRevisions(id: IndexId, range: TimeRange): Promise<StoredValue[]> {
    const all: StoredValue[] = []
    for await (const page of valuePages(this.#ask, { id, ...range, revisions: 'all' })) all.push(...page)
    return all
  }

  /** Values of the history in a range, page by page. The revisions of one time are never split over two pages. */
  async *#times(id: IndexId, range: TimeRange): AsyncGenerator<Revisions[], void> {
    let held: Revisions = []
    let after: ValueCursor | undefined
    do {
      const page = await this.#ask('values', { ...{ id, ...range, revisions: 'all' }, after })
      after = page.next
      const times = byTime([...held, ...page.values])
      held = after === undefined ? [] : (times.pop() ?? [])
      yield times
    } while (after !== undefined)
  }
}

function rangeOf({ publishedAtMs, amendedAtMs = 0 }: Publication): MeanRange {
  return { fromMs: publishedAtMs, toMs: publishedAtMs, amendedAtMs }
}

const partMs = 3_600_000
/** A value that waited for the other part is computed shortly after its published time. */
const slackMs = 10_000
const farMs = 8_640_000_000_000_000

/** All revisions of one published time, oldest first. */
type Revisions = readonly StoredValue[]

/** Groups values by published time. They are in history order: by time, then by amendment. */
function byTime(values: readonly StoredValue[]): Revisions[] {
  const groups: StoredValue[][] = []
  for (const value of values) {
    const group = groups.at(-1)
    if (group?.[0]?.publishedAtMs === value.publishedAtMs) group.push(value)
    else groups.push([value])
  }
  return groups
}

/** The latest revision of each time. */
function latest(times: readonly Revisions[]): Publication[] {
  return times.flatMap((revisions) => revisions.slice(-1))
}

/**
 * The amended value of a formula, or undefined if it is unchanged. The parts it was computed from are those known at
 * that time. They count only if they reproduce the value it has.
 */
function amendmentOf(formula: PairFormula, revisions: Revisions, { left, right }: Parts): Publication | undefined {
  const [first, now] = [revisions[0], revisions.at(-1)]
  if (first === undefined || now === undefined) return undefined
  const atMs = now.publishedAtMs
  for (const knownMs of [now.learnedAtMs, first.learnedAtMs]) {
    const [a, b] = [inEffect(left, atMs, knownMs), inEffect(right, atMs, knownMs)]
    const before = [a, b].map((part) => part?.findLast(({ learnedAtMs }) => learnedAtMs <= now.learnedAtMs))
    if (computed(formula, before[0], before[1], atMs)?.value !== now.value) continue
    const [newA, newB] = [a?.at(-1), b?.at(-1)]
    const next = computed(formula, newA, newB, atMs)
    if (next === undefined || next.value === now.value) return undefined
    const amendedAtMs = Math.max(newA?.amendedAtMs ?? 0, newB?.amendedAtMs ?? 0, (now.amendedAtMs ?? 0) + 1)
    return { ...next, amendedAtMs }
  }
  return undefined
}

function computed(formula: PairFormula, left: StoredValue | undefined, right: StoredValue | undefined, atMs: number) {
  return left === undefined || right === undefined ? undefined : formulaPublication(formula, [left, right], atMs)
}

/** The revisions in effect at a time, as known at `knownMs`. */
function inEffect(part: readonly Revisions[], atMs: number, knownMs: number): Revisions | undefined {
  let [low, high] = [0, part.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((part[middle]?.[0]?.publishedAtMs ?? Infinity) <= atMs) low = middle + 1
    else high = middle
  }
  while (low > 0 && (part[low - 1]?.[0]?.learnedAtMs ?? 0) > knownMs) low--
  return part[low - 1]
}
