/** The fields of the alert dialog. The kind of a field determines how it is filled, read and drawn. */
import { termsFields, type FieldSpec, type NumberField, type SpanField } from '../../../../core/conditions/fields'
import { fieldsOf, specOf, type AlertCondition } from '../../../../core/conditions/list'
import type { RearmBand } from '../../../../core/evaluation/condition'
import type { AlertDraft } from '../../../../core/alerts'
import type { DecimalText } from '../../../../core/model'
import { spanText } from '../../../../core/spans'
import { readTypedTime } from '../../../../core/typed-time'
import { savedWebhookId } from '../../../../core/webhook-services'
import { severityNames } from '../../../format/alert-words'
import { fullTimeText, minuteText } from '../../../format/published-time'
import { readTypedNumber, type NumberAsked } from '../../../format/typed-number'
import { readSpan, spanUnits, typedSpan, type SpanUnit } from '../../../format/typed-span'

/** The content of a field: the chosen option, or the typed text with its unit or zone. */
export interface TypedField {
  choice: string
  text: string
  unit: string
}

type Options = readonly (readonly [value: string, words: string])[]

/** Options of a field. With `own`, the user types a value. */
interface Choice {
  label: string
  title?: string
  options: Options
}

interface DialogSpan extends Pick<SpanField, 'kind' | 'label' | 'initial' | 'absent'> {
  choice?: Choice
  /** The placeholder that says what an empty field means. Only if the field may be empty. */
  example?: string
}

type Count = Pick<NumberField, 'label' | 'noun' | 'unit' | 'initial'> & { kind: 'count' }

interface Plain<Kind> {
  kind: Kind
  label: string
  example: string
}

type DialogSpec = Exclude<FieldSpec, SpanField> | DialogSpan | Count | Plain<'time'> | Plain<'text'> | Plain<'url'>

function offOr(presets: readonly string[], words: (preset: string) => string, own = 'other'): Options {
  return [['off', 'off'], ...presets.map((preset) => [preset, words(preset)] as const), ['own', own]]
}

export const fields = {
  ...termsFields,
  /** The options depend on the condition. */
  repeat: { kind: 'choice', label: 'Repeat', options: {}, initial: 'once' },
  everyMinutes: {
    kind: 'count',
    label: 'Minutes between notifications',
    noun: 'the minutes',
    unit: 'min',
    initial: '15',
  },
  max: { kind: 'count', label: 'Notifications a day', noun: 'how many', unit: 'a day', initial: '3' },
  holdMs: {
    kind: 'span',
    label: 'Hold for',
    choice: {
      label: 'Hold',
      title: 'The condition must hold this long before you are notified',
      options: offOr(['30000', '60000', '300000'], (ms) => spanText(Number(ms))),
    },
    initial: { count: '2', unit: 'min' },
  },
  severity: {
    kind: 'choice',
    label: 'Severity',
    options: severityNames,
    initial: 'normal',
  },
  cooldownMs: { kind: 'span', label: 'Cooldown', example: 'none', initial: { count: '', unit: 'min' } },
  expiresAt: { kind: 'time', label: 'Expires', example: 'tomorrow 16:00' },
  note: { kind: 'text', label: 'Note', example: 'Shown with each notification' },
  group: { kind: 'text', label: 'Group', example: 'Alerts of one group can be snoozed together' },
  /** The options are the saved webhooks. */
  webhookUrl: { kind: 'url', label: 'Webhook', example: 'https://' },
} as const satisfies Readonly<Record<string, DialogSpec>>

export type FieldName = keyof typeof fields
export const fieldNames = Object.keys(fields) as FieldName[]

/** The number field that belongs to a repeat mode. */
export function countOf(mode: string): FieldName[] {
  if (mode === 'whileTrue') return ['everyMinutes']
  return mode === 'daily' ? ['max'] : []
}

/** The field of the draft that shows a fault of this field. */
export function placeOf(field: FieldName): string {
  return fields[field].kind === 'count' ? 'repeat' : field
}

