/** The form of a service's tool: what is typed, and the arguments that it means. Pure. */
import type { Outcome } from '../../core/model'
import type { ToolField } from '../../protocol/service-tools'
import { readTypedNumber } from './typed-number'

/** What is typed in one field: its text, a row for each record, or on and off; off where nothing was said. */
export type ToolEntry = string | boolean | { [name: string]: ToolEntry }[]
export type ToolDraft = Record<string, ToolEntry>

/** How a typed time or day is read; answers milliseconds since the Unix epoch. */
export type ReadTime = (text: string) => Outcome<number>

export type ReadArguments = { args: Record<string, unknown> } | { problems: Record<string, string> }

const isoDayLength = 10

/** An empty form, one row where rows are asked for. */
export function emptyDraft(fields: readonly ToolField[]): ToolDraft {
  const emptyEntry = (field: ToolField): ToolEntry => {
    if (field.kind === 'switch') return false
    return field.kind === 'rows' ? [emptyDraft(field.fields)] : ''
  }
  return Object.fromEntries(fields.map((field) => [field.name, emptyEntry(field)]))
}

/** A form in which arguments of a call before are filled in; what has no field is left out. */
export function draftOf(fields: readonly ToolField[], args: Readonly<Record<string, unknown>>): ToolDraft {
  const draft = emptyDraft(fields)
  for (const field of fields) {
    const value = Object.hasOwn(args, field.name) ? args[field.name] : undefined
    if (value === undefined) continue
    if (field.kind === 'switch') draft[field.name] = value === true
    else if (field.kind === 'rows' && Array.isArray(value)) {
      draft[field.name] = value.map((row) => draftOf(field.fields, row as Record<string, unknown>))
    } else if (field.kind === 'texts' && Array.isArray(value)) draft[field.name] = value.join(', ')
    else draft[field.name] = typeof value === 'string' && field.kind !== 'json' ? value : JSON.stringify(value)
  }
  return draft
}

/** The arguments of a call as they were kept; none where they were too long for that. */
export function readArguments(argumentsJson: string): Record<string, unknown> {
  const read = readJson(argumentsJson)
  return read.ok && typeof read.value === 'object' ? { ...read.value } : {}
}

/** Fills in what a page is about, in every field that asks for it by this name or its plural; times become now. */
export function fillIn(fields: readonly ToolField[], about: { name: string; text: string }): ToolDraft {
  const draft = emptyDraft(fields)
  const names = [about.name, `${about.name}s`, about.name.replace(/ex$/, 'ices'), `${about.name}Id`]
  for (const field of fields) {
    if (field.kind === 'rows') draft[field.name] = [fillIn(field.fields, about)]
    else if (field.kind === 'time' && field.isRequired) draft[field.name] = 'now'
    else if ((field.kind === 'text' || field.kind === 'texts') && names.includes(field.name)) {
      draft[field.name] = about.text
    }
  }
  return draft
}

/** The arguments that are typed, or what is wrong by the path of its field (`lookups.0.index`). */
export function argumentsOf(fields: readonly ToolField[], draft: ToolDraft, readTime: ReadTime): ReadArguments {
  const problems: Record<string, string> = {}
  const args = readFields(fields, draft, readTime, '', problems)
  return Object.keys(problems).length === 0 ? { args } : { problems }
}

function readFields(
  fields: readonly ToolField[],
  draft: ToolDraft,
  readTime: ReadTime,
  place: string,
  problems: Record<string, string>,
): Record<string, unknown> {
  const args: [string, unknown][] = []
  for (const field of fields) {
    const entry = draft[field.name] ?? ''
    const path = `${place}${field.name}`
    if (field.kind === 'rows' && Array.isArray(entry)) {
      const rows = entry.map((row, at) => readFields(field.fields, row, readTime, `${path}.${at}.`, problems))
      if (rows.length > 0 || field.isRequired) args.push([field.name, rows])
      continue
    }
    if (typeof entry === 'boolean') {
      if (entry || field.isRequired) args.push([field.name, entry])
      continue
    }
    const text = typeof entry === 'string' ? entry.trim() : ''
    if (text === '') {
      if (field.isRequired) problems[path] = 'Required.'
      continue
    }
    const value = readText(field, text, readTime)
    if (value.ok) args.push([field.name, value.value])
    else problems[path] = value.problem.message
  }
  return Object.fromEntries(args)
}

function readText(field: ToolField, text: string, readTime: ReadTime): Outcome<unknown> {
  switch (field.kind) {
    case 'number':
      return readNumber(text, field.isInteger)
    case 'time':
    case 'date': {
      if (field.kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text)) return { ok: true, value: text }
      const read = readTime(text)
      if (!read.ok) return read
      const iso = new Date(read.value).toISOString()
      return { ok: true, value: field.kind === 'date' ? iso.slice(0, isoDayLength) : iso }
    }
    case 'texts':
      return {
        ok: true,
        value: text
          .split(/[,\n]/)
          .map((each) => each.trim())
          .filter(Boolean),
      }
    case 'json':
      return readJson(text)
    default:
      return { ok: true, value: text }
  }
}

function readNumber(text: string, isInteger: boolean): Outcome<number> {
  const read = readTypedNumber(text, { what: 'number', example: '1.5' })
  if (!read.ok) return refusal(read.message)
  const value = Number(read.value)
  if (isInteger && !Number.isSafeInteger(value)) return refusal('Type a whole number, such as 12.')
  return { ok: true, value }
}

function readJson(text: string): Outcome<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return refusal('This is not JSON. Put text in double quotes, such as ["BTC"].')
  }
}

function refusal(message: string): Outcome<never> {
  return { ok: false, problem: { code: 'badArguments', message } }
}
