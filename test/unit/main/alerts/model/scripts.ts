/** Random scripts of events in the life of a rule, small enough that events meet. */
import fc from 'fast-check'
import { checkDraft } from '../../../../../core/alert-checks'
import type { AlertRule } from '../../../../../core/alerts'
import type { AlertHours, AlertRepeat } from '../../../../../core/alert-timing'
import { bandConditions, levelConditions } from '../../../../support/rule-bench'

/** The relevant part of a rule. */
export type Wish = Pick<AlertRule, 'terms' | 'repeat'> & Partial<Pick<AlertRule, 'holdMs' | 'countsRepeats' | 'hours'>>

interface Missed {
  afterMs: number
  value: string
  isRepeat: boolean
}

export type Step =
  | { kind: 'value'; afterMs: number; value: string; isRepeat: boolean }
  /** Amends the value `back` places before the newest. An amended time that is not later has no effect. */
  | { kind: 'amend'; back: number; value: string; isRepeat: boolean; isLater: boolean }
  /** Amends a time without a value. */
  | { kind: 'amendUnseen'; back: number; value: string }
  /** A late value, half a second before the one `back` places before the newest. */
  | { kind: 'late'; back: number; value: string }
  /** Values are missed, a live one comes, and then the missed ones. */
  | {
      kind: 'outage'
      missed: Missed[]
      order: 'whole' | 'halves' | 'backwards'
      afterMs: number
      value: string
    }
  /** The last value may be received again afterwards, perhaps amended. */
  | { kind: 'restart'; isKilled: boolean; comesAgain: boolean; amendedTo?: string }
  | { kind: 'clock'; byMs: number }
  /** Another connection takes over, or the first one again. */
  | { kind: 'source'; source: string }
  /** A value this far ahead of its time. */
  | { kind: 'ahead'; byMs: number; value: string }
  /** Values may be missed before it, and time may pass. The next outage delivers them too. */
  | { kind: 'edit'; wish: Wish; first: 'wait' | 'fire'; missed: Missed[]; afterMs: number }
  /** The app learns whether the rule can fire. */
  | { kind: 'reach'; reach: 'unchecked' | 'cannotFire' | 'canFire' }
  | { kind: 'snooze'; isOn: boolean }
  /** Undone after this many steps, and before the app ends. `Infinity`: never. */
  | { kind: 'delete'; forSteps: number }

export interface Script {
  wish: Wish
  first: 'wait' | 'fire'
  /** Values received before the rule was created, and values missed then. */
  before: { received: Missed[]; missed: Missed[] }
  steps: Step[]
}

export type Kind = 'level' | 'band' | 'move'

const chance = (inAHundred: number) => fc.integer({ min: 1, max: 100 }).map((drawn) => drawn > 100 - inAHundred)
const tenths = (min: number, max: number) =>
  fc.integer({ min, max }).map((of) => (of / 10).toFixed(of % 2 === 0 ? 1 : 2))

const repeat: fc.Arbitrary<AlertRepeat> = fc.oneof(
  { arbitrary: fc.constant<AlertRepeat>({ mode: 'once' }), weight: 3 },
  { arbitrary: fc.constant<AlertRepeat>({ mode: 'everyCrossing' }), weight: 4 },
  { arbitrary: fc.constant<AlertRepeat>({ mode: 'whileTrue', everyMinutes: 1 }), weight: 2 },
  { arbitrary: fc.constant<AlertRepeat>({ mode: 'daily', max: 1 }), weight: 1 },
)

const rearmBand = fc.option(
  fc.oneof(
    fc.record({ unit: fc.constant('points' as const), size: tenths(0, 4) }),
    fc.record({ unit: fc.constant('basisPoints' as const), size: fc.constantFrom('0', '100', '250') }),
  ),
  { nil: undefined },
)

function termsOf(kind: Kind, center: number): fc.Arbitrary<Wish['terms']> {
  const near = tenths(center - 2, center + 2)
  const banded = rearmBand.map((band) => (band === undefined ? {} : { rearmBand: band }))
  if (kind === 'level')
    return fc
      .tuple(fc.constantFrom(...levelConditions), near, banded)
      .map(([condition, level, band]) => ({ condition, level, ...band }))
  if (kind === 'band')
    return fc
      .tuple(
        fc.constantFrom(...bandConditions),
        fc.integer({ min: -3, max: 0 }),
        fc.integer({ min: 1, max: 4 }),
        banded,
      )
      .map(([condition, low, wide, band]) => {
        const [from, to] = [center + low, center + low + wide].map((of) => (of / 10).toFixed(1))
        return { condition, low: from ?? '', high: to ?? '', ...band }
      })
  return fc.record({
    condition: fc.constant('moves' as const),
    direction: fc.constantFrom('up', 'down', 'either'),
    amount: fc.constantFrom('0.1', '0.3', '0.50', '1', '5'),
    unit: fc.constantFrom('percent', 'points'),
    withinMs: fc.constantFrom(3_000, 8_000, 20_000, 60_000),
  })
}