/** In basis points. */
export const offeredBand = '5'
const bands = offOr([offeredBand, '10'], (size) => `${size} bp`)
const ownBands = offOr([], String, 'on')
const bandUnits = Object.entries({ points: 'points', basisPoints: 'bp' })
const spanOptions = spanUnits.map((unit) => [unit, unit] as const)

/** True if the re-arm band is in the unit of the threshold, which may be basis points. */
function hasBandInOwnUnit(condition: AlertCondition): boolean {
  return specOf(condition).source === 'marketConditions'
}

function isOptional(spec: FieldSpec, condition: AlertCondition): boolean {
  return fieldsOf(condition).some((field) => field.spec === spec && field.isOptional)
}

function spanChoice({ choice: own, absent, label }: DialogSpan): Choice | undefined {
  if (absent === undefined) return own
  return { label: 'For how long', options: Object.entries({ usual: absent, own: label.toLowerCase() }) }
}

type Expiry = NonNullable<AlertDraft['expiresAt']>

/** The time to the minute, or in full if the short text would be read as another time. */
function expiryText({ atMs, timeZone }: Expiry): string {
  const text = minuteText(atMs, { timeZone })
  const read = readTypedTime(text, { nowMs: atMs, zone: timeZone })
  return read.ok && read.value === atMs ? text : fullTimeText(atMs, { timeZone })
}

/** The context in which a field is read. */
interface Asked extends Pick<NumberAsked, 'near' | 'unit'> {
  nowMs: number
  condition: AlertCondition
}

/** The value for the draft, undefined if the field is left out, or what is wrong with it. */
type Read = { ok: true; value: unknown } | { ok: false; message: string; choices?: readonly DecimalText[] }

/** The controls of a field, from left to right. */
interface Input {
  choice?: Choice | undefined
  /** The text input, shown unless another option is chosen. */
  typed?: 'decimal' | 'text' | 'url'
  label?: string
  placeholder?: string | undefined
  unit?: string | Options | undefined
}

interface Kind<Spec, Value> {
  write(value: Value, spec: Spec): Partial<TypedField>
  read(typed: TypedField, spec: Spec, asked: Asked): Read
  input(spec: Spec, condition: AlertCondition): Input
}

type SpecOf<K extends DialogSpec['kind']> = Extract<DialogSpec, { kind: K }>

const given = (value: unknown): Read => ({ ok: true, value })
const nothing = given(undefined)

const number: Kind<SpecOf<'level' | 'number'>, DecimalText> = {
  write: (text) => ({ text }),
  read({ text }, spec, asked) {
    const near = spec.kind === 'level' ? asked.near : undefined
    const unit = 'unit' in spec ? spec.unit : asked.unit
    return readTypedNumber(text, { what: spec.noun, example: spec.example, near, unit })
  },
  input: (spec) => ({ typed: 'decimal', placeholder: spec.example, unit: 'unit' in spec ? spec.unit : undefined }),
}

const words: Kind<SpecOf<'name' | 'text' | 'url'>, string> = {
  write: (text) => ({ text }),
  read({ text }, spec, { condition }) {
    if (text.trim() !== '') return given(text.trim())
    const isMissing = spec.kind === 'name' && !isOptional(spec, condition)
    return isMissing ? { ok: false, message: `Enter the ${spec.noun}, such as ${spec.example}.` } : nothing
  },
  input(spec, condition) {
    if (spec.kind !== 'name') return { typed: spec.kind, placeholder: spec.example }
    const none = `${/^[aeiou]/.test(spec.noun) ? 'an' : 'a'} ${spec.noun}`
    return { typed: 'text', placeholder: isOptional(spec, condition) ? (spec.absent ?? none) : none }
  },
}

const choice: Kind<SpecOf<'choice'>, string> = {
  write: (value) => ({ choice: value }),
  read: (typed) => given(typed.choice),
  input: ({ label, options }) => ({ choice: { label, options: Object.entries(options) } }),
}

const count: Kind<Count, number> = {
  write: (value) => ({ text: String(value) }),
  read({ text }, { noun }) {
    const isCount = /^\d{1,6}$/.test(text.trim()) && Number(text) > 0
    return isCount ? given(Number(text)) : { ok: false, message: `Enter ${noun} as a whole number, such as 3.` }
  },
  input: ({ unit }) => ({ typed: 'decimal', unit }),
}

