/** The form of a provider's tool: conversion between typed texts and arguments. Pure. */
import type { Outcome } from '../../../core/model'
import type { ToolField } from '../../../protocol/service-tools'
import { readTypedNumber } from '../../format/typed-number'

/** The content of one field: a text, rows of records, or a switch, which is off by default. */
export type ToolEntry = string | boolean | { [name: string]: ToolEntry }[]
export type ToolDraft = Record<string, ToolEntry>

/** Reads a typed time or day. Returns milliseconds since the Unix epoch. */
export type ReadTime = (text: string) => Outcome<number>

export type ReadArguments = { args: Record<string, unknown> } | { problems: Record<string, string> }

const isoDayLength = 10

/** An empty form. A field of rows has one row. */
export function emptyDraft(fields: readonly ToolField[]): ToolDraft {
  const emptyEntry = (field: ToolField): ToolEntry => {
    if (field.kind === 'switch') return false
    return field.kind === 'rows' ? [emptyDraft(field.fields)] : ''
  }
  return Object.fromEntries(fields.map((field) => [field.name, emptyEntry(field)]))
}

/** A form with the arguments of an earlier call. Arguments without a field are left out. */
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

/** The stored arguments of a call. Empty if they were too long to be stored. */
export function readArguments(argumentsJson: string): Record<string, unknown> {
  const read = readJson(argumentsJson)
  return read.ok && typeof read.value === 'object' ? { ...read.value } : {}
}

/** A form with the subject of a page in every field of that name or its plural. Required times become now. */
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

/** The typed arguments, or the problems by path of the field (`lookups.0.index`). */
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
