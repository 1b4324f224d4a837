import { isRealTime, lastMidnight } from '../../core/cadence'
import type { OpenedIndex, RememberedPart } from '../../protocol/desktop'
import type {
  ConstituentsPublication,
  CorporateAction,
  IndexDetail,
  IndexId,
  IndexSummary,
  MarketConditions,
  Outcome,
  Publication,
  Stream,
  Resolution,
  Subscription,
} from '../../core/model'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import type { CorporateActionState } from '../base/payloads'
import { isFarFuture, compareVersions } from '../../core/publication'
import { ConditionsHistory, conditionsHistoryMs } from './conditions-history'
import type { PageMemory } from './page-memory'

/** The service that provides an index. */
export interface IndexSource {
  detail(id: IndexId): Promise<Outcome<IndexDetail>>
  summary(id: IndexId): Promise<Outcome<IndexSummary>>
  /** Oldest first. */
  conditions(id: IndexId): Promise<Outcome<MarketConditions[]>>
  /** The newest. Undefined if there is none. */
  corporateAction(id: IndexId): Promise<Outcome<CorporateActionState | undefined>>
}

interface Options {
  clock: Clock
  /** Undefined if there is no service or it has no REST interface. */
  source: () => IndexSource | undefined
  /** True while the provider has refused the key of this index, or has not accepted it yet. */
  isKeyInDoubt?: (id: IndexId) => boolean
  /** The last data of the page, shown until the service sends newer. */
  memory: PageMemory
  /** The baseline that the user set for changes of constituents. */
  baseOf?: (id: IndexId) => OpenedIndex['base']
  /** Reference data was received. */
  onDetail?: (detail: IndexDetail) => void
  /** A page was opened or closed. */
  onIdChange: () => void
  /** The open page has changed. */
  onChange: (opened: OpenedIndex) => void
}

type Part = OpenedIndex['problems'][number]['part']

/** Parts that change with every calculation are shown at this interval. */
const spacingMs = 1_000

/**
 * Owns the open index page: the data of its index, part by part. The first data of a part and every problem are shown
 * immediately, other changes at most once a second. Older data is ignored.
 */
export class IndexPage {
  readonly #options: Options
  #opened: Omit<OpenedIndex, 'problems'> | undefined
  /** The page was opened without the user, as a preview. */
  #isPreview = false
  readonly #problems = new Map<Part, string>()
  #history = new ConditionsHistory()
  #corporateActionAtMs = Number.NEGATIVE_INFINITY
  /** Number of the newest request. Responses to earlier requests are dropped. */
  #requestCount = 0
  readonly #news: Throttle
  /** The midnight whose constituents were queried. */
  #closeMs: number | undefined

