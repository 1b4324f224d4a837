import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SpreadsheetsView } from '../../protocol/desktop'
import type { ExportRequest } from '../../protocol/history'
import type { Outcome, Settings } from '../../core/model'
import { CallLimit } from '../base/call-limit'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { SerialTasks } from '../base/serial-tasks'
import {
  freeLoopbackPort,
  listenOnLoopback,
  refusal,
  type Listening,
  type LoopbackAnswer,
  type LoopbackRequest,
} from './loopback-server'
import { tableOf, type TableData } from './spreadsheet-tables'

type Wanted = Pick<Settings, 'allowsSpreadsheets' | 'spreadsheetPort'>

interface Options {
  clock: Clock
  /** Current data for the tables. */
  data: () => TableData
  /** Exports values from the history. */
  history: (request: ExportRequest) => Promise<Outcome<Buffer>>
  /** Hash of the token. Undefined until one is created. */
  tokenHash: () => string | undefined
  /** Stores the hash of a new token. */
  keepHash: (hash: string) => Promise<void>
  /** Adds the token to the secrets removed from logs and errors. */
  hide: (token: string) => void
  /** Removes secrets from a text. */
  redact: (text: string) => string
  onError: (error: unknown) => void
}

interface SpreadsheetEvents {
  changed: SpreadsheetsView
}

/** Requests with a wrong token allowed in ten seconds. They do not count against requests with the right one. */
const maxWrongRequests = 20
/** Largest number of waiting history requests. */
const maxHistoryWaiting = 4
const tokenBytes = 32

const statusOf: Partial<Record<string, LoopbackAnswer['status']>> = {
  notFound: 404,
  noValues: 404,
  tooLarge: 413,
  notReady: 503,
}

/**
 * Serves tables to spreadsheets on this computer. It listens while the user allows it and answers requests with the
 * token.
 */
export class SpreadsheetAccess {
  readonly events: Emitter<SpreadsheetEvents>
  readonly #options: Options
  readonly #limit: CallLimit
  readonly #wrongLimit: CallLimit
  #wanted: Wanted = { allowsSpreadsheets: false, spreadsheetPort: 0 }
  #listening: Listening | undefined
  /** The port of the last attempt to listen. */
  #triedPort: number | undefined
  #problem: Pick<SpreadsheetsView, 'problem' | 'freePort'> = {}
  readonly #switches = new SerialTasks()
  /** One history request at a time. */
  readonly #readings = new SerialTasks()
  #readingCount = 0

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    this.#limit = new CallLimit(options.clock)
    this.#wrongLimit = new CallLimit(options.clock, maxWrongRequests)
  }

  get view(): SpreadsheetsView {
    return { hasToken: this.#options.tokenHash() !== undefined, ...this.#problem }
  }

  /** Applies the user's settings. Turning access off ends all requests immediately. Resolves when applied. */
  setWanted(wanted: Wanted): Promise<void> {
    this.#wanted = wanted
    this.#closeUnlessWanted()
    return this.#switches.run(() => this.#apply())
  }

  /** Creates a token that replaces the previous one. It is returned once and not stored. */
  async makeToken(): Promise<string> {
    const token = randomBytes(tokenBytes).toString('base64url')
    this.#options.hide(token)
    await this.#options.keepHash(hashOf(token))
    this.events.emit('changed', this.view)
    return token
  }

  dispose(): void {
    void this.setWanted({ ...this.#wanted, allowsSpreadsheets: false })
  }

  async #apply(): Promise<void> {
    const { allowsSpreadsheets, spreadsheetPort: port } = this.#wanted
    if (!allowsSpreadsheets) this.#show({})
    if (!allowsSpreadsheets || this.#triedPort === port) return
    this.#triedPort = port
    const { onError } = this.#options
    const listening = await listenOnLoopback({ port, answer: (request) => this.#answer(request), onError })
    if (listening.ok) {
      this.#listening = listening.value
      this.#show({})
    } else {
      const freePort = listening.problem.code === 'inUse' ? await freeLoopbackPort() : undefined
      this.#show({ problem: listening.problem.message, freePort })
    }
    // Access may have been turned off, or moved to another port, while the server started.
    this.#closeUnlessWanted()
  }

  #closeUnlessWanted(): void {
    const { allowsSpreadsheets, spreadsheetPort } = this.#wanted
    if (allowsSpreadsheets && this.#triedPort === spreadsheetPort) return
    this.#listening?.close()
    this.#listening = undefined
    this.#triedPort = undefined
  }

  #show(problem: Pick<SpreadsheetsView, 'problem' | 'freePort'>): void {
    if (JSON.stringify(problem) === JSON.stringify(this.#problem)) return
    this.#problem = problem
    this.events.emit('changed', this.view)
  }

  async #answer({ path, query, bearer }: LoopbackRequest): Promise<LoopbackAnswer> {
    if (!this.#isRight(bearer ?? query.get('token') ?? '')) {
      const admitted = this.#wrongLimit.admit()
      if (!admitted.ok) return refusal(429, 'Too many requests with a wrong token. Wait ten seconds.')
      return refusal(401, 'Wrong token. Create a new token in Indexwatch under Settings, Spreadsheets.')
    }
    const admitted = this.#limit.admit()
    if (!admitted.ok) return refusal(429, admitted.problem.message)
    const table = tableOf(path, query, this.#options.data())
    if (!table.ok) return this.#refused(table.problem)
    if ('csv' in table.value) return { status: 200, type: 'text/csv', body: this.#options.redact(table.value.csv) }
    return this.#readHistory(table.value.history)
  }

  async #readHistory(request: ExportRequest): Promise<LoopbackAnswer> {
    if (this.#readingCount >= maxHistoryWaiting) {
      return refusal(503, 'The history is busy with other requests. Try again in a moment.')
    }
    this.#readingCount++
    try {
      const read = await this.#readings.run(() => this.#options.history(request))
      return read.ok ? { status: 200, type: 'text/csv', body: read.value } : this.#refused(read.problem)
    } finally {
      this.#readingCount--
    }
  }

  #refused({ code, message }: { code: string; message: string }): LoopbackAnswer {
    return refusal(statusOf[code] ?? 400, this.#options.redact(message))
  }

  /** Compares hashes in constant time. */
  #isRight(token: string): boolean {
    const hash = this.#options.tokenHash()
    if (hash === undefined) return false
    const [given, kept] = [Buffer.from(hashOf(token)), Buffer.from(hash)]
    return given.length === kept.length && timingSafeEqual(given, kept)
  }
}

/** The stored hash of a token. The token has 32 random bytes, so it cannot be found from the hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
