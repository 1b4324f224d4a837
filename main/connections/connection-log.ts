import { stateWords } from '../../core/connection-words'
import type { ConnectionView, Diagnostics } from '../../protocol/responses'
import type { Clock } from '../base/clock'
import { Ring } from '../base/log'

const maxEntries = 200

/** The last two hundred status changes of all connections. */
export class ConnectionLog {
  readonly #clock: Clock
  readonly #entries = new Ring<Diagnostics['connectionLog'][number]>(maxEntries)
  #last = new Map<string, { name: string; text: string }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records what has changed since the last call. */
  note(views: readonly ConnectionView[]): void {
    const now = new Map(views.map((view) => [view.id, { name: view.name, text: textOf(view) }]))
    for (const [id, { name }] of this.#last) if (!now.has(id)) this.#write(name, 'No longer in use')
    for (const [id, { name, text }] of now) if (this.#last.get(id)?.text !== text) this.#write(name, text)
    this.#last = now
  }

  /** Oldest first. */
  entries(): Diagnostics['connectionLog'] {
    return this.#entries.all()
  }

  #write(connection: string, text: string): void {
    this.#entries.add({ atMs: this.#clock.wallMs(), connection, text })
  }
}

function textOf({ state, problem }: ConnectionView): string {
  return problem === undefined ? stateWords[state] : `${stateWords[state]}. ${problem}`
}
