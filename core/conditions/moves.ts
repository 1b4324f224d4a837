/** Moves: the newest value compared with the oldest, lowest and highest of a window (alert engine, 8). */
import type { AlertInputs } from '../alert-inputs'
import { isNeverNegative } from '../alert-index-checks'
import {
  compareFractions,
  divide,
  exactOf,
  fractionText,
  magnitude,
  multiply,
  readExact,
  sizeOf,
  subtract,
  isAbove,
  type Exact,
  type Fraction,
} from '../decimal'
import { condition, type EventFormat, type FieldValues } from '../evaluation/condition'
import type { Reading } from '../evaluation/latch'
import { pointOf, type MoveWindow, type Point } from '../evaluation/move-window'
import { valueInputs, type ValueSeen } from '../evaluation/observation'
import { once } from '../evaluation/once'
import { judgeReading, nothing } from '../evaluation/verdict'
import { spanText } from '../spans'

interface Change {
  kind: NonNullable<AlertInputs['reference']>['kind']
  reference: Point
  /** In the unit of the terms. */
  size: Fraction
  /** Decimal places for the text. */
  places: number
}

const one: Exact = { units: 1n, scale: 0 }
const hundred: Exact = { units: 100n, scale: 0 }

const referenceWords: Record<Change['kind'], string> = { oldest: 'oldest', min: 'low', max: 'high' }

const fields = { direction: 'required', amount: 'required', unit: 'required', withinMs: 'required' } as const
type MoveTerms = FieldValues<typeof fields>

const amountOf = once(({ amount }: MoveTerms) => readExact(amount))

/** Compares the newest value with the oldest, the lowest and the highest of the last `withinMs`, by published time. */
export const moves = condition({
  group: 'Value',
  fields,
  source: 'values',
  canHold: false,
  canBeTrueAtStart: true,
  sentence: '[moves by] {amount} {unit} {direction} within {withinMs}',
  samples: [
    { direction: 'down', amount: '2.5', unit: 'percent', withinMs: 900_000 },
    { direction: 'either', amount: '100', unit: 'points', withinMs: 90_000 },
  ],
  words({ direction, withinMs }) {
    return `moves${direction === 'either' ? '' : ` ${direction}`} within ${spanText(withinMs)} by`
  },
  amount: ({ amount, unit }, number) => `${number(amount)} ${unit === 'percent' ? '%' : 'points'}`,
  past: ({ direction, withinMs }, amount) =>
    `moved${direction === 'either' ? '' : ` ${direction}`} by ${amount} within ${spanText(withinMs)}`,
  fired({ unit }, { inputs: { change, reference }, value, format }) {
    const size = change === undefined ? '' : format.number(change.replace('-', ''))
    const verb = change?.startsWith('-') ? 'fell' : 'rose'
    return `${verb} ${size}${unit === 'percent' ? ' %' : ' points'} to ${value}${sinceWords(reference, format)}`
  },
  firedDirection: ({ change }) => (change?.startsWith('-') ? 'down' : 'up'),
  measureUnit: ({ unit }) => (unit === 'percent' ? ' %' : ''),
  check({ amount, unit, direction }, index) {
    const isImpossible =
      unit === 'percent' &&
      direction === 'down' &&
      isAbove(amount, '100') &&
      (index === undefined || isNeverNegative(index))
    return isImpossible ? [{ field: 'amount', message: 'A value cannot fall by more than 100 %. Enter less.' }] : []
  },
  /** After a firing, the window starts at the value that fired. */
  judge(rule, before, seen, { window }) {
    const { terms } = rule
    const newest = pointOf(seen.publication)
    const amount = amountOf(terms)
    if (newest === undefined || amount === undefined) return nothing(before, 'No numbers to compare.')
    if (newest.decimal.sign === 0) return nothing(before, 'A zero is skipped.')
    const { publishedAtMs } = newest
    window.add(seen.publication, newest, terms.withinMs)
    const { sinceMs, isCovered = false } = before.window ?? { sinceMs: publishedAtMs }
    const state = before.window === undefined ? { ...before, window: { sinceMs } } : before
    const missingMs = isCovered ? 0 : sinceMs + terms.withinMs - publishedAtMs
    if (missingMs > 0) return nothing(state, `Needs ${spanText(missingMs)} more of values.`)
    const verdict = judgeReading(rule, state, readMove(terms, amount, largest(terms, amount, window, newest), seen))
    if (verdict.firings.length === 0 && verdict.isOutsideHours === undefined) return verdict
    window.restart(newest)
    return { ...verdict, state: { ...verdict.state, window: { sinceMs: publishedAtMs, isCovered: true } } }
  },
  /** Refills the window after a restart. The state was stored, the window was not. */
  recall(terms, state, { window }, publication) {
    const point = pointOf(publication)
    const isInside = state.window !== undefined && publication.publishedAtMs >= state.window.sinceMs
    if (!isInside || point === undefined || point.decimal.sign === 0 || publication.isRepeatOfPrevious === true) return
    window.add(publication, point, terms.withinMs)
  },
})

