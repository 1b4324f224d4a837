/** The fields of the dialog as texts, filled from a draft and read as one. */
import { fieldsOf, reachesLevel, specOf, type AlertCondition } from '../../../../core/conditions/list'
import { termsFieldNames, termsFields, type FieldSpec, type TermsField } from '../../../../core/conditions/fields'
import type { DraftProblem } from '../../../../core/alert-events'
import { canFireAtStart } from '../../../../core/alert-checks'
import type { AlertDraft, AlertTerms } from '../../../../core/alerts'
import { weekdays, type AlertRepeat, type Weekday } from '../../../../core/alert-timing'
import type { RearmBand } from '../../../../core/evaluation/condition'
import { compareDecimals, parseDecimal } from '../../../../core/decimal'
import type { DecimalText, IndexId } from '../../../../core/model'
import type { AlertSeverity } from '../../../../core/severity'
import { findZone } from '../../../../core/time-zones'
import { readTypedClock, readTypedTime } from '../../../../core/typed-time'
import { readTypedNumber, type NumberAsked } from '../../../format/typed-number'
import { fullTimeText, minuteText } from '../../../format/published-time'
import { readSpan, typedSpan, type SpanUnit, type TypedSpan } from '../../../format/typed-span'

/** Holds that can be chosen without typing, in milliseconds as text. */
const presetHolds = ['30000', '60000', '300000'] as const
type HoldChoice = 'off' | 'own' | (typeof presetHolds)[number]
/** Re-arm bands that can be chosen without typing, in basis points. */
const presetBands = ['5', '10'] as const
export const offeredBand = '5'
type BandChoice = 'off' | 'own' | (typeof presetBands)[number]

type FieldOfKind<Kind extends FieldSpec['kind']> = {
  [F in TermsField]: (typeof termsFields)[F]['kind'] extends Kind ? F : never
}[TermsField]
type TextField = FieldOfKind<'level' | 'number' | 'name' | 'choice'>
type SpanFieldName = FieldOfKind<'span'>

/** Whether the field is a text: typed, or one of its options. */
export function isTextField(name: TermsField): name is TextField {
  return ['level', 'number', 'name', 'choice'].includes(termsFields[name].kind)
}

export function isSpanField(name: TermsField): name is SpanFieldName {
  return termsFields[name].kind === 'span'
}

/** The fields of the dialog as they stand; those that another condition asks for keep what was typed. */
export interface TypedDraft {
  indexId: IndexId
  condition: AlertCondition
  texts: Record<TextField, string>
  /** `isOwn`: else it is left out, where it may be. */
  spans: Record<SpanFieldName, TypedSpan & { isOwn: boolean }>
  band: BandChoice
  bandSize: string
  bandUnit: RearmBand['unit']
  repeat: AlertRepeat['mode']
  everyMinutes: string
  maxPerDay: string
  hold: HoldChoice
  holdCount: string
  holdUnit: SpanUnit
  countsRepeats: boolean
  /** As they are typed; both empty: at any time. */
  hoursFrom: string
  hoursTo: string
  hoursDays: Weekday[]
  hoursZone: string
  alsoIfTrue: boolean
  /** Empty: none. */
  cooldownCount: string
  cooldownUnit: SpanUnit
  severity: AlertSeverity
  /** As it is typed; empty: never. */
  expiry: string
  expiryZone: string
  note: string
  group: string
  webhookUrl: string
}

