/** Checks the terms of a draft: each field by its kind, then combinations of fields. */
import type { DraftProblem } from './alert-events'
import { isNeverNegative, maxGapMs, maxWindowMs, missingFor } from './alert-index-checks'
import type { AlertTerms } from './alerts'
import type { FieldSpec, LevelField, NumberField, RearmBandField, SpanField, TermsField } from './conditions/fields'
import { fieldsOf, specOf } from './conditions/list'
import { isDecimalText, writeOut, isAbove, order } from './decimal'
import type { IndexInfo } from './model'
import { spanText } from './spans'

const maxDigits = 24
const maxName = 120

/** `index` is what the service has told about it so far. */
export function checkTerms(terms: AlertTerms, index: IndexInfo | undefined): DraftProblem[] {
  const condition = specOf(terms.condition)
  const missing = missingFor(condition.requires, index)
  const entries: Readonly<Record<string, unknown>> = { ...terms }
  const faults = fieldsOf(terms.condition).flatMap(({ name, spec }) => {
    const value = entries[name]
    const message = value === undefined ? undefined : fieldFault(spec, value, index)
    return message === undefined ? [] : [at(name, message)]
  })
  return [
    ...(missing === undefined ? [] : [at('condition', missing)]),
    ...(faults.length > 0 ? faults : (condition.check?.(terms, index) ?? [])),
  ]
}

/** Number fields may hold any text and time fields any number. Other fields match their type. */
function fieldFault(spec: FieldSpec, value: unknown, index: IndexInfo | undefined): string | undefined {
  switch (spec.kind) {
    case 'level':
      return levelFault(spec, String(value), index)
    case 'number':
      return rangeFault(spec, String(value))
    case 'span':
      return spanFaults[spec.check](Number(value), spec, index)
    case 'name':
      if (String(value).trim() === '') return `Choose ${article(spec.noun)} ${spec.noun}, such as ${spec.example}.`
      return String(value).length > maxName ? `A name has at most ${maxName} characters. Shorten it.` : undefined
    case 'choice':
      return undefined
    case 'rearmBand':
      return rearmBandFault(spec, sizeOf(value))
  }
}

function sizeOf(band: unknown): string {
  return typeof band === 'object' && band !== null && 'size' in band ? String(band.size) : ''
}

function levelFault({ noun, example }: LevelField, text: string, index: IndexInfo | undefined): string | undefined {
  const fault = numberFault(text, noun, example)
  if (fault !== undefined || order(text, '0') !== -1 || !isNeverNegative(index)) return fault
  return `${index?.id ?? 'The index'} is never negative. Enter 0 or more.`
}

function rangeFault({ noun, example, range, unit }: NumberField, text: string): string | undefined {
  const fault = numberFault(text, noun, example)
  if (fault !== undefined) return fault
  const { from, above, to } = range
  const isTooHigh = to !== undefined && isAbove(text, to)
  if (from !== undefined && to !== undefined && (isTooHigh || isAbove(from, text))) {
    const limit = unit === undefined ? to : `${to} ${unit}`
    return `${capital(article(noun))} ${noun} is from ${from} to ${limit}. Enter one of these.`
  }
  if (from !== undefined && isAbove(from, text)) return `${capital(article(noun))} ${noun} is ${from} or more.`
  if (above !== undefined && !isAbove(text, above)) return `Enter a number above ${above}, such as ${example}.`
  return isTooHigh ? `Enter at most ${to}.` : undefined
}

function rearmBandFault({ noun, example }: RearmBandField, size: string): string | undefined {
  const fault = numberFault(size, noun, example)
  if (fault !== undefined || order(size, '0') !== -1) return fault
  return `A ${noun} is 0 or more. Leave the minus out.`
}

const spanFaults: Record<
  SpanField['check'],
  (ms: number, spec: SpanField, index: IndexInfo | undefined) => string | undefined
> = {
  window: (ms, { minMs }, index) => {
    const min = index === undefined ? minMs : 2 * maxGapMs(index.maxResolution)
    const max = maxWindowMs(index?.maxResolution)
    const publications = index === undefined ? '' : `, two publications of ${index.id}`
    if (!(ms >= min)) return `Choose a time of at least ${spanText(min)}${publications}.`
    if (ms <= max) return undefined
    return `Choose a time of at most ${spanText(max)}: ${index?.id ?? 'No index'} has no older history.`
  },
  silence: (ms, { maxMs }, index) => {
    const usual = index === undefined ? 1_000 : maxGapMs(index.maxResolution)
    if (!(ms > usual)) {
      const reason = index === undefined ? '' : `: ${index.id} may take as long between two publications`
      return `Choose more than ${spanText(usual)}${reason}.`
    }
    return ms > maxMs ? `Choose at most ${spanText(maxMs)}.` : undefined
  },
  grace: (ms, { minMs, maxMs }) =>
    ms >= minMs && ms <= maxMs ? undefined : `Choose from ${spanText(minMs)} to ${spanText(maxMs)}.`,
}

/** Why a typed number is refused. Undefined if it is accepted. */
function numberFault(text: string, noun: string, example: string): string | undefined {
  if (text.trim() === '') return `Enter ${article(noun)} ${noun}, such as ${example}.`
  if (!isDecimalText(text)) {
    if (text.trim() !== text || /[,_'\s]/.test(text)) {
      return `Write the ${noun} with digits only and a point before the decimals, such as ${example}.`
    }
    return `${capital(article(noun))} ${noun} is a number such as ${example}.`
  }
  if (/e/i.test(text)) {
    const written = writeOut(text)
    return `Write the ${noun} out, such as ${digitCount(written) > maxDigits ? '0.0000135' : written}.`
  }
  if (digitCount(text) > maxDigits) return `The ${noun} has more than ${maxDigits} digits. Leave some out.`
  return undefined
}

function digitCount(text: string): number {
  return text.replace(/\D/g, '').length
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function at(field: TermsField | 'condition', message: string): DraftProblem {
  return { field, message }
}
