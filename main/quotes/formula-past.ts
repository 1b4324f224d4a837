import type { TimeRange } from '../../core/ranges'
import { parseFormula, type Formula } from '../../core/formula-id'
import { staleAfterMs } from '../../core/freshness'
import { done, ok, type IndexId, type Outcome, type Publication, type Resolution } from '../../core/model'
import { Emitter } from '../base/emitter'
import { SerialTasks } from '../base/serial-tasks'
import { formulaPublication, formulaSeries, partLimits } from '../../core/formula-series'
import type { Log } from '../base/log'
import type { HistoryAccess, StoredValue, ValueCursor } from '../history-store/contract'
import type { Formulas } from './formulas'
import type { QuoteStore } from './quote-store'

interface FormulaPastEvents {
  /** An earlier value of a formula, amended because a part was. Treat it like a received one. */
  amended: { id: IndexId; publication: Publication }
  /** Values of a formula in a time range, ascending, without those already known. Treat them like caught-up values. */
  learned: TimeRange & { id: IndexId; resolution: Resolution; publications: Publication[]; origin: 'catchUp' }
}

interface Options {
  history: Pick<HistoryAccess, 'query'>
  store: QuoteStore
  formulas: Pick<Formulas, 'of'>
  resolutionOf: (id: IndexId) => Resolution | undefined
  log: Log
  onError: (error: unknown) => void
}

/** Includes the last value before the range, which is in effect at its start. */
interface Parts {
  left: readonly Revisions[]
  right: readonly Revisions[]
}

/**
 * Keeps the past of formulas consistent with their parts. If a part is amended, values computed from it are amended. If
 * both parts are caught up, missing values of the formula are computed.
 */
