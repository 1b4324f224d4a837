import type { TimeRange } from '../../core/ranges'
import * as v from 'valibot'
import { lastMidnight } from '../../core/cadence'
import type { OpenedIndex, RememberedPart } from '../../protocol/desktop'
import type { ConstituentsPublication, CorporateAction, IndexDetail, IndexId, MarketConditions } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import type { CorporateActionState } from '../base/payloads'
import { parseJson } from '../base/sanitize'
import { constituentsSchema, decimal, indexInfoEntries, publicationEntries, timeMs } from '../base/stored-index'
import type { HistoryAccess } from '../history-store/contract'

/** What an index page showed before; `remembered` says when each part was learned. */
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

/** Constituents, which change with every calculation, are kept this often. */
const spacingMs = 5 * 60_000
/** How far before the close constituents may lie and still stand for it, as for values. */
const maxClosingDistanceMs = 2 * 3_600_000

/** What changes are counted from has no exchanges: nothing is counted from those. */
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

/** Market conditions are kept this often: a little less than a minute, so that their history has each. */
const conditionsSpacingMs = 55_000

/**
 * Keeps what index pages show in the history, so that they show it with its time when no service answers. Constituents are
 * kept when there is another divisor or member and every five minutes, market conditions every minute; the other parts when
 * they change.
 */
export class PageMemory {
  readonly #history: HistoryAccess
  readonly #clock: Clock
  readonly #log: Log
  /** By part and index: what shows that it is new, and when it was kept. */
  readonly #kept = new Map<string, { essence: string; atMs: number }>()

  constructor({ history, clock, log }: { history: HistoryAccess; clock: Clock; log: Log }) {
    this.#history = history
    this.#clock = clock
    this.#log = log
  }

  /** What the history now in use knows; what cannot be read is logged and missing. */
  async recall(id: IndexId): Promise<RememberedParts> {
    const atMs = this.#clock.wallMs()
    const found: RememberedParts = { remembered: {} }
    const answers = await Promise.all(parts.map((kind) => this.#history.query('snapshotAt', { kind, id, atMs })))
    for (const answer of answers) {
      if (!answer.ok || answer.value === null) continue
      const { kind, document, learnedAtMs } = answer.value
      const read = v.safeParse(schemas[kind], parseJson(document))
      if (read.success) {
        Object.assign(found, { [kind]: read.output })
        found.remembered[kind] = learnedAtMs
      } else this.#log.warn('A part of an index page could not be read from the history', { id, part: kind })
    }
    return found
  }

  /** The constituents at the last close before `nowMs`, where this computer has them of shortly before. */
  async closing(id: IndexId, nowMs: number): Promise<ConstituentsPublication | undefined> {
    const closeMs = lastMidnight(nowMs)
    const found = await this.#history.query('snapshotAt', { kind: 'constituents', id, atMs: closeMs })
    if (!found.ok || found.value === null || closeMs - found.value.publishedAtMs > maxClosingDistanceMs)
      return undefined
    const read = v.safeParse(constituentsSchema, parseJson(found.value.document))
    return read.success ? withoutExchanges(read.output) : undefined
  }

  noteDetail(id: IndexId, detail: IndexDetail): void {
    this.#note('detail', id, this.#clock.wallMs(), detail, JSON.stringify(detail))
  }

  noteConstituents(id: IndexId, publication: ConstituentsPublication): void {
    const members = publication.constituents.map(({ constituent }) => constituent).sort()
    const essence = [publication.divisor ?? '', ...members].join('\n')
    this.#note('constituents', id, publication.publishedAtMs, publication, essence, spacingMs)
  }

  noteConditions(id: IndexId, conditions: MarketConditions): void {
    this.#note('conditions', id, conditions.publishedAtMs, conditions, '', conditionsSpacingMs)
  }

  /** What REST has of the time before. */
  notePastConditions(id: IndexId, past: readonly MarketConditions[]): void {
    if (past.length === 0) return
    const learnedAtMs = this.#clock.wallMs()
    void this.#history.commit({
      snapshots: past.map((each) => ({
        kind: 'conditions',
        id,
        publishedAtMs: each.publishedAtMs,
        learnedAtMs,
        document: JSON.stringify(each),
      })),
    })
  }

  /** What the history now in use knows of the time from `fromMs` to `toMs`, newest first; what cannot be read is missing. */
  async pastConditions(id: IndexId, range: TimeRange): Promise<MarketConditions[]> {
    const answer = await this.#history.query('snapshotSamples', { kind: 'conditions', id, ...range, stepMs: 1 })
    if (!answer.ok) return []
    const read = answer.value.map(({ document }) => v.safeParse(conditionsSchema, parseJson(document)))
    return read.flatMap(({ success, output }) => (success ? [output] : []))
  }

  noteCorporateAction(id: IndexId, { publishedAtMs, action }: CorporateActionState): void {
    this.#note('corporateAction', id, publishedAtMs, action, JSON.stringify(action?.facts))
  }

  /** Another history is in use, which has nothing of what the one before was given. */
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
    const atMs = this.#clock.monotonicMs()
    const kept = this.#kept.get(key)
    if (kept?.essence === essence && atMs - kept.atMs < againAfterMs) return
    this.#kept.set(key, { essence, atMs })
    const document = JSON.stringify(content)
    void this.#history.commit({
      snapshots: [{ kind, id, publishedAtMs, learnedAtMs: this.#clock.wallMs(), document }],
    })
  }
}
