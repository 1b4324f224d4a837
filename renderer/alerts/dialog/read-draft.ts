import type { DraftProblem } from '../../../protocol/alert-events'
import type { AlertDraft, AlertRepeat, AlertTerms, RearmBand } from '../../../protocol/alerts'
import type { DecimalText } from '../../../protocol/model'
import { readNumber } from '../../format/level'
import { readSpan, type SpanUnit } from '../../format/typed-span'
import { readWallTime } from '../../format/wall-time'
import { canHold, hasRearmBand } from './condition-kinds'
import type { TypedDraft } from './typed-draft'

/** A draft, or what of the fields cannot be read as one. Whether a draft makes sense is for `checkDraft` to say. */
export type ReadDraft = { ok: true; draft: AlertDraft } | { ok: false; problems: DraftProblem[] }

/** Reads fields one by one and keeps what is wrong with each. */
class FieldReader {
  readonly problems: DraftProblem[] = []

  number(field: DraftProblem['field'], typed: string, what: string, example: string): DecimalText {
    const read = readNumber(typed, what, example)
    return read.ok ? read.level : this.#refuse(field, read.message, '0')
  }

  span(field: DraftProblem['field'], count: string, unit: SpanUnit): number {
    return readSpan({ count, unit }) ?? this.#refuse(field, 'Enter a time above 0, such as 15 min.', 1)
  }

  count(field: DraftProblem['field'], typed: string, what: string): number {
    const text = typed.trim()
    const isCount = /^\d{1,6}$/.test(text) && Number(text) > 0
    return isCount ? Number(text) : this.#refuse(field, `Enter ${what} as a whole number, such as 3.`, 1)
  }

  name(field: DraftProblem['field'], typed: string, message: string): string {
    const text = typed.trim()
    return text === '' ? this.#refuse(field, message, '') : text
  }

  time(field: DraftProblem['field'], typed: string, zone: string): number {
    return readWallTime(typed, zone) ?? this.#refuse(field, 'Enter a date and a time.', 0)
  }

  #refuse<T>(field: DraftProblem['field'], message: string, instead: T): T {
    this.problems.push({ field, message })
    return instead
  }
}

export function readDraft(typed: TypedDraft): ReadDraft {
  const reader = new FieldReader()
  const draft: AlertDraft = {
    indexId: reader.name('index', typed.indexId, 'Choose an index.'),
    terms: readTerms(reader, typed),
    repeat: readRepeat(reader, typed),
    severity: typed.severity,
    ...readHold(reader, typed),
    ...readMore(reader, typed),
  }
  return reader.problems.length === 0 ? { ok: true, draft } : { ok: false, problems: reader.problems }
}

function readTerms(reader: FieldReader, typed: TypedDraft): AlertTerms {
  const { condition } = typed
  switch (condition) {
    case 'risesTo':
    case 'fallsTo':
    case 'crosses':
    case 'isAbove':
    case 'isBelow':
      return { condition, level: reader.number('level', typed.level, 'level', '68,500.00'), ...readBand(reader, typed) }
    case 'entersBand':
    case 'leavesBand': {
      const low = reader.number('level', typed.low, 'low end', '67,000.00')
      return {
        condition,
        low,
        high: reader.number('high', typed.high, 'high end', '68,500.00'),
        ...readBand(reader, typed),
      }
    }
    case 'moves': {
      const { direction, amountUnit: unit, windowCount, windowUnit } = typed
      const amount = reader.number('amount', typed.amount, 'change', '3')
      return { condition, direction, amount, unit, withinMs: reader.span('window', windowCount, windowUnit) }
    }
    case 'noUpdate':
      if (typed.silence === 'usual') return { condition }
      return { condition, afterMs: reader.span('after', typed.silenceCount, typed.silenceUnit) }
    case 'carriedOver':
    case 'amended':
    case 'corporateAction':
    case 'constituentsChanged':
    case 'divisorChanged':
      return { condition }
    default:
      return readConstituentTerms(reader, typed, condition)
  }
}

type ConstituentCondition =
  'weightAtOrAbove' | 'weightAtOrBelow' | 'weightDrift' | 'exchangeShareAtOrBelow' | 'continuity'

function readConstituentTerms(reader: FieldReader, typed: TypedDraft, condition: ConstituentCondition): AlertTerms {
  const named = () => reader.name('constituent', typed.constituent, 'Say which constituent, such as BTC.')
  switch (condition) {
    case 'weightAtOrAbove':
    case 'weightAtOrBelow': {
      const weightPercent = reader.number('amount', typed.weight, 'weight', '60')
      return { condition, constituent: named(), weightPercent }
    }
    case 'weightDrift': {
      const constituent = typed.constituent.trim()
      const points = reader.number('amount', typed.drift, 'drift', '2')
      return { condition, ...(constituent === '' ? {} : { constituent }), points, base: typed.driftBase }
    }
    case 'exchangeShareAtOrBelow': {
      const sharePercent = reader.number('amount', typed.share, 'share', '10')
      const exchange = reader.name('exchange', typed.exchange, 'Say which exchange, such as Kraken.')
      return { condition, constituent: named(), exchange, sharePercent }
    }
    case 'continuity':
      return { condition, tolerancePercent: reader.number('amount', typed.tolerance, 'tolerance', '0.5') }
  }
}

function readBand(reader: FieldReader, typed: TypedDraft): { rearmBand?: RearmBand } {
  const { band, bandUnit } = typed
  if (!hasRearmBand(typed.condition) || band === 'off') return {}
  if (band !== 'own') return { rearmBand: { size: band, unit: 'basisPoints' } }
  return { rearmBand: { size: reader.number('band', typed.bandSize, 'band', '10'), unit: bandUnit } }
}

function readRepeat(reader: FieldReader, { repeat, everyMinutes, mostADay }: TypedDraft): AlertRepeat {
  switch (repeat) {
    case 'whileTrue':
      return { mode: repeat, everyMinutes: reader.count('repeat', everyMinutes, 'the minutes') }
    case 'daily':
      return { mode: repeat, most: reader.count('repeat', mostADay, 'how many') }
    default:
      return { mode: repeat }
  }
}

function readHold(reader: FieldReader, typed: TypedDraft): Pick<AlertDraft, 'holdMs' | 'countsRepeats'> {
  const { hold, holdCount, holdUnit } = typed
  if (hold === 'off' || !canHold(typed.condition)) return {}
  const holdMs = hold === 'own' ? reader.span('hold', holdCount, holdUnit) : Number(hold)
  return { holdMs, ...(typed.countsRepeats && { countsRepeats: true as const }) }
}

function readMore(reader: FieldReader, typed: TypedDraft): Partial<AlertDraft> {
  const { cooldownCount, cooldownUnit, expiry, expiryZone } = typed
  const [note, group, webhookUrl] = [typed.note.trim(), typed.group.trim(), typed.webhookUrl.trim()]
  return {
    ...(cooldownCount.trim() === '' ? {} : { cooldownMs: reader.span('cooldown', cooldownCount, cooldownUnit) }),
    ...(expiry === '' ? {} : { expiresAt: { atMs: reader.time('expiry', expiry, expiryZone), timeZone: expiryZone } }),
    ...(note === '' ? {} : { note }),
    ...(group === '' ? {} : { group }),
    ...(webhookUrl === '' ? {} : { webhookUrl }),
  }
}
