import { notJudgedOf, type Judging as JudgingView, type NotJudged } from '../../protocol/judging'
import type { Judging } from '../alerts/judging'
import type { Clock } from '../base/clock'
import { timeText } from '../base/user-time'
import type { NotificationText } from '../desktop/notification-text'

interface Options {
  clock: Clock
  judging: Pick<Judging, 'view' | 'events'>
  timeZone: () => string
  /** Shows a notification on the desktop, visible without a window. */
  announce: (text: NotificationText) => void
  /** Shows a message in the window. */
  notice: (message: string) => void
}

/** A shorter outage is not reported. Nothing is lost in it, because its values are evaluated later. */
const sayAfterMs = 3_000

/**
 * Notifies once for each reason why alerts are not checked, and once when they are checked again, with the time in
 * between.
 */
export class JudgingNotices {
  readonly #options: Options
  /** The last reported fault. Undefined while alerts are checked. */
  #said: NotJudged | undefined
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    options.judging.events.on('changed', (view) => this.#changed(view))
  }

  dispose(): void {
    this.#cancel?.()
  }

  #changed(view: JudgingView): void {
    const fault = notJudgedOf(view)
    if (fault !== undefined) {
      if (fault.reason === this.#said?.reason || this.#cancel !== undefined) return
      this.#cancel = this.#options.clock.after(sayAfterMs, () => {
        this.#cancel = undefined
        this.#say()
      })
    } else if (view.state === 'judged') {
      this.#cancel?.()
      this.#cancel = undefined
      if (this.#said !== undefined) this.#sayOver(this.#said)
      this.#said = undefined
    }
  }

  #say(): void {
    const fault = notJudgedOf(this.#options.judging.view)
    if (fault === undefined || fault.reason === this.#said?.reason) return
    this.#said = fault
    this.#options.announce({ title: fault.words, body: fault.remedy })
  }

  #sayOver({ state, sinceMs }: NotJudged): void {
    const { clock, timeZone, announce, notice } = this.#options
    const nowMs = clock.wallMs()
    const [from, to] = [sinceMs, nowMs].map((ms) => timeText(ms, nowMs, { timeZone: timeZone() }))
    const isOver = state === 'off' ? 'Alerts are on again' : 'Alerts are recorded again'
    const was =
      state === 'off'
        ? `Indexwatch checked no alerts from ${from} to ${to}. It is now fetching those values and checking your alerts.`
        : `From ${from} to ${to} events were kept in memory only. They are recorded now.`
    announce({ title: isOver, body: was })
    notice(`${isOver}. ${was}`)
  }
}