  constructor(options: Options) {
    this.#options = options
    this.#news = new Throttle({
      clock: options.clock,
      spacingMs,
      run: () => {
        const opened = this.view()
        if (opened !== undefined) options.onChange(opened)
      },
    })
  }

  /** The index of the open page. */
  get id(): IndexId | undefined {
    return this.#opened?.id
  }

  view(): OpenedIndex | undefined {
    if (this.#opened === undefined) return undefined
    const base = this.#options.baseOf?.(this.#opened.id)
    return {
      ...this.#opened,
      ...(base === undefined ? {} : { base }),
      ...(this.#history.points.length > 0 && { conditionsHistory: this.#history.points }),
      problems: [...this.#problems].map(([part, message]) => ({ part, message })),
    }
  }

  /** True if the page of this index is a preview that sends no requests until its key is accepted. */
  isWaiting(id: IndexId): boolean {
    return id === this.id && this.#isPreview && this.#options.isKeyInDoubt?.(id) === true
  }

  /** Opens the page of an index. If it is open already, it stays. */
  open(id: IndexId, isPreview = false): void {
    if (id === this.id) {
      const isWanted = !isPreview && this.isWaiting(id)
      this.#isPreview &&= isPreview
      if (isWanted) this.#ask()
      return
    }
    this.#begin(id)
    this.#isPreview = isPreview
    this.#options.onIdChange()
    this.#news.runNow()
    void this.#recall(id)
    this.#ask()
  }

  close(): void {
    if (this.#opened === undefined) return
    this.dispose()
    this.#options.onIdChange()
  }

  /** Another service is in use. All data is dropped. */
  serviceChanged(): void {
    this.#options.memory.forget()
    if (this.id !== undefined) this.#begin(this.id)
  }

  /** The stream is live again. It has resubscribed, so refusals are cleared, and REST data is queried again. */
  connected(): void {
    if (this.#opened === undefined) return
    this.#problems.clear()
    this.#news.runNow()
    this.#ask()
  }

  /** The baseline of an index changed. */
  baseChanged(id: IndexId): void {
    if (id === this.id) this.#news.runNow()
  }

  /** `leftOut` is the number of constituents beyond the limit. */
  constituentsPublished(event: { id: IndexId; publication: ConstituentsPublication; leftOut: number }): void {
    const { id, publication, leftOut } = event
    if (this.#isFarFuture(publication)) return
    this.#options.memory.noteConstituents(id, publication)
    if (this.#opened?.id === id) void this.#recallClosing(publication.publishedAtMs)
    if (this.#opened?.id !== id || !isNews(publication, this.#opened.constituents)) return
    const isFirst = this.#received('constituents')
    this.#opened.constituents = publication
    if (isFirst) this.#opened.firstConstituents = publication
    this.#problems.delete('constituents')
    if (leftOut > 0) {
      const shown = publication.constituents.length
      this.#problems.set('constituents', `Showing the first ${shown} constituents of ${shown + leftOut}.`)
    }
    this.#changed(isFirst)
  }

  conditionsPublished({ id, publication }: { id: IndexId; publication: MarketConditions }): void {
    if (this.#isFarFuture(publication)) return
    this.#options.memory.noteConditions(id, publication)
    if (this.#opened?.id !== id) return
    this.#history.add([publication])
    if (!isNews(publication, this.#opened.conditions)) return
    const isFirst = this.#received('conditions')
    this.#opened.conditions = publication
    this.#problems.delete('rti_stats')
    this.#changed(isFirst)
  }

  /** `action` is null if none is active. */
  corporateActionPublished(event: { id: IndexId; publishedAtMs: number; action: CorporateAction | null }): void {
    if (this.#isFarFuture(event)) return
    this.#options.memory.noteCorporateAction(event.id, event)
    if (this.#opened?.id !== event.id || event.publishedAtMs < this.#corporateActionAtMs) return
    const isFirst = this.#received('corporateAction')
    this.#corporateActionAtMs = event.publishedAtMs
    this.#opened.corporateAction = event.action
    this.#problems.delete('active_corporate_action')
    this.#changed(isFirst)
  }

  refused({ stream, id, reason }: { stream: Stream; id: IndexId; reason: string }): void {
    if (this.#opened?.id !== id) return
    this.#problems.set(stream, reason)
    this.#news.runNow()
  }

  dispose(): void {
    this.#requestCount++
    this.#news.cancel()
    this.#opened = undefined
  }

  #begin(id: IndexId): void {
    this.dispose()
    this.#opened = { id }
    this.#history = new ConditionsHistory()
    this.#problems.clear()
    this.#corporateActionAtMs = Number.NEGATIVE_INFINITY
    this.#closeMs = undefined
  }

  /** Shows the stored parts that the service has not sent yet. */
  async #recall(id: IndexId): Promise<void> {
    const opened = this.#opened
    void this.#recallClosing(this.#options.clock.serviceMs())
    const { memory } = this.#options
    const [{ remembered, ...parts }, wholeRanges] = await Promise.all([memory.recall(id), memory.wholeRanges(id)])
    if (opened === undefined || this.#opened !== opened) return
    if (wholeRanges.length > 0) opened.wholeRanges = wholeRanges
    for (const part of Object.keys(remembered) as RememberedPart[]) {
      if (opened[part] !== undefined) continue
      Object.assign(opened, { [part]: parts[part] })
      opened.remembered = { ...opened.remembered, [part]: remembered[part] }
      if (part === 'constituents' && parts.constituents) opened.firstConstituents = parts.constituents
    }
    if (opened.remembered !== undefined || wholeRanges.length > 0) this.#news.runNow()
    const toMs = parts.conditions?.publishedAtMs
    if (toMs !== undefined) await this.#recallConditions(id, toMs)
  }

  async #recallConditions(id: IndexId, toMs: number): Promise<void> {
    const history = this.#history
    const past = await this.#options.memory.pastConditions(id, { fromMs: toMs - conditionsHistoryMs, toMs })
    if (this.#history === history && history.add(past).length > 0) this.#news.runNow()
  }

  /** Loads the constituents at the last midnight, the baseline of "since 00:00 UTC". It changes with the day. */
  async #recallClosing(nowMs: number): Promise<void> {
    const opened = this.#opened
    const closeMs = lastMidnight(nowMs)
    if (opened === undefined || closeMs === this.#closeMs) return
    this.#closeMs = closeMs
    const closing = await this.#options.memory.closing(opened.id, nowMs)
    if (this.#opened !== opened || this.#closeMs !== closeMs || closing === opened.closing) return
    if (closing === undefined) delete opened.closing
    else opened.closing = closing
    this.#news.request()
  }

  /** Marks a part as received from the service. Returns whether it is the first time since the page was opened. */
  #received(part: RememberedPart): boolean {
    const opened = this.#opened
    if (opened === undefined) return false
    const { [part]: learnedAtMs, ...others } = opened.remembered ?? {}
    const isFirst = opened[part] === undefined || learnedAtMs !== undefined
    if (Object.keys(others).length > 0) opened.remembered = others
    else delete opened.remembered
    return isFirst
  }

  #ask(): void {
    const source = this.#options.source()
    const { id } = this
    if (id === undefined || source === undefined || this.isWaiting(id)) return
    const request = ++this.#requestCount
    void source.detail(id).then((response) => {
      if (request !== this.#requestCount) return
      this.#take('detail', response)
      if (response.ok) {
        this.#options.memory.noteDetail(id, response.value)
        this.#options.onDetail?.(response.value)
      }
      if (response.ok && isRealTime(response.value.maxResolution)) this.#askForStatistics(source, id)
    })
    void source.summary(id).then((response) => {
      if (request === this.#requestCount) this.#take('summary', response)
    })
  }

  #take<P extends 'detail' | 'summary'>(part: P, response: Outcome<NonNullable<OpenedIndex[P]>>): void {
    if (response.ok) {
      if (part === 'detail') this.#received(part)
      Object.assign(this.#opened ?? {}, { [part]: response.value })
      this.#problems.delete(part)
    } else this.#problems.set(part, response.problem.message)
    this.#news.runNow()
  }

  /** Queried by REST because the stream may be slow. What the stream refused is not shown. */
  #askForStatistics(source: IndexSource, id: IndexId): void {
    const request = this.#requestCount
    const isOver = (stream: Stream) => request !== this.#requestCount || this.#problems.has(stream)
    void source.conditions(id).then((response) => {
      const rows = response.ok ? response.value.filter((row) => !this.#isFarFuture(row)) : []
      const newest = rows.at(-1)
      if (isOver('rti_stats') || newest === undefined) return
      this.#options.memory.notePastConditions(id, this.#history.add(rows))
      this.conditionsPublished({ id, publication: newest })
      this.#news.request()
    })
    void source.corporateAction(id).then((response) => {
      if (isOver('active_corporate_action') || !response.ok || response.value === undefined) return
      this.corporateActionPublished({ id, ...response.value })
    })
  }

  #isFarFuture(published: Pick<Publication, 'publishedAtMs'>): boolean {
    return isFarFuture(published, this.#options.clock.serviceMs())
  }

  #changed(isFirst: boolean): void {
    if (isFirst) this.#news.runNow()
    else this.#news.request()
  }
}

/**
 * The subscriptions of an open index page. Corporate actions and market conditions exist only for real-time indices
 * (protocol, 2.8 to 2.10), so they are requested only when the index is known to be one. The service refuses those that
 * an index does not have.
 */
export function pageSubscriptions(id: IndexId, resolution: Resolution | undefined): Subscription[] {
  const always: Subscription[] = [
    { stream: 'value', id, maxResolution: 'PER_SECOND' },
    { stream: 'constituents', id },
  ]
  if (!isRealTime(resolution)) return always
  return [...always, { stream: 'active_corporate_action', id }, { stream: 'rti_stats', id }]
}

function isNews(next: Publication, held: Publication | undefined): boolean {
  return held === undefined || compareVersions(next, held) >= 0
}
