import type { AwayReport } from '../../protocol/away'
import type { Api } from './api'
import type { WindowState } from '../../protocol/desktop'

/** The report of the last absence. Fetched again whenever it changes, one request at a time. */
export class AwayNews {
  readonly #api: Pick<Api, 'getAwayReport'>
  /** Undefined if there is nothing to report. */
  report = $state.raw<AwayReport>()
  #wanted = ''
  #isFetching = false

  constructor(api: Pick<Api, 'getAwayReport'>) {
    this.#api = api
  }

  follow({ away, inbox }: Pick<WindowState, 'away' | 'inbox'>): void {
    // A late event about the absence changes the report. An event about a later value does not.
    const about = away && inbox.find(({ inputs }) => (inputs.publishedAtMs ?? Infinity) <= away.toMs)
    const wanted = away === null ? '' : `${away.toMs} ${away.version} ${about?.number ?? 0}`
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    if (away === null) this.report = undefined
    else if (!this.#isFetching) void this.#fetch()
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true
    let fetched = ''
    while (this.#wanted !== '' && this.#wanted !== fetched) {
      fetched = this.#wanted
      const answer = await this.#api.getAwayReport({})
      // After a refusal, the report on screen stays.
      if (answer.ok && this.#wanted !== '') this.report = answer.value ?? undefined
    }
    this.#isFetching = false
  }
}
