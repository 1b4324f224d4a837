import type { CorporateAction, Fact, IndexDetail, IndexInfo } from '../../core/model'
import { fullTimeText } from './published-time'
import { publishesWords } from './resolution-words'
import type { DisplayStyle } from './value'

/** A fact as on screen. `field` is the provider's name for it. */
export interface ShownFact {
  label: string
  text: string
  field: string
  /** The time of a number of milliseconds, in words. */
  time?: string
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

function shownFact({ name, text }: Fact, style: DisplayStyle): ShownFact {
  const isTime = /time$/i.test(name) && /^\d{12,13}$/.test(text)
  return {
    label: labelOf(name),
    text: text === '' ? 'none' : text,
    field: name,
    ...(isTime && { time: fullTimeText(Number(text), style) }),
  }
}

/** All fields, with their names in words and times beside numbers of milliseconds. */
export function shownFacts(facts: readonly Fact[], style: DisplayStyle): ShownFact[] {
  return facts.map((fact) => shownFact(fact, style))
}

/** `SINGLE_ASSET` becomes "Single asset". Other texts are returned unchanged. */
function plainWords(text: string): string {
  if (!/^[A-Z]{2,}(_[A-Z]+)+$/.test(text)) return text
  const words = text.toLowerCase().replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/**
 * Reference data: first the fields of every index, then all others. A missing base or quote is stated. The frequency
 * appears once: `publicationFrequency` has only seconds and days, which is wrong for 200 ms indices.
 */
export function referenceFacts(info: IndexInfo | IndexDetail, style: DisplayStyle): ShownFact[] {
  return [
    { label: 'Index', text: info.id, field: 'id' },
    { label: 'Name', text: info.name ?? 'none', field: 'name' },
    { label: 'Base', text: info.base ?? 'none', field: 'base' },
    { label: 'Quote', text: info.quote ?? 'none', field: 'quote' },
    { label: 'Decimals', text: info.decimals?.toString() ?? 'not given', field: 'decimals' },
    { label: 'Frequency', text: publishesWords[info.maxResolution], field: 'maxResolution' },
    ...('facts' in info ? shownFacts(info.facts, style) : [])
      .filter(({ field }) => field !== 'publicationFrequency')
      .map((fact) => ({ ...fact, text: plainWords(fact.text) })),
  ]
}

const stateSentences: Readonly<Record<string, string>> = {
  pending: 'Pending: announced, not yet in effect.',
  effective: 'Effective: in effect.',
}

/** The status of a corporate action as a sentence. Undefined if its fields do not state it. */
export function actionSentence({ facts }: CorporateAction): string | undefined {
  const state = facts.find(({ name }) => /^(status|state)$/i.test(name))
  return state && stateSentences[state.text.toLowerCase()]
}
