import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SpreadsheetsView } from '../../protocol/desktop'
import type { ExportRequest } from '../../protocol/history'
import type { Outcome, Settings } from '../../core/model'
import { CallLimit } from '../base/call-limit'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Turns } from '../base/turns'
import {
  freeLoopbackPort,
  listenOnLoopback,
  refusal,
  type Listening,
  type LoopbackAnswer,
  type LoopbackRequest,
} from './loopback-server'
import { tableOf, type KnownToTables } from './spreadsheet-tables'

type Wanted = Pick<Settings, 'allowsSpreadsheets' | 'spreadsheetPort'>

interface Options {
  clock: Clock
  /** What tables are made from, as of now. */
  known: () => KnownToTables
  /** Values from the history, as an export has them. */
  history: (request: ExportRequest) => Promise<Outcome<Buffer>>
  /** What is kept of the token; absent until one is made. */
  tokenHash: () => string | undefined
  /** Keeps it, in the place of what was kept before. */
  keepHash: (hash: string) => Promise<void>
  /** Has this taken out of everything that is written down. */
  hide: (token: string) => void
  /** Takes the secrets out of a text. */
  redact: (text: string) => string
  onError: (error: unknown) => void
}

interface SpreadsheetEvents {
  changed: SpreadsheetsView
}

/** In ten seconds, by whoever has another token or none; they take nothing from who has the right one. */
const maxWrongRequests = 20
/** Readings of the history that wait for one another. */
const maxHistoryWaiting = 4
const tokenBytes = 32

const statusOf: Partial<Record<string, LoopbackAnswer['status']>> = {
  notFound: 404,
  noValues: 404,
  tooLarge: 413,
  notReady: 503,
}

/** Owner of what spreadsheets on this computer may read: listens while the user wants that, and answers who has the token. */
export class SpreadsheetAccess {
  readonly events: Emitter<SpreadsheetEvents>
  readonly #options: Options
  readonly #limit: CallLimit
  readonly #wrongLimit: CallLimit
  #wanted: Wanted = { allowsSpreadsheets: false, spreadsheetPort: 0 }
  #listening: Listening | undefined
  /** The port that the user wanted when it was last tried. */
  #triedPort: number | undefined
  #problem: Pick<SpreadsheetsView, 'problem' | 'freePort'> = {}
  readonly #switches = new Turns()
  /** One reading of the history at a time. */
  readonly #readings = new Turns()
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

  /** What the user wants now. Turned off, every request ends at once. Done when it is so. */
  turn(wanted: Wanted): Promise<void> {
    this.#wanted = wanted
    this.#closeUnlessWanted()
    return this.#switches.run(() => this.#apply())
  }

  /** A token in the place of the one before. It is answered once and kept nowhere. */
  async makeToken(): Promise<string> {
    const token = randomBytes(tokenBytes).toString('base64url')
    this.#options.hide(token)
    await this.#options.keepHash(hashOf(token))
    this.events.emit('changed', this.view)
    return token
  }

  dispose(): void {
    void this.turn({ ...this.#wanted, allowsSpreadsheets: false })
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
    // Turned off, or to another port, while it was being opened.
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
    const table = tableOf(path, query, this.#options.known())
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

  /** In the same time whatever the token: hashes are compared, all of both. */
  #isRight(token: string): boolean {
    const hash = this.#options.tokenHash()
    if (hash === undefined) return false
    const [given, kept] = [Buffer.from(hashOf(token)), Buffer.from(hash)]
    return given.length === kept.length && timingSafeEqual(given, kept)
  }
}

/** What of a token is kept. It is made of 32 random bytes: nobody finds it from this. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
