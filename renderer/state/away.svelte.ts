import type { AwayReport } from '../../protocol/away'
import type { DesktopApi } from '../../protocol/commands/contract'
import type { WindowState } from '../../protocol/desktop'
import { fromJson } from '../../protocol/json'
import { settled } from './settled'

/** What the last absence has brought, asked for again as more is learned of it. */
export class AwayNews {
  readonly #api: Pick<DesktopApi, 'getAwayReport'>
  #report = $state.raw<AwayReport>()
  #asked = ''

  constructor(api: Pick<DesktopApi, 'getAwayReport'>) {
    this.#api = api
  }

  /** Absent where there is nothing to say. */
  get report(): AwayReport | undefined {
    return this.#report
  }

  follow({ away, inbox }: Pick<WindowState, 'away' | 'inbox'>): void {
    // What is found in history comes as events, also after the return.
    const asked = away === null ? '' : `${away.toMs} ${away.version} ${inbox[0]?.number ?? 0}`
    if (asked === this.#asked) return
    this.#asked = asked
    if (away === null) this.#report = undefined
    else void this.#ask(asked)
  }

  async #ask(asked: string): Promise<void> {
    const answer = await settled(this.#api.getAwayReport({}))
    // What cannot be read is not guessed; what is shown stays until more is known.
    if (asked !== this.#asked || !answer.ok) return
    this.#report = answer.value === null ? undefined : fromJson(answer.value)
  }
}
