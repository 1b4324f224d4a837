/** What a user chose for the settlement of an index, as it is stored. */
import * as v from 'valibot'
import { isDecimalText } from '../decimal'
import { timeSchema } from '../shapes'
import { presets, type PresetKey } from './presets'
import { strikeKinds, type StrikeKind } from './strikes'

const maxStrikes = 40
const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as [Key, ...Key[]]
const decimal = v.pipe(v.string(), v.check(isDecimalText))
const flag = v.fallback(v.boolean(), false)

const strikeSchema = v.pipe(
  v.object({
    kind: v.picklist(keysOf<StrikeKind>(strikeKinds)),
    level: decimal,
    high: v.exactOptional(decimal),
  }),
  v.check(({ kind, high }) => (kind === 'between') === (high !== undefined)),
)

/** An unreadable part has its default. */
const choiceSchema = v.object({
  preset: v.fallback(v.picklist(keysOf<PresetKey>(presets)), 'kalshi'),
  /** As typed, for the free preset. */
  seconds: v.fallback(v.pipe(v.string(), v.maxLength(8)), '60'),
  /** The time that the window is bound to. */
  closeMs: v.fallback(v.optional(timeSchema), undefined),
  includesClose: flag,
  countsEvery: flag,
  leavesOutCarried: flag,
  /** The rolling mean is a line of the chart. */
  isOnChart: flag,
  strikes: v.fallback(v.pipe(v.array(strikeSchema), v.maxLength(maxStrikes)), []),
})
export type StoredChoice = v.InferOutput<typeof choiceSchema>

const storedSchema = v.fallback(v.pipe(v.string(), v.parseJson(), choiceSchema), () => v.parse(choiceSchema, {}))

/** Reads a stored choice. Any text gives one. */
export function readChoice(text: string | null): StoredChoice {
  return v.parse(storedSchema, text)
}

/** The newest strikes, without doubles. */
export function withStrike(choice: StoredChoice, strike: StoredChoice['strikes'][number]): StoredChoice {
  return { ...choice, strikes: [...withoutStrike(choice, strike).strikes, strike].slice(-maxStrikes) }
}

export function withoutStrike(choice: StoredChoice, strike: StoredChoice['strikes'][number]): StoredChoice {
  return { ...choice, strikes: choice.strikes.filter((each) => strikeKey(each) !== strikeKey(strike)) }
}

export function strikeKey({ kind, level, high = '' }: StoredChoice['strikes'][number]): string {
  return `${kind} ${level} ${high}`
}