/** Every field as it is before anything is known. */
export function blankDraft(indexId: IndexId, zone: string): TypedDraft {
  const texts = termsFieldNames
    .filter(isTextField)
    .map((name): [string, string] => [name, initialText(termsFields[name])])
  const spans = termsFieldNames.filter(isSpanField).map((name) => {
    return [name, { ...termsFields[name].initial, isOwn: !('absent' in termsFields[name]) }] as const
  })
  return {
    indexId,
    condition: reachesLevel.above,
    texts: Object.fromEntries(texts) as TypedDraft['texts'],
    spans: Object.fromEntries(spans) as TypedDraft['spans'],
    band: 'off',
    bandSize: '',
    bandUnit: 'points',
    repeat: 'once',
    everyMinutes: '15',
    maxPerDay: '3',
    hold: 'off',
    holdCount: '2',
    holdUnit: 'min',
    countsRepeats: false,
    hoursFrom: '',
    hoursTo: '',
    hoursDays: weekdays.slice(0, 5),
    hoursZone: zone,
    alsoIfTrue: false,
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

function initialText(spec: FieldSpec): string {
  return (spec.kind === 'number' || spec.kind === 'choice' ? spec.initial : undefined) ?? ''
}

/** A new alert on an index. A level given lies ahead of the value: what is meant is that the value reaches it. */
export function newDraft(
  indexId: IndexId,
  zone: string,
  { level = '', value = '' }: { level?: string; value?: DecimalText } = {},
): TypedDraft {
  const [now, given] = [parseDecimal(value), parseDecimal(level)]
  const liesBelow = now !== undefined && given !== undefined && compareDecimals(given, now) < 0
  const blank = blankDraft(indexId, zone)
  return { ...blank, condition: reachesLevel[liesBelow ? 'below' : 'above'], texts: { ...blank.texts, level } }
}

/** The fields filled from a draft; every text as it was saved. */
export function typedOf(draft: AlertDraft, zone: string): TypedDraft {
  const { note = '', group = '', webhookUrl = '', severity, expiresAt, cooldownMs } = draft
  const cooldown = cooldownMs === undefined ? undefined : typedSpan(cooldownMs)
  const typed = {
    ...blankDraft(draft.indexId, zone),
    ...typedBand(draft),
    ...typedHold(draft),
    ...typedRepeat(draft.repeat),
    ...typedHours(draft),
    ...(cooldown && { cooldownCount: cooldown.count, cooldownUnit: cooldown.unit }),
    ...(expiresAt && {
      expiry: expiryText(expiresAt),
      expiryZone: expiresAt.timeZone,
    }),
    condition: draft.terms.condition,
    severity,
    note,
    group,
    webhookUrl,
  }
  const values: Readonly<Record<string, unknown>> = { ...draft.terms }
  for (const { name } of fieldsOf(draft.terms.condition)) {
    const value = values[name]
    if (isTextField(name) && typeof value === 'string') typed.texts[name] = value
    if (isSpanField(name) && typeof value === 'number') typed.spans[name] = { ...typedSpan(value), isOwn: true }
  }
  return typed
}

/** To the minute, unless that would be read as another time. */
function expiryText({ atMs, timeZone }: NonNullable<AlertDraft['expiresAt']>): string {
  const text = minuteText(atMs, { timeZone })
  const read = readTypedTime(text, { nowMs: atMs, zone: timeZone })
  return read.ok && read.value === atMs ? text : fullTimeText(atMs, { timeZone })
}

function typedBand({ terms }: AlertDraft): Partial<TypedDraft> {
  const band = 'rearmBand' in terms ? terms.rearmBand : undefined
  if (band === undefined) return {}
  const preset = band.unit === 'basisPoints' ? presetBands.find((size) => size === band.size) : undefined
  return preset === undefined ? { band: 'own', bandSize: band.size, bandUnit: band.unit } : { band: preset }
}

function typedHold({ holdMs, ...draft }: AlertDraft): Partial<TypedDraft> {
  const countsRepeats = draft.countsRepeats === true
  if (holdMs === undefined) return {}
  const preset = presetHolds.find((ms) => ms === String(holdMs))
  if (preset !== undefined) return { hold: preset, countsRepeats }
  const { count: holdCount, unit: holdUnit } = typedSpan(holdMs)
  return { hold: 'own', holdCount, holdUnit, countsRepeats }
}

function typedHours({ hours }: AlertDraft): Partial<TypedDraft> {
  if (hours === undefined) return {}
  const { from, to, days, timeZone, alsoIfTrue = false } = hours
  return { hoursFrom: from, hoursTo: to, hoursDays: [...days], hoursZone: timeZone, alsoIfTrue }
}

function typedRepeat(repeat: AlertRepeat): Partial<TypedDraft> {
  switch (repeat.mode) {
    case 'whileTrue':
      return { repeat: 'whileTrue', everyMinutes: String(repeat.everyMinutes) }
    case 'daily':
      return { repeat: 'daily', maxPerDay: String(repeat.max) }
    default:
      return { repeat: repeat.mode }
  }
}

/** What is wrong with a field, with readings of it that the user can take with a click. */
export type TypedProblem = DraftProblem & { choices?: readonly DecimalText[] }

/** A draft, or what of the fields cannot be read as one. Whether a draft makes sense is for `checkDraft` to say. */
export type ReadDraft = { ok: true; draft: AlertDraft } | { ok: false; problems: TypedProblem[] }

/** Reads fields one by one and keeps what is wrong with each. */
class FieldReader {
  readonly problems: TypedProblem[] = []

  number(field: DraftProblem['field'], typed: string, asked: NumberAsked): DecimalText {
    const read = readTypedNumber(typed, asked)
    return read.ok ? read.value : this.#refuse(field, read, '0')
  }

  span(field: DraftProblem['field'], typed: TypedSpan): number {
    const read = readSpan(typed)
    return read.ok ? read.ms : this.#refuse(field, read, 1)
  }

  count(field: DraftProblem['field'], typed: string, what: string): number {
    const text = typed.trim()
    const isCount = /^\d{1,6}$/.test(text) && Number(text) > 0
    return isCount ? Number(text) : this.#refuse(field, { message: `Enter ${what} as a whole number, such as 3.` }, 1)
  }

  name(field: DraftProblem['field'], typed: string, message: string): string {
    const text = typed.trim()
    return text === '' ? this.#refuse(field, { message }, '') : text
  }

  timeAhead(field: DraftProblem['field'], typed: string, now: { nowMs: number; zone: string }): number {
    const read = readTypedTime(typed, { ...now, isAhead: true })
    return read.ok ? read.value : this.#refuse(field, read.problem, 0)
  }

  #refuse<T>(field: DraftProblem['field'], { message, choices }: Omit<TypedProblem, 'field'>, instead: T): T {
    this.problems.push({ field, message, ...(choices !== undefined && { choices }) })
    return instead
  }
}

/** `near` is the present value of the index. Asked only where a level can be read in two ways. */
export function readDraft(
  typed: TypedDraft,
  nowMs: number,
  near: () => DecimalText | undefined = () => undefined,
): ReadDraft {
  const reader = new FieldReader()
  const draft: AlertDraft = {
    indexId: reader.name('indexId', typed.indexId, 'Choose an index.'),
    terms: readTerms(reader, typed, near),
    repeat: readRepeat(reader, typed),
    severity: typed.severity,
    ...readHold(reader, typed),
    ...readHours(typed),
    ...readMore(reader, typed, nowMs),
  }
  return reader.problems.length === 0 ? { ok: true, draft } : { ok: false, problems: reader.problems }
}

function readTerms(reader: FieldReader, typed: TypedDraft, near: NumberAsked['near']): AlertTerms {
  const values = fieldsOf(typed.condition).flatMap(({ name, spec, isOptional }): [string, unknown][] => {
    const value = readField(reader, typed, { name, spec, isOptional, near })
    return value === undefined ? [] : [[name, value]]
  })
  // Has the fields the type asks for, since both follow from the table of conditions.
  return { condition: typed.condition, ...Object.fromEntries(values) } as AlertTerms
}

function readField(
  reader: FieldReader,
  typed: TypedDraft,
  {
    name,
    spec,
    isOptional,
    near,
  }: { name: TermsField; spec: FieldSpec; isOptional: boolean; near: NumberAsked['near'] },
): string | number | RearmBand | undefined {
  if (isSpanField(name)) {
    const span = typed.spans[name]
    return isOptional && !span.isOwn ? undefined : reader.span(name, span)
  }
  if (!isTextField(name)) return readBand(reader, typed)
  const text = typed.texts[name]
  switch (spec.kind) {
    case 'level':
      return reader.number(name, text, { what: spec.noun, example: spec.example, near })
    case 'number': {
      const unit = name === 'amount' && typed.texts.unit === 'percent' ? '%' : spec.unit
      return reader.number(name, text, { what: spec.noun, example: spec.example, unit })
    }
    case 'name':
      if (isOptional && text.trim() === '') return undefined
      return reader.name(name, text, `Enter the ${spec.noun}, such as ${spec.example}.`)
    default:
      return text
  }
}

/** Puts a reading in the place of what was typed in a field. */
export function takeReading(typed: TypedDraft, field: string, reading: DecimalText): void {
  const name = termsFieldNames.find((each) => each === field)
  if (field === 'rearmBand') typed.bandSize = reading
  else if (field === 'holdMs') typed.holdCount = reading
  else if (field === 'cooldownMs') typed.cooldownCount = reading
  else if (name !== undefined && isTextField(name)) typed.texts[name] = reading
  else if (name !== undefined && isSpanField(name)) typed.spans[name].count = reading
}

/** Whether the re-arm band is typed in the unit of the level, which may be basis points itself. */
export function hasBandInOwnUnit(condition: AlertCondition): boolean {
  return specOf(condition).source === 'marketConditions'
}

function readBand(reader: FieldReader, typed: TypedDraft): RearmBand | undefined {
  const { band, bandSize, condition } = typed
  const isOfUnit = hasBandInOwnUnit(condition)
  const bandUnit = isOfUnit ? 'points' : typed.bandUnit
  if (band === 'off' || (isOfUnit && band !== 'own')) return undefined
  if (band !== 'own') return { size: band, unit: 'basisPoints' }
  const { noun, example } = termsFields.rearmBand
  return { size: reader.number('rearmBand', bandSize, { what: noun, example }), unit: bandUnit }
}

function readRepeat(reader: FieldReader, { repeat, everyMinutes, maxPerDay }: TypedDraft): AlertRepeat {
  switch (repeat) {
    case 'whileTrue':
      return { mode: repeat, everyMinutes: reader.count('repeat', everyMinutes, 'the minutes') }
    case 'daily':
      return { mode: repeat, max: reader.count('repeat', maxPerDay, 'how many') }
    default:
      return { mode: repeat }
  }
}

function readHold(reader: FieldReader, typed: TypedDraft): Pick<AlertDraft, 'holdMs' | 'countsRepeats'> {
  const { hold, holdCount, holdUnit } = typed
  if (hold === 'off' || !specOf(typed.condition).canHold) return {}
  const holdMs = hold === 'own' ? reader.span('holdMs', { count: holdCount, unit: holdUnit }) : Number(hold)
  return { holdMs, ...(typed.countsRepeats && { countsRepeats: true as const }) }
}

/** Whether days, times and zone make sense is for `checkDraft` to say. */
function readHours(typed: TypedDraft): Pick<AlertDraft, 'hours'> {
  const { hoursDays, condition } = typed
  const [from = '', to = ''] = [typed.hoursFrom, typed.hoursTo].map((text) => readTypedClock(text) ?? text.trim())
  if (from === '' && to === '') return {}
  const days = weekdays.filter((day) => hoursDays.includes(day))
  const isAlso = typed.alsoIfTrue && canFireAtStart(condition)
  return {
    hours: {
      days,
      from,
      to,
      timeZone: findZone(typed.hoursZone) ?? typed.hoursZone.trim(),
      ...(isAlso && { alsoIfTrue: true as const }),
    },
  }
}

function readMore(reader: FieldReader, typed: TypedDraft, nowMs: number): Partial<AlertDraft> {
  const { cooldownCount, cooldownUnit, expiry, expiryZone } = typed
  const [note, group, webhookUrl] = [typed.note.trim(), typed.group.trim(), typed.webhookUrl.trim()]
  return {
    ...(cooldownCount.trim() === ''
      ? {}
      : { cooldownMs: reader.span('cooldownMs', { count: cooldownCount, unit: cooldownUnit }) }),
    ...(expiry.trim() === ''
      ? {}
      : {
          expiresAt: {
            atMs: reader.timeAhead('expiresAt', expiry, { nowMs, zone: expiryZone }),
            timeZone: expiryZone,
          },
        }),
    ...(note === '' ? {} : { note }),
    ...(group === '' ? {} : { group }),
    ...(webhookUrl === '' ? {} : { webhookUrl }),
  }
}
