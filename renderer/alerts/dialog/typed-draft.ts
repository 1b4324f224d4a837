import type {
  AlertCondition,
  AlertDraft,
  AlertRepeat,
  AlertSeverity,
  DriftTerms,
  MoveTerms,
} from '../../../protocol/alerts'
import type { IndexId } from '../../../protocol/model'
import { typedSpan, type SpanUnit } from '../../format/typed-span'
import { wallTimeText } from '../../format/wall-time'

/** Holds that can be chosen without typing, in milliseconds as text. */
export const usualHolds = ['30000', '60000', '300000'] as const
export type HoldChoice = 'off' | 'own' | (typeof usualHolds)[number]
/** Re-arm bands that can be chosen without typing, in basis points. */
export const usualBands = ['5', '10'] as const
export type BandChoice = 'off' | 'own' | (typeof usualBands)[number]

/** The fields of the dialog as they stand; those that another condition asks for keep what was typed. */
export interface TypedDraft {
  indexId: IndexId
  condition: AlertCondition
  level: string
  low: string
  high: string
  band: BandChoice
  bandSize: string
  bandUnit: 'points' | 'basisPoints'
  amount: string
  amountUnit: MoveTerms['unit']
  direction: MoveTerms['direction']
  windowCount: string
  windowUnit: SpanUnit
  silence: 'usual' | 'own'
  silenceCount: string
  silenceUnit: SpanUnit
  constituent: string
  exchange: string
  weight: string
  drift: string
  driftBase: DriftTerms['base']
  share: string
  tolerance: string
  repeat: AlertRepeat['mode']
  everyMinutes: string
  mostADay: string
  hold: HoldChoice
  holdCount: string
  holdUnit: SpanUnit
  countsRepeats: boolean
  /** Empty: none. */
  cooldownCount: string
  cooldownUnit: SpanUnit
  severity: AlertSeverity
  /** As a `datetime-local` field has it; empty: never. */
  expiry: string
  expiryZone: string
  note: string
  group: string
  webhookUrl: string
}

/** Every field as it is before anything is known. */
export function blankDraft(indexId: IndexId, zone: string): TypedDraft {
  return {
    indexId,
    condition: 'risesTo',
    level: '',
    low: '',
    high: '',
    band: 'off',
    bandSize: '',
    bandUnit: 'points',
    amount: '3',
    amountUnit: 'percent',
    direction: 'either',
    windowCount: '15',
    windowUnit: 'min',
    silence: 'usual',
    silenceCount: '25',
    silenceUnit: 'h',
    constituent: '',
    exchange: '',
    weight: '',
    drift: '2',
    driftBase: 'made',
    share: '',
    tolerance: '0.5',
    repeat: 'once',
    everyMinutes: '15',
    mostADay: '3',
    hold: 'off',
    holdCount: '2',
    holdUnit: 'min',
    countsRepeats: false,
    cooldownCount: '',
    cooldownUnit: 'min',
    severity: 'normal',
    expiry: '',
    expiryZone: zone,
    note: '',
    group: '',
    webhookUrl: '',
  }
}

/** The fields filled from a draft; every text as it was saved. */
export function typedOf(draft: AlertDraft, zone: string): TypedDraft {
  const { note = '', group = '', webhookUrl = '', severity, expiresAt, cooldownMs } = draft
  const cooldown = cooldownMs === undefined ? undefined : typedSpan(cooldownMs)
  return {
    ...blankDraft(draft.indexId, zone),
    ...typedTerms(draft),
    ...typedBand(draft),
    ...typedHold(draft),
    ...typedRepeat(draft.repeat),
    ...(cooldown && { cooldownCount: cooldown.count, cooldownUnit: cooldown.unit }),
    ...(expiresAt && {
      expiry: wallTimeText(expiresAt.atMs, expiresAt.timeZone),
      expiryZone: expiresAt.timeZone,
    }),
    severity,
    note,
    group,
    webhookUrl,
  }
}

function typedTerms({ terms }: AlertDraft): Partial<TypedDraft> {
  const { condition } = terms
  switch (condition) {
    case 'moves': {
      const { amount, unit, direction, withinMs } = terms
      const { count: windowCount, unit: windowUnit } = typedSpan(withinMs)
      return { condition, amount, amountUnit: unit, direction, windowCount, windowUnit }
    }
    case 'noUpdate': {
      if (terms.afterMs === undefined) return { condition, silence: 'usual' }
      const { count: silenceCount, unit: silenceUnit } = typedSpan(terms.afterMs)
      return { condition, silence: 'own', silenceCount, silenceUnit }
    }
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
      return { condition, constituent: terms.constituent, weight: terms.weightPercent }
    case 'weightDrift':
      return { condition, constituent: terms.constituent ?? '', drift: terms.points, driftBase: terms.base }
    case 'exchangeShareAtOrBelow':
      return { condition, constituent: terms.constituent, exchange: terms.exchange, share: terms.sharePercent }
    case 'continuity':
      return { condition, tolerance: terms.tolerancePercent }
    case 'entersBand':
    case 'leavesBand':
      return { condition, low: terms.low, high: terms.high }
    default:
      return 'level' in terms ? { condition, level: terms.level } : { condition }
  }
}

function typedBand({ terms }: AlertDraft): Partial<TypedDraft> {
  const band = 'rearmBand' in terms ? terms.rearmBand : undefined
  if (band === undefined) return {}
  const usual = band.unit === 'basisPoints' ? usualBands.find((size) => size === band.size) : undefined
  return usual === undefined ? { band: 'own', bandSize: band.size, bandUnit: band.unit } : { band: usual }
}

function typedHold({ holdMs, ...draft }: AlertDraft): Partial<TypedDraft> {
  const countsRepeats = draft.countsRepeats === true
  if (holdMs === undefined) return {}
  const usual = usualHolds.find((ms) => ms === String(holdMs))
  if (usual !== undefined) return { hold: usual, countsRepeats }
  const { count: holdCount, unit: holdUnit } = typedSpan(holdMs)
  return { hold: 'own', holdCount, holdUnit, countsRepeats }
}

function typedRepeat(repeat: AlertRepeat): Partial<TypedDraft> {
  switch (repeat.mode) {
    case 'whileTrue':
      return { repeat: 'whileTrue', everyMinutes: String(repeat.everyMinutes) }
    case 'daily':
      return { repeat: 'daily', mostADay: String(repeat.most) }
    default:
      return { repeat: repeat.mode }
  }
}
