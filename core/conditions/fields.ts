/** The fields of terms. A name has the same meaning in every condition. */
interface Named {
  /** Accessible name of the field. */
  label: string
}

interface Typed extends Named {
  /** As in "Enter a level". */
  noun: string
  example: string
}

/** A number that is compared with values of the index. */
export interface LevelField extends Typed {
  kind: 'level'
}

/** Any other number, in a range. `from` and `to` are included, `above` is not. */
export interface NumberField extends Typed {
  kind: 'number'
  range: { from?: string; above?: string; to?: string }
  /** Shown after the number. */
  unit?: string
  initial?: string
}

/** A time in milliseconds. `check` names the function that decides which times suit an index. */
export interface SpanField extends Named {
  kind: 'span'
  check: 'window' | 'silence' | 'grace'
  /** The widest range, over all indices. */
  minMs: number
  maxMs: number
  initial: { count: string; unit: 's' | 'min' | 'h' | 'd' }
  /** The text for an absent field, if the field is optional. */
  absent?: string
}

interface ChoiceField extends Named {
  kind: 'choice'
  /** The options with their texts. */
  options: Readonly<Record<string, string>>
  initial: string
}

/** The name of a constituent or an exchange of the index. */
interface NameField extends Typed {
  kind: 'name'
  absent?: string
}

/** How far a value must go back before the rule re-arms. */
export interface RearmBandField extends Typed {
  kind: 'rearmBand'
}

export type FieldSpec = LevelField | NumberField | SpanField | ChoiceField | NameField | RearmBandField

const day = 86_400_000
const percent = { kind: 'number', range: { from: '0', to: '100' }, unit: '%' } as const

/** In the order of checking. */
export const termsFields = {
  level: { kind: 'level', label: 'Level', noun: 'level', example: '68500.00' },
  low: { kind: 'level', label: 'Low end', noun: 'low end', example: '67000.00' },
  high: { kind: 'level', label: 'High end', noun: 'high end', example: '68500.00' },
  direction: {
    kind: 'choice',
    label: 'Direction',
    options: { either: 'either way', up: 'up', down: 'down' },
    initial: 'either',
  },
  amount: { kind: 'number', label: 'Change', noun: 'change', example: '3', range: { above: '0' }, initial: '3' },
  unit: {
    kind: 'choice',
    label: 'Change, unit',
    options: { percent: '%', points: 'points' },
    initial: 'percent',
  },
  withinMs: {
    kind: 'span',
    label: 'Within',
    check: 'window',
    minMs: 2_000,
    maxMs: 365 * day,
    initial: { count: '15', unit: 'min' },
  },
  afterMs: {
    kind: 'span',
    label: 'More than',
    check: 'silence',
    minMs: 1_001,
    maxMs: 366 * day,
    initial: { count: '25', unit: 'h' },
    absent: 'longer than usual',
  },
  constituent: {
    kind: 'name',
    label: 'Constituent',
    noun: 'constituent',
    example: 'BTC',
    absent: 'any constituent',
  },
  exchange: { kind: 'name', label: 'Exchange', noun: 'exchange', example: 'Kraken' },
  weightPercent: { ...percent, label: 'Weight in percent', noun: 'weight', example: '60' },
  points: {
    kind: 'number',
    label: 'Drift in percentage points',
    noun: 'drift',
    example: '2',
    range: { above: '0', to: '100' },
    unit: 'pp',
    initial: '2',
  },
  base: {
    kind: 'choice',
    label: 'Drift since',
    options: { made: 'the alert was created', rebalance: 'the last change of constituents' },
    initial: 'made',
  },
  sharePercent: { ...percent, label: 'Share in percent', noun: 'share', example: '10' },
  tolerancePercent: {
    kind: 'number',
    label: 'Tolerance in percent',
    noun: 'tolerance',
    example: '0.5',
    range: { above: '0', to: '100' },
    unit: '%',
    initial: '0.5',
  },
  close: {
    kind: 'choice',
    label: 'End of the window',
    options: { quarter: 'each quarter hour', hour: 'each hour', day: '00:00 UTC' },
    initial: 'quarter',
  },
  rearmBand: { kind: 'rearmBand', label: 'Re-arm band', noun: 're-arm band', example: '5' },
  spreadBps: {
    kind: 'number',
    label: 'Bid–ask spread in basis points',
    noun: 'spread',
    example: '10',
    range: { above: '0' },
    unit: 'bp',
    initial: '10',
  },
  depth: { kind: 'number', label: 'Utilized depth', noun: 'depth', example: '50', range: { from: '0' } },
  graceMs: {
    kind: 'span',
    label: 'Missing after',
    check: 'grace',
    minMs: 60_000,
    maxMs: day / 2,
    initial: { count: '15', unit: 'min' },
  },
} as const satisfies Readonly<Record<string, FieldSpec>>

export type TermsField = keyof typeof termsFields

export const termsFieldNames = Object.keys(termsFields) as TermsField[]
