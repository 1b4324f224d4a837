import { join } from 'node:path'
import type { IndexId } from '../protocol/model'
import type { ChangeBase } from '../protocol/preferences'
import { ClockWatch } from './app-clock-watch'
import type { Clock } from './base/clock'
import type { JsonRead } from './base/json-file'
import type { Log } from './base/log'
import { History } from './quotes/history'
import { QuoteCache, isQuoteCache } from './quotes/quote-cache'
import { QuoteStore } from './quotes/quote-store'
import { AtomicJsonFile } from './storage/atomic-file'

/** Values of the demo service are made up: they never stand in for those of a real one, nor the other way round. */
export type ValueKind = 'demo' | 'real'

const fileNames: Record<ValueKind, string> = { demo: 'quotes-demo.json', real: 'quotes.json' }
const mostBytes = 8 * 2 ** 20

/** The values of the service in use: the latest, their short past, and what is kept of them on the disk. */
export class Values {
  readonly store: QuoteStore
  readonly history: History
  readonly #folder: string
  readonly #clock: Clock
  readonly #log: Log
  #kind: ValueKind | undefined
  #cache: QuoteCache | undefined

  constructor(options: {
    folder: string
    clock: Clock
    log: Log
    changeBase: () => ChangeBase
    onError: (error: unknown) => void
  }) {
    const { folder, clock, log, changeBase, onError } = options
    this.#folder = folder
    this.#clock = clock
    this.#log = log
    this.store = new QuoteStore({ clock, onError })
    this.history = new History({ clock, changeBase })
  }

  /**
   * Another service is about to answer. Values of the same kind stay, as cached ones; those of the other kind make room
   * for what an earlier run kept. Answers what reading the file gave, where one was read.
   */
  async use(kind: ValueKind): Promise<{ file: string; read: JsonRead['kind'] } | undefined> {
    await this.flush()
    const held = this.store.all()
    for (const { id } of held) this.forget(id)
    if (kind === this.#kind) {
      this.store.seed(held)
      return undefined
    }
    const file = fileNames[kind]
    const path = join(this.#folder, file)
    this.#kind = kind
    this.#cache = new QuoteCache({
      file: new AtomicJsonFile({ path, clock: this.#clock, maxBytes: mostBytes, accepts: isQuoteCache }),
      clock: this.#clock,
      log: this.#log,
      latest: () => this.store.all(),
    })
    const { quotes, read } = await this.#cache.load()
    // Yet another service has been chosen meanwhile.
    if (kind !== this.#kind) return undefined
    this.store.seed(quotes)
    return { file, read }
  }

  /** Tells when the machine's clock keeps values out. */
  watchClock(tell: (message: string) => void): void {
    const watch = new ClockWatch(tell)
    this.store.events.on('changed', () => {
      watch.accepted()
    })
    this.store.events.on('refused', ({ id }) => {
      this.#log.warn('A value from the future was left out', { id })
      watch.refused()
    })
  }

  /** A value was received. */
  noteChange(): void {
    this.#cache?.noteChange()
  }

  /** Another service answers for these from now on: their values stay as cached ones. */
  demote(ids: readonly IndexId[]): void {
    const held = ids.flatMap((id) => this.store.get(id) ?? [])
    for (const id of ids) this.forget(id)
    this.store.seed(held)
  }

  forget(id: IndexId): void {
    this.store.forget(id)
    this.history.forget(id)
  }

  async flush(): Promise<void> {
    await this.#cache?.flush()
  }
}
