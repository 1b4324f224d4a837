/** The mean of a window that is bound to a time, and its state. Pure: values and published time give the result. */
import { add, compareDecimals, compareFractions, decimalsOf, parseDecimal, type Exact, type Fraction } from '../decimal'
import type { Publication } from '../model'
import { MeanWindow, meanOf, type Observation, type WindowTerms } from './mean-window'

/** `trimmed`: without the highest and the lowest fifth. `minutes`: the mean of the means of each minute. */
type MeanMethod = 'mean' | 'trimmed' | 'minutes'

/** A window bound to a time T: `seconds` before T, without T itself, or up to T and including it. */
export interface BoundTerms extends WindowTerms {
  method: MeanMethod
  includesClose?: boolean | undefined
}

/**
 * `before` the first value · `running` · `waiting` for values under way · `complete` · `incomplete`: values are missing
 * 10 s after the last one was due, and still join when they come · `amended` after its end.
 */
export type WindowState = 'before' | 'running' | 'waiting' | 'complete' | 'incomplete' | 'amended'

/** A mean that an amendment changed, and when. */
interface EarlierMean {
  mean: Fraction
  untilMs: number
}

export interface BoundMean {
  state: WindowState
  /** Published times of the first and the last value. */
  firstMs: number
  lastMs: number
  /** Values in the window, and values in a complete one. Trimmed values are among them. */
  counted: number
  expected: number
  carried: number
  /** Zeros, which count as missing. */
  zeros: number
  /** The sum of the counted values. */
  sum: Exact
  /** Undefined while there are no values. */
  mean: Fraction | undefined
  /** Final means before amendments, oldest first. */
  earlier: EarlierMean[]
  observations: Observation[]
}

/** Values arrive this long after their published time at most. Later ones still join. */
export const lateAfterMs = 10_000
const minuteMs = 60_000
const trimPercent = 20

/** True once no more values are expected. A late or amended value can still change the mean. */
export function isFinal(state: WindowState): boolean {
  return state === 'complete' || state === 'incomplete' || state === 'amended'
}

/** The published times of the first and the last value of the window that is bound to `closeMs`. */
export function boundsOf({ seconds, stepMs, includesClose = false }: BoundTerms, closeMs: number) {
  const lastMs = includesClose ? closeMs : closeMs - stepMs
  return { firstMs: lastMs - seconds * 1_000 + stepMs, lastMs }
}

/**
 * The mean at a published time. `published` are all known revisions, in any order. `nowMs` is the present by published
 * time, not by this computer's clock.
 */
export function boundMean(
  terms: BoundTerms,
  closeMs: number,
  published: readonly Publication[],
  nowMs: number,
): BoundMean {
  const { firstMs, lastMs } = boundsOf(terms, closeMs)
  const window = windowOf(terms, lastMs, published)
  const { observations, counted, expected, carried, sum } = window
  const earlier = earlierMeans(terms, lastMs, published)
  const state = stateOf({ firstMs, lastMs, nowMs, isWhole: counted === expected, isEmpty: observations.length === 0 })
  return {
    state: isFinal(state) && earlier.length > 0 ? 'amended' : state,
    firstMs,
    lastMs,
    counted,
    expected,
    carried,
    zeros: observations.filter(({ publication }) => parseDecimal(publication.value)?.sign === 0).length,
    sum,
    mean: meanBy(terms.method, window),
    earlier,
    observations,
  }
}

function windowOf(terms: BoundTerms, lastMs: number, published: readonly Publication[]): MeanWindow {
  const window = new MeanWindow(terms)
  window.moveTo(lastMs)
  for (const publication of published) window.add(publication)
  return window
}

function stateOf(at: { firstMs: number; lastMs: number; nowMs: number; isWhole: boolean; isEmpty: boolean }) {
  const { firstMs, lastMs, nowMs } = at
  if (at.isWhole) return 'complete'
  if (nowMs < firstMs && at.isEmpty) return 'before'
  if (nowMs < lastMs) return 'running'
  return nowMs < lastMs + lateAfterMs ? 'waiting' : 'incomplete'
}

