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

/** The service that answers for an index. */
export interface IndexSource {
  detail(id: IndexId): Promise<Outcome<IndexDetail>>
  summary(id: IndexId): Promise<Outcome<IndexSummary>>
  /** Oldest first. */
  conditions(id: IndexId): Promise<Outcome<MarketConditions[]>>
  /** The newest; `undefined` where there is none. */
  corporateAction(id: IndexId): Promise<Outcome<CorporateActionState | undefined>>
}

interface Options {
  clock: Clock
  /** `undefined` while the service in use has no REST interface, or there is none. */
  source: () => IndexSource | undefined
  /** Whether the provider has refused the key of this index, or may still refuse it. */
  isKeyInDoubt?: (id: IndexId) => boolean
  /** What the page showed before, until the service sends it. */
  memory: PageMemory
  /** What the user set changes of an index's constituents to be counted from. */
  baseOf?: (id: IndexId) => OpenedIndex['base']
  /** Another page is open, or none. */
  onIdChange: () => void
  /** There is news to show; not called when the page is closed. */
  onChange: (opened: OpenedIndex) => void
}

type Part = OpenedIndex['problems'][number]['part']

/** How often what changes with every calculation is shown. */
const spacingMs = 1_000

/**
 * Owner of the index page that is open: what the service has sent about its index, part by part. The first news of a
 * part and every problem is shown at once, all else at most once a second. What is older than what is shown changes
 * nothing.
 */
export class IndexPage {
  readonly #options: Options
  #opened: Omit<OpenedIndex, 'problems'> | undefined
  /** The page opened by itself. */
  #isPreview = false
  readonly #problems = new Map<Part, string>()
  #history = new ConditionsHistory()
  #corporateActionAtMs = Number.NEGATIVE_INFINITY
  /** Responses to an earlier question than the last are dropped. */
  #questions = 0
  readonly #news: Throttle
  /** Of which day the close was asked for. */
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

  /** The index whose page is open. */
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

  /** Whether the page of this index opened by itself and asks for nothing before its key is accepted. */
  isWaiting(id: IndexId): boolean {
    return id === this.id && this.#isPreview && this.#options.isKeyInDoubt?.(id) === true
  }

  /** Opens an index page in place of the one that is open; that of the same index stays as it is. */
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

  /** Another service answers from now on: nothing of the one before is kept. */
  serviceChanged(): void {
    this.#options.memory.forget()
    if (this.id !== undefined) this.#begin(this.id)
  }

  /** The stream is live: everything has been asked for again, refusals are void, and what REST said may be old. */
  connected(): void {
    if (this.#opened === undefined) return
    this.#problems.clear()
    this.#news.runNow()
    this.#ask()
  }

  /** Another base holds for this index, or none. */
  baseChanged(id: IndexId): void {
    if (id === this.id) this.#news.runNow()
  }

  /** `leftOut` counts constituents beyond those that are read. */
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

  /** `action` is null while none is active. */
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
    this.#questions++
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

  /** Shows what the history knows of parts that the service has not sent meanwhile. */
  async #recall(id: IndexId): Promise<void> {
    const opened = this.#opened
    void this.#recallClosing(this.#options.clock.serviceMs())
    const { remembered, ...parts } = await this.#options.memory.recall(id)
    if (opened === undefined || this.#opened !== opened) return
    for (const part of Object.keys(remembered) as RememberedPart[]) {
      if (opened[part] !== undefined) continue
      Object.assign(opened, { [part]: parts[part] })
      opened.remembered = { ...opened.remembered, [part]: remembered[part] }
      if (part === 'constituents' && parts.constituents) opened.firstConstituents = parts.constituents
    }
    if (opened.remembered !== undefined) this.#news.runNow()
    const toMs = parts.conditions?.publishedAtMs
    if (toMs !== undefined) await this.#recallConditions(id, toMs)
  }

  async #recallConditions(id: IndexId, toMs: number): Promise<void> {
    const history = this.#history
    const past = await this.#options.memory.pastConditions(id, { fromMs: toMs - conditionsHistoryMs, toMs })
    if (this.#history === history && history.add(past).length > 0) this.#news.runNow()
  }

  /** Changes since the close count from what the history has of it; with the day it is another one. */
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

  /** The service has sent this part; answers whether for the first time since the page was opened. */
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
    const question = ++this.#questions
    void source.detail(id).then((response) => {
      if (question !== this.#questions) return
      this.#take('detail', response)
      if (response.ok) this.#options.memory.noteDetail(id, response.value)
      if (response.ok && isRealTime(response.value.maxResolution)) this.#askForStatistics(source, id)
    })
    void source.summary(id).then((response) => {
      if (question === this.#questions) this.#take('summary', response)
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

  /** The stream may be slow to send these. What it refused is not shown by another way. */
  #askForStatistics(source: IndexSource, id: IndexId): void {
    const question = this.#questions
    const isOver = (stream: Stream) => question !== this.#questions || this.#problems.has(stream)
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
 * What an open index page asks the stream for. Corporate actions and market conditions exist for real-time indices alone
 * (spec 4.1, wire facts 1.3) and are asked for once it is known that the index is one. Whether it has them the service
 * says: by a message or by a refusal.
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
