import { formatCount } from '../../core/decimal'
import { parseFormula } from '../../core/formula-id'
import type { Quote } from '../../core/model'
import type { Mark } from '../ui/mark'
import { fullTimeText } from './published-time'
import { formatValue, type DisplayStyle } from './value'

/** Ordered by importance, the most important first. */
const flagKinds = [
  'unknownId',
  'noValue',
  'unusual',
  'cached',
  'stale',
  'incomplete',
  'carriedOver',
  'amended',
] as const
type FlagKind = (typeof flagKinds)[number]

/** A flag of a row. `title` is the sentence behind the short text. */
export interface Flag {
  kind: FlagKind
  text: string
  title: string
}

export interface FlagFacts {
  quote: Quote | undefined
  refusal?: string | undefined
  /** Why a formula has no value. */
  noValue?: string | undefined
  /** The age in words while the value is stale. */
  staleFor?: string | undefined
}

/** The flags of a row, the most important first. */
export function flagsOf(facts: FlagFacts, style: DisplayStyle): Flag[] {
  const { quote, refusal, noValue, staleFor } = facts
  const flags: Flag[] = []
  if (refusal !== undefined) {
    flags.push({ kind: 'unknownId', text: 'unknown id', title: `The provider refused this id: ${refusal}` })
  }
  if (noValue !== undefined && refusal === undefined) {
    flags.push({ kind: 'noValue', text: 'no value', title: noValue })
  }
  if (quote?.jump !== undefined) {
    const { from, publishedAtMs } = quote.jump
    flags.push({
      kind: 'unusual',
      text: 'unusual',
      title: `Jumped from ${formatValue(from, style)} at ${fullTimeText(publishedAtMs, style)}: check it before you act on it`,
    })
  }
  if (quote?.source === 'cache') {
    flags.push({
      kind: 'cached',
      text: 'cached',
      title: 'The last value this app received. The provider has not confirmed it yet',
    })
  } else if (quote !== undefined && staleFor !== undefined) {
    flags.push({ kind: 'stale', text: 'stale', title: `No new value for ${staleFor}` })
  }
  const count = quote && missingText(quote)
  if (quote !== undefined && count !== undefined && count !== '') {
    const title = `Incomplete: the mean of ${meanCount(quote) ?? count}. None is filled in`
    flags.push({ kind: 'incomplete', text: count, title })
  }
  if (quote?.isRepeatOfPrevious === true) {
    flags.push({
      kind: 'carriedOver',
      text: 'carried forward',
      title: 'The provider failed to calculate this value and repeated the previous day’s',
    })
  }
  if (quote?.amendedAtMs !== undefined) {
    flags.push({
      kind: 'amended',
      text: 'amended',
      title: `Amended by the provider: ${fullTimeText(quote.amendedAtMs, style)}`,
    })
  }
  return flags
}

/** How many values of its window a mean has: "58 of 60 values, 2 carried forward". Undefined for others. */
export function meanCount({ id, missing = 0, carried = 0 }: Quote): string | undefined {
  const formula = parseFormula(id)
  if (formula?.operation !== 'mean') return undefined
  const count = `${formatCount(formula.seconds - missing)} of ${formatCount(formula.seconds)} values`
  return carried === 0 ? count : `${count}, ${carried} carried forward`
}

/** "58 of 60" for a mean that lacks values. Empty for others. */
export function missingText({ id, missing }: Quote): string {
  const formula = missing === undefined ? undefined : parseFormula(id)
  if (missing === undefined || formula?.operation !== 'mean') return ''
  return `${formatCount(formula.seconds - missing)} of ${formatCount(formula.seconds)}`
}

/** The rank of the most important flag. 0 is the most important kind. Undefined without a flag. */
export function flagWeight(flags: readonly Flag[]): number | undefined {
  const [first] = flags
  return first && flagKinds.indexOf(first.kind)
}

const looks: Record<FlagKind, Pick<Mark, 'icon' | 'tone' | 'isQuiet'>> = {
  unknownId: { icon: 'question', tone: 'warn' },
  noValue: { icon: 'question', tone: 'warn' },
  unusual: { icon: 'alert', tone: 'warn' },
  // The word is already beside the value.
  cached: { icon: 'history', isQuiet: true },
  stale: { icon: 'clock' },
  incomplete: { icon: 'alert', tone: 'warn' },
  carriedOver: { icon: 'repeat', tone: 'warn' },
  amended: { icon: 'pencil', tone: 'info' },
}

/** The flags as marks of mark-list.svelte. */
export function marksOf(flags: readonly Flag[]): Mark[] {
  return flags.map(({ kind, text, title }) => ({ ...looks[kind], key: kind, text, title }))
}