/** The means that were final until an amendment after the end of the window changed them. */
function earlierMeans(terms: BoundTerms, lastMs: number, published: readonly Publication[]): EarlierMean[] {
  const changes = published.flatMap(({ amendedAtMs = 0 }) => (amendedAtMs > lastMs ? [amendedAtMs] : []))
  const times = [...new Set(changes)].sort((a, b) => a - b)
  const meanUntil = (endMs: number) =>
    meanBy(
      terms.method,
      windowOf(
        terms,
        lastMs,
        published.filter(({ amendedAtMs = 0 }) => amendedAtMs < endMs),
      ),
    )
  return times.flatMap((untilMs, at) => {
    const mean = meanUntil(untilMs)
    const next = meanUntil(times[at + 1] ?? Infinity)
    const hasChanged = mean !== undefined && next !== undefined && compareFractions(mean, next) !== 0
    return hasChanged ? [{ mean, untilMs }] : []
  })
}

/** Undefined if no value counts. */
function meanBy(method: MeanMethod, window: MeanWindow): Fraction | undefined {
  if (method === 'mean') return window.mean
  return method === 'trimmed' ? trimmedMean(window.observations) : meanOfMinutes(window.observations)
}

/** The counted values that trimming leaves out, by published time. */
export function trimmedOff(observations: readonly Observation[]): Set<number> {
  const sorted = sortedByValue(observations)
  const off = Math.floor((sorted.length * trimPercent) / 100)
  const ends = [...sorted.slice(0, off), ...sorted.slice(sorted.length - off)]
  return new Set(ends.map(({ publication }) => publication.publishedAtMs))
}

function sortedByValue(observations: readonly Observation[]) {
  return observations
    .flatMap(({ publication, exact }) => {
      const decimal = exact && parseDecimal(publication.value)
      return decimal === undefined ? [] : [{ publication, decimal }]
    })
    .sort((a, b) => compareDecimals(a.decimal, b.decimal))
}

function trimmedMean(observations: readonly Observation[]): Fraction | undefined {
  const off = trimmedOff(observations)
  const kept = observations.filter(({ exact, publication }) => exact && !off.has(publication.publishedAtMs))
  return plainMean(kept)
}

function plainMean(observations: readonly Observation[]): Fraction | undefined {
  const counted = observations.flatMap(({ exact }) => exact ?? [])
  const zero: Exact = { units: 0n, scale: 0 }
  return counted.length === 0 ? undefined : meanOf(counted.reduce(add, zero), counted.length)
}

/** The mean of one minute, and of how many values. */
export interface MinuteMean {
  fromMs: number
  counted: number
  mean: Fraction | undefined
}

/** The means of the minutes that have values, in order. */
export function minuteMeans(observations: readonly Observation[]): MinuteMean[] {
  const minutes = new Map<number, Observation[]>()
  for (const each of observations) {
    const fromMs = Math.floor(each.publication.publishedAtMs / minuteMs) * minuteMs
    const within = minutes.get(fromMs)
    if (within === undefined) minutes.set(fromMs, [each])
    else within.push(each)
  }
  return [...minutes].map(([fromMs, within]) => ({
    fromMs,
    counted: within.filter(({ exact }) => exact !== undefined).length,
    mean: plainMean(within),
  }))
}

function meanOfMinutes(observations: readonly Observation[]): Fraction | undefined {
  const means = minuteMeans(observations).flatMap(({ mean }) => mean ?? [])
  if (means.length === 0) return undefined
  const zero: Fraction = { units: 0n, over: 1n }
  const sum = means.reduce(
    (a, b) =>
      a.over === b.over
        ? { units: a.units + b.units, over: a.over }
        : { units: a.units * b.over + b.units * a.over, over: a.over * b.over },
    zero,
  )
  return { units: sum.units, over: sum.over * BigInt(means.length) }
}

/** The number of decimals that most of these values have. Undefined if there are none. */
export function usualDecimals(published: readonly Publication[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { value } of published) {
    if (parseDecimal(value) === undefined) continue
    const places = decimalsOf(value)
    counts.set(places, (counts.get(places) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0]
}