/** Minutes around the start of the script, which is noon of a Wednesday in UTC. */
const hours: fc.Arbitrary<AlertHours> = fc
  .record({
    from: fc.constantFrom('12:00', '12:01', '12:02', '12:03'),
    to: fc.constantFrom('12:01', '12:02', '12:04', '12:06'),
    days: fc.constantFrom<AlertHours['days'][]>(['wed'], ['tue'], ['tue', 'wed'], ['mon']),
    isAlso: chance(50),
  })
  .map(({ isAlso, ...each }) => ({ ...each, timeZone: 'UTC', ...(isAlso && { alsoIfTrue: true as const }) }))

function wishOf(kind: Kind, center: number): fc.Arbitrary<Wish> {
  const timing = fc.oneof(
    { arbitrary: fc.constant({}), weight: 3 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(1_000, 4_000, 12_000), chance(30))
        .map(([holdMs, counts]) => ({ holdMs, ...(counts && { countsRepeats: true as const }) })),
      weight: 2,
    },
  )
  return fc
    .tuple(
      termsOf(kind, center),
      repeat,
      timing,
      fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, { arbitrary: hours, weight: 1 }),
    )
    .map(([terms, each, more, within]) => ({ terms, repeat: each, ...more, ...(within && { hours: within }) }))
    .filter(isAccepted)
}

/** The engine refuses other wishes. */
function isAccepted(wish: Wish): boolean {
  return checkDraft({ ...wish, indexId: 'BRTI', severity: 'normal' }, { nowMs: 0 }).length === 0
}

const afterMs = fc.constantFrom(1_000, 1_000, 1_000, 2_000, 4_000, 10_000, 10_001, 30_000, 61_000)

function valueOf(center: number): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: tenths(center - 5, center + 5), weight: 19 }, { arbitrary: fc.constant('0'), weight: 1 })
}

function missedOf(center: number): fc.Arbitrary<Missed> {
  return fc.record({ afterMs, value: valueOf(center), isRepeat: chance(8) })
}

function stepOf(kind: Kind, center: number): fc.Arbitrary<Step> {
  const value = valueOf(center)
  const first = fc.constantFrom('wait' as const, 'fire' as const)
  const missed = missedOf(center)
  return fc.oneof(
    {
      arbitrary: fc.record({ kind: fc.constant('value' as const), afterMs, value, isRepeat: chance(8) }),
      weight: 62,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('amend' as const),
        back: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 60 })),
        value,
        isRepeat: chance(4),
        isLater: chance(85),
      }),
      weight: 24,
    },
    {
      arbitrary: fc.record({ kind: fc.constant('amendUnseen' as const), back: fc.integer({ min: 0, max: 8 }), value }),
      weight: 3,
    },
    {
      arbitrary: fc.record({ kind: fc.constant('late' as const), back: fc.integer({ min: 0, max: 12 }), value }),
      weight: 4,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('outage' as const),
        missed: fc.array(missed, { minLength: 1, maxLength: 6 }),
        order: fc.constantFrom('whole' as const, 'halves' as const, 'backwards' as const),
        afterMs,
        value,
      }),
      weight: 6,
    },
    {
      arbitrary: fc
        .tuple(chance(50), chance(50), fc.option(value, { freq: 2, nil: undefined }))
        .map(([isKilled, comesAgain, amendedTo]) => ({
          kind: 'restart' as const,
          isKilled,
          comesAgain,
          ...(amendedTo !== undefined && { amendedTo }),
        })),
      weight: 6,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('clock' as const),
        byMs: fc.constantFrom(-86_400_000, -60_000, 60_000, 86_400_000),
      }),
      weight: 2,
    },
    {
      arbitrary: fc.record({ kind: fc.constant('source' as const), source: fc.constantFrom('A', 'B', 'C') }),
      weight: 4,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('ahead' as const),
        byMs: fc.constantFrom(1_000, 2_000, 2_001, 3_000, 10_000, 61_000, 299_000),
        value,
      }),
      weight: 5,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('edit' as const),
        wish: wishOf(kind, center),
        first,
        missed: fc.array(missed, { maxLength: 4 }),
        afterMs: fc.constantFrom(0, 1, 1_500, 5_000),
      }),
      weight: 5,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('reach' as const),
        reach: fc.constantFrom('unchecked' as const, 'cannotFire' as const, 'canFire' as const),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ kind: fc.constant('snooze' as const), isOn: fc.boolean() }), weight: 2 },
    {
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        forSteps: fc.oneof(
          { arbitrary: fc.integer({ min: 0, max: 5 }), weight: 19 },
          { arbitrary: fc.constant(Infinity), weight: 1 },
        ),
      }),
      weight: 5,
    },
  )
}

/** 5 to 40 steps around a number near which all values lie. */
export function scripts(kinds: readonly Kind[] = ['level', 'level', 'band', 'move']): fc.Arbitrary<Script> {
  return fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(100, 100, 0, -100)).chain(([kind, center]) =>
    fc.record({
      wish: wishOf(kind, center),
      first: fc.constantFrom('wait' as const, 'fire' as const),
      before: fc.oneof(
        { arbitrary: fc.constant<Script['before']>({ received: [], missed: [] }), weight: 2 },
        {
          arbitrary: fc.record({
            received: fc.array(missedOf(center), { maxLength: 2 }),
            missed: fc.array(missedOf(center), { maxLength: 3 }),
          }),
          weight: 1,
        },
      ),
      steps: fc.array(stepOf(kind, center), { minLength: 5, maxLength: 40, size: 'max' }),
    }),
  )
}
