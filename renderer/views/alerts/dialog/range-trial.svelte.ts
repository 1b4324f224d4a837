import type { RangeTest, RangeTestProgress } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import type { Outcome } from '../../../../core/model'
import type { TimeRange } from '../../../../core/ranges'
import type { Page } from '../../../state/page'
import { debounced } from '../../../state/debounced.svelte'
import { typedRange } from '../../../state/typed-times'

const hourMs = 3_600_000
/** `latest`: what the service has of its own, an hour or a year. */
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

/** Typing goes on for as long as keys follow each other faster than this. */
const settleMs = 250
const progressEveryMs = 250

/** A draft tried on a range of the history, again whenever the draft or the range changes. */
export class RangeTrial {
  choice = $state<RangeChoice>('latest')
  from = $state('yesterday')
  to = $state('now')
  /** What is wrong with the range as it is typed, not before it is asked for. */
  rangeProblem = $state('')
  isChecked = $state(false)
  isRunning = $state(false)
  /** Absent until the test has said how far it is. */
  progress = $state.raw<RangeTestProgress>()
  /** Of the draft and range as they stand; `null`: it was cancelled. */
  outcome = $state.raw<Outcome<RangeTest | null>>()
  readonly #page: Page
  readonly #asking = debounced(() => this.#run(), settleMs)
  #draft: AlertDraft | undefined
  #typed: TimeRange | undefined
  /** Counts the tests, so that an answer to an earlier one is left alone. */
  #turn = 0

  constructor(page: Page) {
    this.#page = page
    $effect(() => () => this.#end())
  }

  readonly choose = (choice: string): void => {
    this.choice = choice as RangeChoice
    this.#typed = undefined
    void this.#run()
  }

  /** Tries this draft from now on; absent: none. */
  want(draft: AlertDraft | undefined): void {
    this.#draft = draft
    this.#end()
    this.#asking.soon()
  }

  /** Takes the range as it is typed. */
  readonly take = (): void => {
    this.isChecked = true
    const range = typedRange({ from: this.from, to: this.to }, this.#page.mirror.nowMs)
    this.#typed = range.ok ? range.value : undefined
    // What is wrong with one of the times is said below its field.
    this.rangeProblem = !range.ok && range.problem.code === 'badRange' ? range.problem.message : ''
    void this.#run()
  }

  readonly cancel = (): void => {
    this.#end()
    this.outcome = { ok: true, value: null }
  }

  #end(): void {
    this.#asking.stop()
    this.#turn++
    if (this.isRunning) void this.#page.api.cancelAlertTest({})
    this.isRunning = false
    this.progress = undefined
    this.outcome = undefined
  }

  #range(): TimeRange | undefined {
    if (this.choice === 'latest') return undefined
    if (this.choice === 'custom') return this.#typed
    const toMs = this.#page.mirror.nowMs
    return { fromMs: toMs - spansMs[this.choice], toMs }
  }

  async #run(): Promise<void> {
    this.#end()
    const draft = this.#draft
    const range = this.#range()
    if (draft === undefined || range === undefined) return
    const turn = this.#turn
    this.isRunning = true
    const follow = setInterval(() => void this.#follow(turn), progressEveryMs)
    const outcome = await this.#page.api.testAlert({ draft, ...range })
    clearInterval(follow)
    if (turn !== this.#turn) return
    this.isRunning = false
    this.progress = undefined
    this.outcome = outcome
  }

  async #follow(turn: number): Promise<void> {
    const answer = await this.#page.api.getAlertTestProgress({})
    const progress = answer.ok ? (answer.value ?? undefined) : undefined
    if (turn === this.#turn && this.isRunning) this.progress = progress
  }
}
