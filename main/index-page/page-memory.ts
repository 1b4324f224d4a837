import type { TimeRange } from '../../core/ranges'
import * as v from 'valibot'
import { lastMidnight } from '../../core/cadence'
import type { OpenedIndex, RememberedPart } from '../../protocol/desktop'
import { chartRanges, isOverDay, rangeMs, type ChartRange } from '../../protocol/responses'
import type { ConstituentsPublication, CorporateAction, IndexDetail, IndexId, MarketConditions } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import type { CorporateActionState } from '../base/payloads'
import {
  constituentsSchema,
  decimal,
  indexInfoEntries,
  publicationEntries,
  readDocument,
  timeMs,
} from '../base/stored-index'
import type { HistoryAccess } from '../history-store/contract'

/** The stored parts of an index page. `remembered` has the time each part was received. */
export type RememberedParts = Pick<OpenedIndex, RememberedPart> & Required<Pick<OpenedIndex, 'remembered'>>

const facts = v.array(v.object({ name: v.string(), text: v.string() }))
const conditionsSchema: v.GenericSchema<unknown, MarketConditions> = v.object({
  ...publicationEntries,
  utilizedDepth: v.exactOptional(decimal),
  valueAsk: v.exactOptional(decimal),
  valueBid: v.exactOptional(decimal),
  midPrice: v.exactOptional(decimal),
})

const actionSchema: v.GenericSchema<unknown, CorporateAction | null> = v.nullable(
  v.object({ publishedAtMs: timeMs, facts }),
)

const detailSchema: v.GenericSchema<unknown, IndexDetail> = v.object({ ...indexInfoEntries, facts })

const schemas = {
  detail: detailSchema,
  constituents: constituentsSchema,
  conditions: conditionsSchema,
  corporateAction: actionSchema,
} satisfies Record<RememberedPart, v.GenericSchema>

const parts = Object.keys(schemas) as RememberedPart[]

/** Constituents change with every calculation and are stored at this interval. */
const spacingMs = 5 * 60_000
/** Constituents older than this before midnight do not count as those of midnight. Values have the same limit. */
const maxClosingDistanceMs = 2 * 3_600_000

/** Baselines omit exchanges. No change is computed for them. */
export function withoutExchanges({
  value,
  publishedAtMs,
  divisor,
  constituents,
}: ConstituentsPublication): ConstituentsPublication {
  return {
    value,
    publishedAtMs,
    ...(divisor === undefined ? {} : { divisor }),
    constituents: constituents.map((each) => ({
      constituent: each.constituent,
      value: each.value,
      weightPercent: each.weightPercent,
    })),
  }
}

/** A range that lacks less than this share at its start counts as whole. */
const maxMissingShare = 0.01

/** Interval for storing market conditions, a little less than a minute, so that none is skipped. */
const conditionsSpacingMs = 55_000

/**
 * Stores in the history what index pages show, so that they can show it without a service. Constituents are stored
 * every five minutes, and when the divisor or a constituent changes. Market conditions are stored every minute, other
 * parts when they change.
 */
export class PageMemory {
  readonly #options: { history: HistoryAccess; clock: Clock; log: Log }
  /** By part and index: a text that identifies the content, and when it was stored. */
  readonly #kept = new Map<string, { essence: string; atMs: number }>()
  /** Divisor and names of the last constituents, which seldom change, and the text that identifies them. */
  readonly #members = new Map<IndexId, { divisor: string; names: readonly string[]; essence: string }>()

  constructor(options: { history: HistoryAccess; clock: Clock; log: Log }) {
    this.#options = options
  }