const span: Kind<DialogSpan, number> = {
  write(ms, spec) {
    const isPreset = spec.choice?.options.some(([value]) => value === String(ms)) === true
    const own = typedSpan(ms)
    return isPreset ? { choice: String(ms) } : { choice: 'own', text: own.count, unit: own.unit }
  },
  read({ choice: chosen, text, unit }, { example }) {
    if (chosen !== 'own') return given(/^\d+$/.test(chosen) ? Number(chosen) : undefined)
    if (example !== undefined && text.trim() === '') return nothing
    const read = readSpan({ count: text, unit: unit as SpanUnit })
    return read.ok ? given(read.ms) : read
  },
  input: (spec) => ({ choice: spanChoice(spec), typed: 'decimal', placeholder: spec.example, unit: spanOptions }),
}

const rearmBand: Kind<SpecOf<'rearmBand'>, RearmBand> = {
  write({ size, unit }) {
    const isPreset = unit === 'basisPoints' && bands.some(([value]) => value === size)
    return isPreset ? { choice: size } : { choice: 'own', text: size, unit }
  },
  read({ choice: chosen, text, unit }, { noun, example }, { condition }) {
    const isInOwnUnit = hasBandInOwnUnit(condition)
    if (chosen !== 'own')
      return given(chosen === 'off' || isInOwnUnit ? undefined : { size: chosen, unit: 'basisPoints' })
    const read = readTypedNumber(text, { what: noun, example })
    return read.ok ? given({ size: read.value, unit: isInOwnUnit ? 'points' : unit }) : read
  },
  input({ label, example }, condition) {
    const isInOwnUnit = hasBandInOwnUnit(condition)
    const title = `How far the ${isInOwnUnit ? 'measure' : 'value'} must come back before the alert can fire again (hysteresis)`
    return {
      choice: isInOwnUnit
        ? { label, title, options: ownBands }
        : { label, title: `${title}. 1 bp is 0.01 % of the level`, options: bands },
      typed: 'decimal',
      label: 'Size of the band',
      placeholder: example,
      unit: isInOwnUnit ? specOf(condition).unit : bandUnits,
    }
  },
}

const time: Kind<SpecOf<'time'>, Expiry> = {
  write: (expiry) => ({ text: expiryText(expiry), unit: expiry.timeZone }),
  read({ text, unit: timeZone }, _spec, { nowMs }) {
    if (text.trim() === '') return nothing
    const read = readTypedTime(text, { nowMs, zone: timeZone, isAhead: true })
    return read.ok ? given({ atMs: read.value, timeZone }) : { ok: false, message: read.problem.message }
  },
  input: ({ example }) => ({ typed: 'text', placeholder: example }),
}

/** A saved webhook that was chosen, or a typed address. */
const url: Kind<SpecOf<'url'>, string> = {
  write: (value) => (savedWebhookId(value) === undefined ? { choice: 'own', text: value } : { choice: value }),
  read: (typed, spec, asked) =>
    savedWebhookId(typed.choice) === undefined ? words.read(typed, spec, asked) : given(typed.choice),
  input: ({ example }) => ({ typed: 'url', placeholder: example }),
}

const kinds = { level: number, number, name: words, choice, span, rearmBand, count, time, text: words, url }

/** How a field is filled, read and drawn. A kind handles only the specs and values of its fields. */
export function kindOf(field: FieldName): Kind<DialogSpec, unknown> {
  return kinds[fields[field].kind]
}

/** The initial content of a field. */
export function blankField(field: FieldName, condition: AlertCondition, zone: string): TypedField {
  const spec: DialogSpec = fields[field]
  const initial = ('initial' in spec ? spec.initial : undefined) ?? ''
  const unitOfText = spec.kind === 'time' ? zone : 'points'
  const own = typeof initial === 'string' ? { count: initial, unit: unitOfText } : initial
  const other = spec.kind === 'url' ? 'off' : 'own'
  const first = kindOf(field).input(spec, condition).choice?.options[0]?.[0] ?? other
  return { choice: spec.kind === 'choice' ? own.count : first, text: own.count, unit: own.unit }
}
