import type { RangeTest, RangeTestProgress } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import type { Outcome } from '../../../../core/model'
import type { TimeRange } from '../../../../core/ranges'
import type { Page } from '../../../state/page'
import { debounced } from '../../../state/debounced.svelte'
import { TypedRange } from '../../../state/typed-times.svelte'

const hourMs = 3_600_000
/** `latest` is the preview's range: the last hour, or a year for slower indices. */
export const rangeChoices = {
  latest: 'the latest values',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the last 90 days',
  custom: 'a range…',
}
export type RangeChoice = keyof typeof rangeChoices
const spansMs = { '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs, '90d': 2_160 * hourMs }

/** In ms. The test starts when typing pauses this long. */
const settleMs = 250
const progressEveryMs = 250

/** Tests a draft on a range of the history, again whenever the draft or the range changes. */
export class RangeTrial {
  choice = $state<RangeChoice>('latest')
  readonly typed = new TypedRange()
  isRunning = $state(false)
  /** Undefined until the first report of progress. */
  progress = $state.raw<RangeTestProgress>()
  /** The result for the present draft and range. Null if the test was cancelled. */
  outcome = $state.raw<Outcome<RangeTest | null>>()
  readonly #page: Page
  readonly #debounced = debounced(() => this.#run(), settleMs)
  #draft: AlertDraft | undefined
  #custom: TimeRange | undefined
  /** Counts the tests, so that the answer to an earlier one is ignored. */
  #runs = 0

  constructor(page: Page) {
    this.#page = page
    $effect(() => () => this.#end())
  }

  readonly choose = (choice: string): void => {
    this.choice = choice as RangeChoice
    this.#custom = undefined
    void this.#run()
  }

  /** Tests this draft from now on, or none if undefined. */
  want(draft: AlertDraft | undefined): void {
    this.#draft = draft
    this.#end()
    this.#debounced.soon()
  }

  /** Tests on the typed range. */
  readonly take = (): void => {
    this.#custom = this.typed.read(this.#page.mirror.nowMs)
    void this.#run()
  }

  readonly cancel = (): void => {
    this.#end()
    this.outcome = { ok: true, value: null }
  }

  #end(): void {
    this.#debounced.stop()
    this.#runs++
    if (this.isRunning) void this.#page.api.cancelAlertTest({})
    this.isRunning = false
    this.progress = undefined
    this.outcome = undefined
  }

  #range(): TimeRange | undefined {
    if (this.choice === 'latest') return undefined
    if (this.choice === 'custom') return this.#custom
    const toMs = this.#page.mirror.nowMs
    return { fromMs: toMs - spansMs[this.choice], toMs }
  }

  async #run(): Promise<void> {
    this.#end()
    const draft = this.#draft
    const range = this.#range()
    if (draft === undefined || range === undefined) return
    const run = this.#runs
    this.isRunning = true
    const follow = setInterval(() => void this.#follow(run), progressEveryMs)
    const outcome = await this.#page.api.testAlert({ draft, ...range })
    clearInterval(follow)
    if (run !== this.#runs) return
    this.isRunning = false
    this.progress = undefined
    this.outcome = outcome
  }

  async #follow(run: number): Promise<void> {
    const answer = await this.#page.api.getAlertTestProgress({})
    const progress = answer.ok ? (answer.value ?? undefined) : undefined
    if (run === this.#runs && this.isRunning) this.progress = progress
  }
}
