/** The fields of the dialog as they are filled in, from a draft and read as one. */
import { fieldsOf, reachesLevel, specOf, type AlertCondition } from '../../../../core/conditions/list'
import { canFireAtStart } from '../../../../core/alert-checks'
import type { AlertDraft } from '../../../../core/alerts'
import { weekdays, type AlertHours } from '../../../../core/alert-timing'
import { compareDecimals, parseDecimal } from '../../../../core/decimal'
import type { DecimalText, IndexId } from '../../../../core/model'
import { findZone } from '../../../../core/time-zones'
import { readTypedClock } from '../../../../core/typed-time'
import { blankField, countOf, fieldNames, fields, kindOf, placeOf, type FieldName, type TypedField } from './fields'

/** The fields of the dialog as they stand; those that another condition asks for keep what was typed. */
export interface TypedDraft {
  indexId: IndexId
  condition: AlertCondition
  fields: Record<FieldName, TypedField>
  /** Times as they are typed; both empty: at any time. */
  hours: Omit<AlertHours, 'alsoIfTrue'> & { alsoIfTrue: boolean }
  countsRepeats: boolean
}

/** Every field as it is before anything is known. */
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

/** A new alert on an index. A level given lies ahead of the value: what is meant is that the value reaches it. */
export function newDraft(indexId: IndexId, zone: string, level = '', value: DecimalText = ''): TypedDraft {
  const [now, given] = [parseDecimal(value), parseDecimal(level)]
  const liesBelow = now !== undefined && given !== undefined && compareDecimals(given, now) < 0
  const typed = blankDraft(indexId, zone)
  typed.condition = reachesLevel[liesBelow ? 'below' : 'above']
  typed.fields.level.text = level
  return typed
}

/** The fields filled from a draft; every text as it was saved. */
export function typedOf(draft: AlertDraft, zone: string): TypedDraft {
  const { indexId, terms, repeat, hours, countsRepeats = false } = draft
  const typed = { ...blankDraft(indexId, zone), condition: terms.condition, countsRepeats }
  if (hours !== undefined) Object.assign(typed.hours, hours, { days: [...hours.days] })
  const values: Readonly<Record<string, unknown>> = { ...draft, ...terms, ...repeat, repeat: repeat.mode }
  for (const name of fieldNames) {
    const value = values[name]
    if (value !== undefined) Object.assign(typed.fields[name], kindOf(name).write(value, fields[name]))
  }
  return typed
}

/** What is wrong with a field. The app may name what is no field, such as `duplicate`. */
export interface Fault {
  field: string
  message: string
  /** Readings of the field that the user can take with a click. */
  choices?: readonly DecimalText[]
}

/** A draft, or what of the fields cannot be read as one. Whether a draft makes sense is for `checkDraft` to say. */
export type ReadDraft = { ok: true; draft: AlertDraft } | { ok: false; problems: Fault[] }

const alwaysThere = ['repeat', 'severity', 'cooldownMs', 'expiresAt', 'note', 'group', 'webhookUrl'] as const

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
    ...alwaysThere,
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

/** Whether days, times and zone make sense is for `checkDraft` to say. */
function readHours({ hours, condition }: TypedDraft): Pick<AlertDraft, 'hours'> {
  const [from = '', to = ''] = [hours.from, hours.to].map((text) => readTypedClock(text) ?? text.trim())
  if (from === '' && to === '') return {}
  const days = weekdays.filter((day) => hours.days.includes(day))
  const timeZone = findZone(hours.timeZone) ?? hours.timeZone.trim()
  const isAlso = hours.alsoIfTrue && canFireAtStart(condition)
  return { hours: { days, from, to, timeZone, ...(isAlso && { alsoIfTrue: true as const }) } }
}