  /** The stored parts. Unreadable ones are logged and left out. */
  async recall(id: IndexId): Promise<RememberedParts> {
    const atMs = this.#options.clock.wallMs()
    const found: RememberedParts = { remembered: {} }
    const answers = await Promise.all(
      parts.map((kind) => this.#options.history.query('snapshotAt', { kind, id, atMs })),
    )
    for (const answer of answers) {
      if (!answer.ok || answer.value === null) continue
      const { kind, document, learnedAtMs } = answer.value
      const part = readDocument(schemas[kind], document)
      if (part !== undefined) {
        Object.assign(found, { [kind]: part })
        found.remembered[kind] = learnedAtMs
      } else this.#options.log.warn('A part of an index page could not be read from the history', { id, part: kind })
    }
    return found
  }

  /** The chart ranges over a day of which the history has values from the start on. */
  async wholeRanges(id: IndexId): Promise<ChartRange[]> {
    const nowMs = this.#options.clock.serviceMs()
    const asked = chartRanges.filter(isOverDay).map(async (range) => {
      const fromMs = nowMs - rangeMs[range]
      const found = await this.#options.history.query('valueAt', { id, atMs: fromMs })
      const firstMs = (found.ok ? found.value.nextPublishedAtMs : undefined) ?? Infinity
      return firstMs - fromMs < rangeMs[range] * maxMissingShare ? [range] : []
    })
    return (await Promise.all(asked)).flat()
  }

  /** The constituents at the last midnight before `nowMs`. Undefined if none were stored shortly before it. */
  async closing(id: IndexId, nowMs: number): Promise<ConstituentsPublication | undefined> {
    const closeMs = lastMidnight(nowMs)
    const found = await this.#options.history.query('snapshotAt', { kind: 'constituents', id, atMs: closeMs })
    if (!found.ok || found.value === null || closeMs - found.value.publishedAtMs > maxClosingDistanceMs)
      return undefined
    const constituents = readDocument(constituentsSchema, found.value.document)
    return constituents && withoutExchanges(constituents)
  }

  noteDetail(id: IndexId, detail: IndexDetail): void {
    this.#note('detail', id, this.#options.clock.wallMs(), detail, JSON.stringify(detail))
  }

  noteConstituents(id: IndexId, publication: ConstituentsPublication): void {
    const { constituents, publishedAtMs } = publication
    const divisor = publication.divisor ?? ''
    let last = this.#members.get(id)
    const isSame =
      last?.divisor === divisor &&
      last.names.length === constituents.length &&
      last.names.every((name, at) => name === constituents[at]?.constituent)
    if (last === undefined || !isSame) {
      const names = constituents.map(({ constituent }) => constituent)
      last = { divisor, names, essence: [divisor, ...names.toSorted()].join('\n') }
      this.#members.set(id, last)
    }
    this.#note('constituents', id, publishedAtMs, publication, last.essence, spacingMs)
  }

  noteConditions(id: IndexId, conditions: MarketConditions): void {
    this.#note('conditions', id, conditions.publishedAtMs, conditions, '', conditionsSpacingMs)
  }

  /** Stores earlier market conditions from REST. */
  notePastConditions(id: IndexId, past: readonly MarketConditions[]): void {
    if (past.length === 0) return
    const learnedAtMs = this.#options.clock.wallMs()
    void this.#options.history.commit({
      snapshots: past.map((each) => ({
        kind: 'conditions',
        id,
        publishedAtMs: each.publishedAtMs,
        learnedAtMs,
        document: JSON.stringify(each),
      })),
    })
  }

  /** Stored market conditions of the range, newest first. Unreadable ones are left out. */
  async pastConditions(id: IndexId, range: TimeRange): Promise<MarketConditions[]> {
    const answer = await this.#options.history.query('snapshotSamples', { kind: 'conditions', id, ...range, stepMs: 1 })
    return answer.ok ? answer.value.flatMap(({ document }) => readDocument(conditionsSchema, document) ?? []) : []
  }

  noteCorporateAction(id: IndexId, { publishedAtMs, action }: CorporateActionState): void {
    this.#note('corporateAction', id, publishedAtMs, action, JSON.stringify(action?.facts))
  }

  /** Another history is in use, so everything must be stored again. */
  forget(): void {
    this.#kept.clear()
  }

  #note(
    kind: RememberedPart,
    id: IndexId,
    publishedAtMs: number,
    content: unknown,
    essence = '',
    againAfterMs = Number.POSITIVE_INFINITY,
  ): void {
    const key = `${kind}:${id}`
    const atMs = this.#options.clock.monotonicMs()
    const kept = this.#kept.get(key)
    if (kept?.essence === essence && atMs - kept.atMs < againAfterMs) return
    this.#kept.set(key, { essence, atMs })
    const document = JSON.stringify(content)
    void this.#options.history.commit({
      snapshots: [{ kind, id, publishedAtMs, learnedAtMs: this.#options.clock.wallMs(), document }],
    })
  }
}
