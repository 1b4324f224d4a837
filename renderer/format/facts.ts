import { durationMs } from '../../core/fixings'
import type { CorporateAction, Fact, IndexDetail, IndexInfo } from '../../core/model'
import { fullTimeText, minuteText } from './published-time'
import { publishesWords } from './resolution-words'
import type { DisplayStyle } from './value'

/** A fact as on screen. `field` is the provider's name for it. */
export interface ShownFact {
  label: string
  text: string
  field: string
  /** The text as received, if it is shown in words, and the whole time. */
  title?: string
}

/** A field's name in words: `newMultiplier` becomes "New multiplier". Other texts are returned unchanged. */
export function labelOf(field: string): string {
  if (!/^[a-z]\w*$/.test(field)) return field
  const words = field
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/\b([A-Z])(?=[a-z]|\b)/g, (letter) => letter.toLowerCase())
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The time of a field. Undefined if its text is neither ISO 8601 nor, in a field named after a time, milliseconds. */
function timeOf({ name, text }: Fact): number | undefined {
  if (/time$/i.test(name) && /^\d{12,13}$/.test(text)) return Number(text)
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}

/** A field of an object: "60 min window" for `windowDuration`, "12 partitions" for `partitionCount`, else "name value". */
function memberWords([field, value]: [string, unknown]): string {
  const name = labelOf(field).toLowerCase()
  const ms = typeof value === 'string' ? durationMs(value) : undefined
  if (ms !== undefined) {
    return `${ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`} ${name.replace(/ duration$/, '')}`
  }
  if (typeof value === 'number' && name.endsWith(' count')) {
    return `${value} ${name.slice(0, -' count'.length)}${value === 1 ? '' : 's'}`
  }
  return `${name} ${valueWords(value)}`
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ')
  if (value === null) return 'none'
  if (typeof value === 'object') return Object.entries(value).map(memberWords).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** JSON in words. Other texts, and JSON that was cut, are returned unchanged. */
function jsonWords(text: string): string {
  try {
    return /^[[{]/.test(text) ? valueWords(JSON.parse(text)) : text
  } catch {
    return text
  }
}

function shownFact(fact: Fact, style: DisplayStyle): ShownFact {
  const { name, text } = fact
  const shown = { label: labelOf(name), field: name }
  const atMs = timeOf(fact)
  if (atMs !== undefined) {
    const full = fullTimeText(atMs, style)
    return { ...shown, text: atMs % 60_000 === 0 ? minuteText(atMs, style) : full, title: `${full}\n${text}` }
  }
  const words = jsonWords(text) || 'none'
  return { ...shown, text: words, ...(words !== text && text !== '' && { title: text }) }
}

/** All fields, with names, times and JSON in words. */
export function shownFacts(facts: readonly Fact[], style: DisplayStyle): ShownFact[] {
  return facts.map((fact) => shownFact(fact, style))
}

/** `SINGLE_ASSET` becomes "Single asset". Other texts are returned unchanged. */
function plainWords(text: string): string {
  // Short ones without an underscore are names, such as USD or TSLAX.
  if (!/^([A-Z]{2,}(_[A-Z]+)+|[A-Z]{8,})$/.test(text)) return text
  const words = text.toLowerCase().replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/**
 * Reference data besides id, name and decimals, which the head of the page shows. A missing base or quote is stated. The
 * frequency appears once: `publicationFrequency` has only seconds and days, which is wrong for 200 ms indices.
 */
export function referenceFacts(info: IndexInfo | IndexDetail, style: DisplayStyle): ShownFact[] {
  return [
    { label: 'Base', text: info.base ?? 'none', field: 'base' },
    { label: 'Quote', text: info.quote ?? 'none', field: 'quote' },
    { label: 'Frequency', text: publishesWords[info.maxResolution], field: 'maxResolution' },
    ...('facts' in info ? shownFacts(info.facts, style) : [])
      .filter(({ field }) => field !== 'publicationFrequency')
      .map((fact) => ({ ...fact, text: plainWords(fact.text) })),
  ]
}

const stateSentences: Readonly<Record<string, string>> = {
  pending: 'Announced, not yet in effect.',
  effective: 'In effect.',
}

/** The status of a corporate action as a sentence. Undefined if its fields do not state it. */
export function actionSentence({ facts }: CorporateAction): string | undefined {
  const state = facts.find(({ name }) => /^(status|state)$/i.test(name))
  return state && stateSentences[state.text.toLowerCase()]
}
