import type { OpenedIndex } from '../../protocol/desktop'
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
} from '../../protocol/model'
import type { Clock } from '../base/clock'
import { isFarFuture } from '../base/far-future'
import { compareVersions } from '../base/version-order'

/** Who answers questions about an index: the service in use. */
export interface IndexSource {
  detail(id: IndexId): Promise<Outcome<IndexDetail>>
  summary(id: IndexId): Promise<Outcome<IndexSummary>>
}

interface Options {
  clock: Clock
  /** `undefined` while the service in use has no REST interface, or there is none. */
  source: () => IndexSource | undefined
  /** What the user set changes of an index's constituents to be counted from. */
  baseOf?: (id: IndexId) => OpenedIndex['base']
  /** Another page is open, or none. */
  onIdChange: () => void
  /** The page is to be told anew; not called when it is closed. */
  onChange: (opened: OpenedIndex) => void
}

type Part = OpenedIndex['problems'][number]['part']

/** Least time between two tellings of what changes with every calculation. */
const spacingMs = 1_000

/**
 * Owner of the index page that is open: what the service has told of its index, part by part. The first news of a part
 * and every problem is told at once, all else at most once a second. What is older than what is shown changes nothing.
 */
export class IndexPage {
  readonly #options: Options
  #opened: Omit<OpenedIndex, 'problems'> | undefined
  readonly #problems = new Map<Part, string>()
  #corporateActionAtMs = Number.NEGATIVE_INFINITY
  /** Answers to an earlier question than the last are not heard. */
  #questions = 0
  #toldAtMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
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
      problems: [...this.#problems].map(([part, message]) => ({ part, message })),
    }
  }

  /** Opens the page of an index, in place of the one that is open; the page of the same index stays as it is. */
  open(id: IndexId): void {
    if (id === this.id) return
    this.#begin(id)
    this.#options.onIdChange()
    this.#tell()
    this.#ask()
  }

  close(): void {
    if (this.#opened === undefined) return
    this.dispose()
    this.#options.onIdChange()
  }

  /** Another service answers from now on: nothing of the one before is kept. */
  serviceChanged(): void {
    if (this.id !== undefined) this.#begin(this.id)
  }

  /** The stream is live: everything has been asked for anew, refusals are void, and what REST tells may be old. */
  connected(): void {
    if (this.#opened === undefined) return
    this.#problems.clear()
    this.#tell()
    this.#ask()
  }

  /** Another base holds for this index, or none. */
  baseChanged(id: IndexId): void {
    if (id === this.id) this.#tell()
  }

  /** `leftOut` counts constituents beyond those that are read. */
  constituentsPublished(event: { id: IndexId; publication: ConstituentsPublication; leftOut: number }): void {
    const { id, publication, leftOut } = event
    if (this.#opened?.id !== id || !this.#isNews(publication, this.#opened.constituents)) return
    const isFirst = this.#opened.constituents === undefined
    this.#opened.constituents = publication
    this.#opened.firstConstituents ??= publication
    this.#problems.delete('constituents')
    if (leftOut > 0) {
      const shown = publication.constituents.length
      this.#problems.set('constituents', `The first ${shown} constituents are shown; ${leftOut} more are not.`)
    }
    this.#changed(isFirst)
  }

  conditionsPublished({ id, publication }: { id: IndexId; publication: MarketConditions }): void {
    if (this.#opened?.id !== id || !this.#isNews(publication, this.#opened.conditions)) return
    const isFirst = this.#opened.conditions === undefined
    this.#opened.conditions = publication
    this.#problems.delete('rti_stats')
    this.#changed(isFirst)
  }

  /** `action` is null while none is active. */
  corporateActionPublished(event: { id: IndexId; publishedAtMs: number; action: CorporateAction | null }): void {
    if (this.#opened?.id !== event.id || event.publishedAtMs < this.#corporateActionAtMs) return
    if (isFarFuture(event, this.#options.clock.wallMs())) return
    const isFirst = this.#opened.corporateAction === undefined
    this.#corporateActionAtMs = event.publishedAtMs
    this.#opened.corporateAction = event.action
    this.#problems.delete('active_corporate_action')
    this.#changed(isFirst)
  }

  refused({ stream, id, reason }: { stream: Stream; id: IndexId; reason: string }): void {
    if (this.#opened?.id !== id) return
    this.#problems.set(stream, reason)
    this.#tell()
  }

  dispose(): void {
    this.#questions++
    this.#cancelTelling()
    this.#opened = undefined
  }

  #begin(id: IndexId): void {
    this.dispose()
    this.#opened = { id }
    this.#problems.clear()
    this.#corporateActionAtMs = Number.NEGATIVE_INFINITY
  }

  #ask(): void {
    const source = this.#options.source()
    const { id } = this
    if (id === undefined || source === undefined) return
    this.#questions++
    void this.#answer('detail', source.detail(id), (detail) => ({ detail }))
    void this.#answer('summary', source.summary(id), (summary) => ({ summary }))
  }

  async #answer<T>(
    part: 'detail' | 'summary',
    question: Promise<Outcome<T>>,
    told: (value: T) => Partial<OpenedIndex>,
  ): Promise<void> {
    const asked = this.#questions
    const answer = await question
    if (asked !== this.#questions || this.#opened === undefined) return
    if (answer.ok) {
      Object.assign(this.#opened, told(answer.value))
      this.#problems.delete(part)
    } else this.#problems.set(part, answer.problem.message)
    this.#tell()
  }

  #isNews(next: Publication, held: Publication | undefined): boolean {
    if (isFarFuture(next, this.#options.clock.wallMs())) return false
    return held === undefined || compareVersions(next, held) >= 0
  }

  #changed(isFirst: boolean): void {
    const waitMs = this.#toldAtMs + spacingMs - this.#options.clock.monotonicMs()
    if (isFirst || waitMs <= 0) this.#tell()
    else {
      this.#cancel ??= this.#options.clock.after(waitMs, () => {
        this.#tell()
      })
    }
  }

  #tell(): void {
    this.#cancelTelling()
    this.#toldAtMs = this.#options.clock.monotonicMs()
    const opened = this.view()
    if (opened !== undefined) this.#options.onChange(opened)
  }

  #cancelTelling(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