export class FormulaPast {
  readonly events: Emitter<FormulaPastEvents>
  readonly #options: Options
  /** Tasks run one at a time, so that each sees the result of the previous ones. */
  readonly #works = new SerialTasks()
  /** Amendments waiting for their task. The task handles all amendments made until it runs. */
  readonly #waiting = new Set<string>()

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    const { store } = options
    store.events.on('past', ({ id, publication }) => {
      if (publication.amendedAtMs !== undefined) this.#amendedPart(id, publication)
    })
    store.events.on('changed', ({ previous, next }) => {
      if (previous?.publishedAtMs === next.publishedAtMs && next.amendedAtMs !== undefined)
        this.#amendedPart(next.id, next)
    })
  }

  /** Call when values of a part in this range were caught up and appended to the history. */
  caughtUp(part: IndexId, range: TimeRange, publications: readonly Publication[]): void {
    for (const publication of publications) {
      if (publication.amendedAtMs !== undefined) this.#amendedPart(part, publication)
    }
    for (const id of this.#options.formulas.of(part)) this.#then(() => this.#fill(id, part, range))
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

  #then(run: () => Promise<Outcome<null>>): void {
    const { log, onError } = this.#options
    void this.#works.run(run).then((outcome) => {
      if (!outcome.ok) log.warn('The past of a formula could not be read', { problem: outcome.problem.message })
    }, onError)
  }

  /** Recomputes the formula's values that were computed from this publication. */
  async #amend(id: IndexId, part: IndexId, publishedAtMs: number): Promise<Outcome<null>> {
    const { history } = this.#options
    const formula = parseFormula(id)
    if (formula === undefined) return done
    const at = await history.query('valueAt', { id: part, atMs: publishedAtMs })
    if (!at.ok) return at
    const { nextPublishedAtMs } = at.value
    const next =
      nextPublishedAtMs === undefined
        ? undefined
        : await history.query('valueAt', { id: part, atMs: nextPublishedAtMs })
    if (next?.ok === false) return next
    // The publication counted until the next one was received, which may be long after its published time.
    const learnedMs = Math.max(nextPublishedAtMs ?? 0, next?.value.revisions[0]?.learnedAtMs ?? 0)
    const range = { fromMs: publishedAtMs, toMs: nextPublishedAtMs === undefined ? farMs : learnedMs + slackMs }
    for await (const times of this.#times(id, range)) {
      if (!times.ok) return times
      const [first, last] = [times.value[0]?.[0], times.value.at(-1)?.[0]]
      if (first === undefined || last === undefined) continue
      const parts = await this.#parts(formula, { fromMs: first.publishedAtMs, toMs: last.publishedAtMs })
      if (!parts.ok) return parts
      for (const revisions of times.value) {
        const publication = amendmentOf(formula, revisions, parts.value)
        if (publication !== undefined) this.events.emit('amended', { id, publication })
      }
    }
    return done
  }

  /** Computes the formula's values in a range for which both parts were caught up. */
  async #fill(id: IndexId, part: IndexId, range: TimeRange): Promise<Outcome<null>> {
    const { history, resolutionOf } = this.#options
    const formula = parseFormula(id)
    const resolution = resolutionOf(id)
    if (formula === undefined || resolution === undefined) return done
    const known = await history.query('valueAt', { id, atMs: range.fromMs })
    if (!known.ok) return known
    // The formula was not watched before its first value.
    const firstMs = known.value.revisions.length > 0 ? range.fromMs : known.value.nextPublishedAtMs
    if (firstMs === undefined || firstMs > range.toMs) return done
    const other = part === formula.left ? formula.right : formula.left
    const maxGapMs = staleAfterMs(resolutionOf(other) ?? resolution)
    const gaps = await history.query('gaps', { id: other, fromMs: firstMs, toMs: range.toMs, maxGapMs })
    if (!gaps.ok) return gaps
    // The other part calls `caughtUp` too when it is complete.
    if (gaps.value.some(({ state }) => state === 'unasked')) return done
    const limits = partLimits(formula, resolutionOf)
    for (let fromMs = firstMs; fromMs <= range.toMs; fromMs += partMs) {
      const toMs = Math.min(range.toMs, fromMs + partMs - 1)
      const parts = await this.#parts(formula, { fromMs, toMs })
      if (!parts.ok) return parts
      const own = await this.#allRevisions(id, { fromMs, toMs })
      if (!own.ok) return own
      const there = new Set(own.value.map(({ publishedAtMs }) => publishedAtMs))
      const series = formulaSeries(formula, latest(parts.value.left), latest(parts.value.right), limits)
      const publications = series.filter(({ publishedAtMs: ms }) => ms >= fromMs && ms <= toMs && !there.has(ms))
      if (publications.length === 0) continue
      this.events.emit('learned', { id, resolution, publications, origin: 'catchUp', fromMs, toMs })
    }
    return done
  }

  /** All revisions of both parts in a range, and those in effect before it. */
  async #parts({ left, right }: Formula, range: TimeRange): Promise<Outcome<Parts>> {
    const [a, b] = [await this.#part(left, range), await this.#part(right, range)]
    if (!a.ok) return a
    return b.ok ? ok({ left: byTime(a.value), right: byTime(b.value) }) : b
  }

  async #part(id: IndexId, { fromMs, toMs }: TimeRange): Promise<Outcome<StoredValue[]>> {
    // A value received late was not in effect yet, so the one before it is needed too.
    const inEffect = await this.#options.history.query('valueAt', { id, atMs: fromMs })
    if (!inEffect.ok) return inEffect
    const startMs = inEffect.value.revisions[0]?.publishedAtMs ?? fromMs
    const before = await this.#options.history.query('valueAt', { id, atMs: startMs - 1 })
    if (!before.ok) return before
    const within = await this.#allRevisions(id, { fromMs: startMs, toMs })
    return within.ok ? ok([...before.value.revisions, ...within.value]) : within
  }

  async #allRevisions(id: IndexId, range: TimeRange): Promise<Outcome<StoredValue[]>> {
    const all: StoredValue[] = []
    for await (const times of this.#times(id, range)) {
      if (!times.ok) return times
      all.push(...times.value.flat())
    }
    return ok(all)
  }

  /** Values of the history in a range, page by page. The revisions of one time are never split over two pages. */
  async *#times(id: IndexId, range: TimeRange): AsyncGenerator<Outcome<Revisions[]>, void> {
    let held: Revisions = []
    let after: ValueCursor | undefined
    do {
      const page = await this.#options.history.query('values', {
        ...{ id, ...range, revisions: 'all' },
        after,
      })
      if (!page.ok) {
        yield page
        return
      }
      after = page.value.next
      const times = byTime([...held, ...page.value.values])
      held = after === undefined ? [] : (times.pop() ?? [])
      yield ok(times)
    } while (after !== undefined)
  }
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
function amendmentOf(formula: Formula, revisions: Revisions, { left, right }: Parts): Publication | undefined {
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

function computed(formula: Formula, left: StoredValue | undefined, right: StoredValue | undefined, atMs: number) {
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
