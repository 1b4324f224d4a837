import type { AlertRule } from '../../core/alerts'
import { done, type Outcome } from '../../core/model'
import type { Owners } from '../access/latest'
import { standInOf } from '../base/stand-in'
import type { Core } from './feature'

interface Options extends Pick<Owners, 'alerts' | 'quotes'>, Pick<Core, 'clock' | 'log'> {
  /** The alerts of the desk. Undefined while they are not known. */
  rules: () => AlertRule[] | undefined
}

const retryMs = 5_000

/**
 * Judges the alerts of a desk on this computer until a watcher returns. It lasts over a restart, because the rules are
 * stored with the user's.
 */
export class DeskStandIn {
  readonly #options: Options
  #changing: Promise<Outcome<null>> = Promise.resolve(done)
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get isOn(): boolean {
    return this.#options.alerts.standIns().length > 0
  }

  /** Judges all alerts of the desk from now on. */
  start(): Promise<Outcome<null>> {
    return this.#change(() => this.#follow())
  }

  /** Call when the alerts of the desk have changed. */
  rulesChanged(): void {
    if (this.isOn) void this.#change(() => (this.isOn ? this.#follow() : Promise.resolve(done)))
  }

  /** Tries again until it is done. */
  stop(): Promise<Outcome<null>> {
    this.#cancelRetry?.()
    return this.#change(async () => {
      const stopped = await this.#keep(new Set())
      if (!stopped.ok) this.#cancelRetry = this.#options.clock.after(retryMs, () => void this.stop())
      return stopped
    })
  }

  async dispose(): Promise<void> {
    this.#cancelRetry?.()
    await this.#changing
  }

  #change(run: () => Promise<Outcome<null>>): Promise<Outcome<null>> {
    this.#changing = this.#changing.then(run)
    return this.#changing
  }

  async #follow(): Promise<Outcome<null>> {
    const { alerts, quotes, rules } = this.#options
    const wanted = rules()
    if (wanted === undefined) return done
    const own = wanted.flatMap((rule) => standInOf(rule) ?? [])
    for (const rule of own) {
      const adopted = await alerts.adopt(rule, quotes.store.get(rule.indexId))
      if (!adopted.ok) return adopted
    }
    return this.#keep(new Set(own.map(({ id }) => id)))
  }

  /** Removes all others. */
  async #keep(ids: ReadonlySet<string>): Promise<Outcome<null>> {
    const { alerts, log } = this.#options
    for (const { id } of alerts.standIns().filter((rule) => !ids.has(rule.id))) {
      const removed = await alerts.remove(id)
      if (removed.ok) continue
      log.warn('An alert of the desk is still judged here', { problem: removed.problem.message })
      return removed
    }
    return done
  }
}
