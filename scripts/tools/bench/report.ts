/** The results of the benchmark's rows, and whether their budgets are met. Pure functions. */

/**
 * A row's budget: a share of the limit's rate, a multiple of its cost, or a fixed figure. `figureBelow` must also be
 * less than the limit.
 */
export type Budget =
  | { readonly kind: 'rateShare'; readonly min: number }
  | { readonly kind: 'times'; readonly max: number }
  | { readonly kind: 'figure'; readonly max: number }
  | { readonly kind: 'figureBelow'; readonly max: number }
  | { readonly kind: 'atLeast'; readonly min: number }

export interface Row {
  /** The name of the budget in docs/reports/performance.md, with a suffix for the part. */
  readonly name: string
  readonly what: string
  /** Unit of the measured figure. Less is better, except for `atLeast`. */
  readonly unit: string
  readonly budget: Budget
  /** The figure is the same in every round, like a size, and is measured once. */
  readonly isCounted?: true
  /** The figure is the longest of a whole run, so there is only one. */
  readonly isLongest?: true
  /** Takes long or needs a package. Measured only when named. */
  readonly isFurther?: true
}

/** One figure a round, alternating between our side and the limit. */
export interface Samples {
  readonly ours: number[]
  readonly limit: number[]
}

interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface Result extends Row {
  readonly ours: Summary
  readonly limit: Summary
  /** Ratio of the medians, in the direction of the budget. */
  readonly ratio: number
  readonly isHeld: boolean
  readonly rounds: number
}

/** Fewer rounds prove nothing on a busy machine. */
const minRounds = 5

function summarize(row: Row, figures: readonly number[]): Summary {
  const least = row.isCounted === true || row.isLongest === true ? 1 : minRounds
  if (figures.length < least) {
    throw new Error(`${row.name}: ${figures.length} rounds were measured; there must be at least ${least}`)
  }
  if (!figures.every((figure) => Number.isFinite(figure) && figure >= 0)) {
    throw new Error(`${row.name}: ${figures.join(', ')} are not all figures`)
  }
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (place: number) => sorted[place] ?? 0
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** The result of a row. Throws if too little was measured. */
export function judge(row: Row, samples: Samples): Result {
  const ours = summarize(row, samples.ours)
  const limit = summarize(row, samples.limit)
  const { budget } = row
  const ratio = budget.kind === 'rateShare' ? limit.median / ours.median : ours.median / limit.median
  const isHeld = isWithin(budget, { ours: ours.median, ratio })
  return { ...row, ours, limit, ratio, isHeld, rounds: samples.ours.length }
}

function isWithin(budget: Budget, { ours, ratio }: { ours: number; ratio: number }): boolean {
  switch (budget.kind) {
    case 'rateShare':
      return ratio >= budget.min
    case 'times':
      return ratio <= budget.max
    case 'figure':
      return ours <= budget.max
    case 'figureBelow':
      return ours <= budget.max && ratio < 1
    case 'atLeast':
      return ours >= budget.min
  }
}

/** 1 if a budget is not met and the run is strict. */
export function exitCode(results: readonly Result[], { isStrict }: { isStrict: boolean }): 0 | 1 {
  return isStrict && results.some(({ isHeld }) => !isHeld) ? 1 : 0
}

/** Rows with one of these names, or with a name before the dash. Without names: all rows except those with `isFurther`. */
export function selectRows<R extends Row>(rows: readonly R[], names: readonly string[]): readonly R[] {
  const isNamed = (row: Row, name: string) => row.name === name || row.name.startsWith(`${name}-`)
  const unknown = names.filter((name) => !rows.some((row) => isNamed(row, name)))
  if (unknown.length > 0) {
    throw new RangeError(`no such row: ${unknown.join(', ')}; there are ${rows.map(({ name }) => name).join(', ')}`)
  }
  if (names.length === 0) return rows.filter(({ isFurther }) => isFurther !== true)
  return rows.filter((row) => names.some((name) => isNamed(row, name)))
}

/** One line a row: the medians with the lowest and highest figure, or the count. */
export function table(results: readonly Result[]): string {
  const head = ['row', 'what', 'ours', 'limit', 'ratio', 'budget', 'held']
  const lines = results.map((result) => [
    result.name,
    result.what,
    figureWords(result, result.ours),
    figureWords(result, result.limit),
    Number.isFinite(result.ratio) ? short(result.ratio) : '–',
    budgetWords(result),
    result.isHeld ? 'held' : 'NOT HELD',
  ])
  const widths = head.map((title, at) => Math.max(...[head, ...lines].map((line) => (line[at] ?? title).length)))
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The measured figure and its budget. */
export function inWords(result: Result): string {
  const { budget, unit, ratio, ours } = result
  // A ratio to a limit of 0 is lost on its way as JSON.
  let figure = `${short(ours.median)} ${unit}`
  if (budget.kind === 'rateShare') figure = `${short(ratio)} of its rate`
  if (budget.kind === 'times') figure = `${short(ratio)} ×`
  return `${result.name} ${figure} (${budgetWords(result)})`
}

function budgetWords({ budget, unit }: Row): string {
  switch (budget.kind) {
    case 'rateShare':
      return `≥ ${budget.min} of its rate`
    case 'times':
      return `≤ ${budget.max} ×`
    case 'figure':
      return `≤ ${budget.max} ${unit}`
    case 'figureBelow':
      return `≤ ${budget.max} ${unit}, < limit`
    case 'atLeast':
      return `≥ ${budget.min} ${unit}`
  }
}

function figureWords({ unit, isCounted }: Row, { median, min, max }: Summary): string {
  const spread = isCounted === true ? '' : ` (${short(min)} to ${short(max)})`
  return `${short(median)} ${unit}${spread}`
}

/** Three significant digits, and never fewer than the integer part. */
function short(figure: number): string {
  if (figure === 0) return '0'
  return figure.toFixed(Math.max(0, 2 - Math.floor(Math.log10(figure))))
}
