import type { ConnectionView, Diagnostics } from '../protocol/answers'
import type { ConnectionState } from '../protocol/model'
import type { Clock } from './base/clock'
import { Ring } from './base/ring'

const mostEntries = 200

const words: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  notAuthorised: 'Not authorised',
}

/** What became of each connection, the last two hundred changes of all together. */
export class ConnectionLog {
  readonly #clock: Clock
  readonly #entries = new Ring<Diagnostics['connectionLog'][number]>(mostEntries)
  #last = new Map<string, { name: string; text: string }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes the connections in use as they are now and writes down what has changed. */
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
  return problem === undefined ? words[state] : `${words[state]}. ${problem}`
}
