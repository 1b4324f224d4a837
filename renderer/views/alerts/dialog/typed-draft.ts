/** Fills the fields of the dialog from a draft, and reads a draft from them. */
import { fieldsOf, reachesLevel, specOf, type AlertCondition } from '../../../../core/conditions/list'
import { canFireAtStart } from '../../../../core/alert-checks'
import type { AlertDraft } from '../../../../core/alerts'
import { weekdays, type AlertHours } from '../../../../core/alert-timing'
import { compareDecimals, parseDecimal } from '../../../../core/decimal'
import type { DecimalText, IndexId } from '../../../../core/model'
import { findZone } from '../../../../core/time-zones'
import { readTypedClock } from '../../../../core/typed-time'
import { readTypedNumber } from '../../../format/typed-number'
import { blankField, countOf, fieldNames, fields, kindOf, placeOf, type FieldName, type TypedField } from './fields'

/** The content of the dialog. Fields of other conditions keep what was typed. */
export interface TypedDraft {
  indexId: IndexId
  condition: AlertCondition
  fields: Record<FieldName, TypedField>
  /** The times as typed. If both are empty, the alert fires at any time. */
  hours: Omit<AlertHours, 'alsoIfTrue'> & { alsoIfTrue: boolean }
  countsRepeats: boolean
}

/** All fields with their initial content. */
export function blankDraft(indexId: IndexId, timeZone: string): TypedDraft {
  const condition = reachesLevel.above
  const blanks = fieldNames.map((name) => [name, blankField(name, condition, timeZone)])
  return {
    indexId,
    condition,
    fields: Object.fromEntries(blanks) as TypedDraft['fields'],
    hours: { from: '', to: '', days: weekdays.slice(0, 5), timeZone, alsoIfTrue: false },
    countsRepeats: false,
  }
}

/** The fields of a new alert. A level that is typed already and below `value` makes the condition `below`. */
export function newDraft(indexId: IndexId, zone: string, level = '', value: DecimalText = ''): TypedDraft {
  const read = readTypedNumber(level, { what: 'level', example: value, near: () => value })
  const [now, given] = [parseDecimal(value), read.ok ? parseDecimal(read.value) : undefined]
  const liesBelow = now !== undefined && given !== undefined && compareDecimals(given, now) < 0
  const typed = blankDraft(indexId, zone)
  typed.condition = reachesLevel[liesBelow ? 'below' : 'above']
  typed.fields.level.text = level
  return typed
}

/** The fields filled from a draft. `shown` writes a level. */
export function typedOf(draft: AlertDraft, zone: string, shown = (level: DecimalText): string => level): TypedDraft {
  const { indexId, terms, repeat, hours, countsRepeats = false } = draft
  const typed = { ...blankDraft(indexId, zone), condition: terms.condition, countsRepeats }
  if (hours !== undefined) Object.assign(typed.hours, hours, { days: [...hours.days] })
  const values: Readonly<Record<string, unknown>> = { ...draft, ...terms, ...repeat, repeat: repeat.mode }
  for (const name of fieldNames) {
    const value = values[name]
    if (value === undefined) continue
    const field = Object.assign(typed.fields[name], kindOf(name).write(value, fields[name]))
    if (fields[name].kind === 'level') field.text = shown(field.text)
  }
  return typed
}

/** A fault of a field. The main process may name a fault of the whole draft instead, such as `duplicate`. */
export interface Fault {
  field: string
  message: string
  /** Possible readings of an ambiguous number, for the user to choose from. */
  choices?: readonly DecimalText[]
}

/** A draft, or the fields that cannot be read. `checkDraft` decides whether a draft makes sense. */
export type ReadDraft = { ok: true; draft: AlertDraft } | { ok: false; problems: Fault[] }

const permanentFields = ['repeat', 'severity', 'cooldownMs', 'expiresAt', 'note', 'group', 'webhookUrl'] as const

/** `near` is the present value of the index. Asked only where a level can be read in two ways. */
export function readDraft(typed: TypedDraft, nowMs: number, near?: () => DecimalText | undefined): ReadDraft {
  const { indexId, condition, countsRepeats } = typed
  const problems: Fault[] = indexId === '' ? [{ field: 'indexId', message: 'Choose an index.' }] : []
  const unit = typed.fields.unit.choice === 'percent' ? '%' : undefined

  const valuesOf = (names: readonly FieldName[]): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const name of names) {
      const asked = { near, unit: name === 'amount' ? unit : undefined, nowMs, condition }
      const read = kindOf(name).read(typed.fields[name], fields[name], asked)
      if (!read.ok) problems.push({ ...read, field: placeOf(name) })
      else if (read.value !== undefined) values[name] = read.value
    }
    return values
  }
  const { repeat: mode, ...more } = valuesOf([
    ...permanentFields,
    ...(specOf(condition).canHold ? ['holdMs' as const] : []),
  ])
  // Has the fields the type asks for, since all follow from their tables.
  const draft = {
    indexId,
    terms: { condition, ...valuesOf(fieldsOf(condition).map(({ name }) => name)) },
    repeat: { mode, ...valuesOf(countOf(typed.fields.repeat.choice)) },
    ...more,
    ...(more['holdMs'] !== undefined && countsRepeats && { countsRepeats }),
    ...readHours(typed),
  } as AlertDraft
  return problems.length === 0 ? { ok: true, draft } : { ok: false, problems }
}

/** `checkDraft` decides whether days, times and zone make sense. */
function readHours({ hours, condition }: TypedDraft): Pick<AlertDraft, 'hours'> {
  const [from = '', to = ''] = [hours.from, hours.to].map((text) => readTypedClock(text) ?? text.trim())
  if (from === '' && to === '') return {}
  const days = weekdays.filter((day) => hours.days.includes(day))
  const timeZone = findZone(hours.timeZone) ?? hours.timeZone.trim()
  const isAlso = hours.alsoIfTrue && canFireAtStart(condition)
  return { hours: { days, from, to, timeZone, ...(isAlso && { alsoIfTrue: true as const }) } }
}
