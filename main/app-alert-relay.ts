import type { AlertEvent } from '../protocol/alert-events'
import type { AlertRule, AlertView } from '../protocol/alerts'
import type { AlertEngine } from './alerts/engine'
import type { Clock } from './base/clock'
import { isSameList } from './base/same-list'
import type { Batcher } from './ipc/batcher'

interface Source {
  clock: Clock
  alerts: Pick<AlertEngine, 'views' | 'inbox' | 'unreadCount' | 'snoozes' | 'listening'>
}

/** Least time between two pushes: of 2,000 rules each is half a megabyte. */
const spacingMs = 250
/** What rules compare, and how long they have held, moves with every value. */
const lookSpacingMs = 1_000

/**
 * What a change of the alerts is to others. The window is told at once, then at most four times a second, and only while
 * it is watched; rules and events travel only when there are others than before. The service is asked for something else
 * only when other rules listen.
 */
export class AlertRelay {
  readonly #source: Source
  readonly #window: Pick<Batcher, 'stateChanged'>
  readonly #onWanted: () => void
  #isWatched = false
  #alerts: readonly AlertView[] = []
  #inbox: readonly AlertEvent[] = []
  #listening: readonly AlertRule[] = []
  #pushedAtMs = Number.NEGATIVE_INFINITY
  #cancelPush: (() => void) | undefined
  #cancelLook: (() => void) | undefined

  /** `onWanted`: the rules want something else of the service now. */
  constructor(source: Source, window: Pick<Batcher, 'stateChanged'>, onWanted: () => void) {
    this.#source = source
    this.#window = window
    this.#onWanted = onWanted
  }

  changed(): void {
    const listening = this.#source.alerts.listening()
    const isSame = isSameList(listening, this.#listening)
    this.#listening = listening
    this.#pushSoon()
    if (!isSame) this.#onWanted()
  }

  /** Rules have seen a value: nothing may have happened, and yet they are further on. */
  valueSeen(): void {
    if (!this.#isWatched) return
    this.#cancelLook ??= this.#source.clock.after(lookSpacingMs, () => {
      this.#cancelLook = undefined
      if (!isSameList(this.#source.alerts.views(), this.#alerts)) this.#pushSoon()
    })
  }

  /** Whether anybody sees the window. One that is seen anew asks for all there is by itself. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (!isWatched) this.#stop()
  }

  #pushSoon(): void {
    if (!this.#isWatched || this.#cancelPush !== undefined) return
    const { clock } = this.#source
    const waitMs = this.#pushedAtMs + spacingMs - clock.monotonicMs()
    if (waitMs <= 0) this.#push()
    else {
      this.#cancelPush = clock.after(waitMs, () => {
        this.#push()
      })
    }
  }

  #push(): void {
    const { clock, alerts } = this.#source
    this.#cancelPush = undefined
    this.#pushedAtMs = clock.monotonicMs()
    const before = { alerts: this.#alerts, inbox: this.#inbox }
    const now = { alerts: alerts.views(), inbox: alerts.inbox() }
    this.#alerts = now.alerts
    this.#inbox = now.inbox
    this.#window.stateChanged({
      ...(!isSameList(now.alerts, before.alerts) && { alerts: now.alerts }),
      ...(!isSameList(now.inbox, before.inbox) && { inbox: now.inbox }),
      unreadCount: alerts.unreadCount(),
      snoozes: alerts.snoozes(),
    })
  }

  #stop(): void {
    this.#cancelPush?.()
    this.#cancelLook?.()
    this.#cancelPush = undefined
    this.#cancelLook = undefined
  }
}