/** The largest of the three changes in a direction of the terms. If there is none, the change from the oldest value. */
function largest(terms: MoveTerms, amount: Exact, { oldest, min, max }: MoveWindow, newest: Point) {
  const isOldest = (point: Point | undefined) => point?.publishedAtMs === oldest?.publishedAtMs
  const to = exactOf(newest.decimal)
  const first = changeFrom('oldest', oldest, to, terms, amount)
  const changes = [
    first,
    isOldest(min) ? undefined : changeFrom('min', min, to, terms, amount),
    isOldest(max) ? undefined : changeFrom('max', max, to, terms, amount),
  ]
  let best: Change | undefined
  for (const change of changes) {
    if (change === undefined || !isAskedFor(terms, change)) continue
    if (best === undefined || compareFractions(extent(change), extent(best)) > 0) best = change
  }
  return best ?? first
}

/** Undefined in percent from zero. */
function changeFrom(
  kind: Change['kind'],
  reference: Point | undefined,
  to: Exact,
  { unit }: MoveTerms,
  amount: Exact,
): Change | undefined {
  if (reference === undefined) return undefined
  const from = exactOf(reference.decimal)
  const difference = subtract(to, from)
  if (unit === 'points') return { kind, reference, size: divide(difference, one), places: difference.scale }
  if (from.units === 0n) return undefined
  const size = divide(multiply(difference, hundred), sizeOf(from))
  return { kind, reference, size, places: Math.max(2, amount.scale) }
}

function extent({ size }: Change): Fraction {
  return { units: magnitude(size.units), over: size.over }
}

function isAskedFor({ direction }: MoveTerms, { size }: Change): boolean {
  return (size.units > 0n && direction !== 'down') || (size.units < 0n && direction !== 'up')
}

function readMove(terms: MoveTerms, amount: Exact, change: Change | undefined, seen: ValueSeen): Reading | string {
  if (change === undefined) return 'A change from zero has no percentage.'
  const { value } = seen.publication
  const isEnough = isAskedFor(terms, change) && compareFractions(extent(change), divide(sizeOf(amount), one)) >= 0
  const { kind, reference, size, places } = change
  const text = fractionText(size, places)
  return {
    seen,
    // Always armed: a firing empties the window.
    up: { holds: isEnough && size.units > 0n, arms: true },
    down: { holds: isEnough && size.units < 0n, arms: true },
    atFirst: 'fires',
    inputs: (direction) => ({
      ...valueInputs(seen),
      direction,
      reference: { kind, value: reference.value, publishedAtMs: reference.publishedAtMs },
      change: text,
    }),
    measure: text,
    fact: `${value} is ${text}${terms.unit === 'percent' ? ' %' : ''} from ${reference.value}, the ${referenceWords[kind]} of ${spanText(terms.withinMs)}`,
    rearm: 'it has moved again',
  }
}

const fromWords = { oldest: '', min: 'the low of ', max: 'the high of ' } as const

/** Which value of the window the change is measured from: the oldest, lowest or highest. */
function sinceWords(reference: AlertInputs['reference'], format: EventFormat): string {
  if (reference === undefined) return ''
  const { kind, value, publishedAtMs } = reference
  return `, from ${fromWords[kind]}${format.number(value)} at ${format.time(publishedAtMs)}`
}
