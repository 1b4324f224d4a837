import type { AwayReport } from '../../protocol/away'
import type { Api } from './api'
import type { WindowState } from '../../protocol/desktop'

/** What the last absence has brought, asked for again as more is learned of it; one question at a time. */
export class AwayNews {
  readonly #api: Pick<Api, 'getAwayReport'>
  /** Absent where there is nothing to say. */
  report = $state.raw<AwayReport>()
  #wanted = ''
  #isAsking = false

  constructor(api: Pick<Api, 'getAwayReport'>) {
    this.#api = api
  }

  follow({ away, inbox }: Pick<WindowState, 'away' | 'inbox'>): void {
    // What is found in history comes as events, also after the return; what fires from then on is no part of it.
    const about = away && inbox.find(({ inputs }) => (inputs.publishedAtMs ?? Infinity) <= away.toMs)
    const wanted = away === null ? '' : `${away.toMs} ${away.version} ${about?.number ?? 0}`
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    if (away === null) this.report = undefined
    else if (!this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    let asked = ''
    while (this.#wanted !== '' && this.#wanted !== asked) {
      asked = this.#wanted
      const answer = await this.#api.getAwayReport({})
      // What cannot be read is not guessed; what is shown stays until more is known, or it is dismissed.
      if (answer.ok && this.#wanted !== '') this.report = answer.value ?? undefined
    }
    this.#isAsking = false
  }
}
