import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SavedDesk } from '../../../core/model'
import { AppBench, connectionVariables } from '../../../test/support/app-bench'
import { addressOf, serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService, successBody } from '../../../test/support/scripted-service'
import { textFrame } from './floods'
import { StartedApp } from './started-app'

const blankPath = join(import.meta.dirname, 'limits', 'blank.js')
const writerPath = join(import.meta.dirname, 'limits', 'atomic-writer.js')
const socketPath = join(import.meta.dirname, 'limits', 'bare-socket.js')
const twinPath = join(import.meta.dirname, 'naive', 'main.js')
const skilledPath = join(import.meta.dirname, 'skilled', 'main.js')
/** Large enough that all values of a run have the same number of digits. */
const firstValue = 1_000_000

/** At this frequency, ten values a second in ten rows leave no gap for the app to fetch. */
export const maxResolution = 'PER_SECOND' as const

/** The first ids that the service lists. */
export const listedIds = (count: number) =>
  Array.from({ length: count }, (_, at) => `INDEX${String(at + 1).padStart(4, '0')}`)

/** An index as the service lists it. */
export function listedIndex(id: string): object {
  return { id, name: `Index ${id}`, decimals: 2, base: 'BTC', quote: 'USD', maxResolution }
}

/** A flow of published values that lasts until it is stopped. */
export interface Flow {
  /** Send time of each message, by its number. */
  readonly sentAtMs: readonly number[]
  stop(): void
}

interface ListOptions {
  isProbed?: boolean
  hasTimedLoop?: boolean
  desk?: SavedDesk
}

/**
 * Runs the app, a blank app or one of the twins with a list of indices from a scripted service, on a display of their
 * own.
 */
export class Apps {
  readonly ids: readonly string[]
  readonly #bench: AppBench
  readonly #probes: Record<string, string>
  readonly #service: ScriptedService
  readonly #running = new Set<StartedApp>()

  private constructor(
    bench: AppBench,
    service: ScriptedService,
    ids: readonly string[],
    probes: Record<string, string>,
  ) {
    this.#probes = probes
    this.#bench = bench
    this.#service = service
    this.ids = ids
  }

  /**
   * With `isProbed`, page-probe.cjs reports what the pages show. With `hasTimedLoop`, start-hook.cjs records the turns
   * of the main loop. With `desk`, the app is a seat of it.
   */
  static async create(
    rowCount: number,
    { isProbed = false, hasTimedLoop = false, desk }: ListOptions = {},
  ): Promise<Apps> {
    const service = await ScriptedService.start()
    const ids = listedIds(rowCount)
    serveCatalogue(service, ids.map(listedIndex))
    service.answerOthers = (request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(successBody(nothingOf(request.url ?? '')))
    }
    const bench = await AppBench.create()
    const entries = ids.map((id) => ({ id, maxResolution }))
    const watchlists = [{ id: 'watchlist', name: 'Bench', entries }]
    await bench.writeSettings({ watchlists, ...(desk !== undefined && { desk }) })
    return new Apps(bench, service, ids, {
      ...(isProbed && { INDEXWATCH_BENCH_PROBE: 'yes' }),
      ...(hasTimedLoop && { INDEXWATCH_BENCH_LOOP: 'yes' }),
    })
  }

  /** The folder of the app's files. */
  get profile(): string {
    return this.#bench.userData
  }

  app(...args: string[]): StartedApp {
    return this.#start(['.', `--user-data-dir=${this.profile}`, ...args])
  }

  blank(...args: string[]): StartedApp {
    return this.#start([blankPath, ...args])
  }

  /** An app without a window that replaces a file in this profile each second. */
  writer(): StartedApp {
    return this.#start([writerPath, this.profile])
  }

  /** `page` is the built page, see run.ts. */
  twin(page: string, place: 'window' | 'hidden'): StartedApp {
    return this.#start([twinPath, page, String(this.ids.length), place])
  }

  /** The skilled twin in a window. */
  skilled(): StartedApp {
    return this.#start([skilledPath, String(this.ids.length)])
  }

  /** A bare socket in Electron, without a window. */
  bareSocket(): StartedApp {
    return this.#start([socketPath, String(this.ids.length)])
  }

  /** Waits until every row is subscribed, then publishes its first value, which is `ageMs` old. */
  async publishAll({ ageMs }: { ageMs: number }): Promise<void> {
    while (this.#service.commands.filter(isValueSubscription).length < this.ids.length) await pause(100)
    const time = Date.now() - ageMs
    this.#service.sendBytes(Buffer.concat(this.ids.map((id) => valueFrame(id, time, 0))))
  }

  /** Publishes values of the first rows in turn. A value is the number of its message, from 1. */
  flow({ perSecond, rowCount }: { perSecond: number; rowCount: number }): Flow {
    const sentAtMs: number[] = []
    const startedAtMs = performance.now()
    const timer = setInterval(
      () => {
        const due = Math.floor(((performance.now() - startedAtMs) * perSecond) / 1_000)
        const nowMs = Date.now()
        const frames: Buffer[] = []
        while (sentAtMs.length < due) {
          const id = this.ids[sentAtMs.length % rowCount] ?? ''
          // A late timer sends several values together. They need different times, or some would be dropped.
          const lateMs = ((due - 1 - sentAtMs.length) * 1_000) / perSecond
          sentAtMs.push(nowMs)
          frames.push(valueFrame(id, Math.floor(nowMs - lateMs), sentAtMs.length))
        }
        if (frames.length > 0) this.#service.sendBytes(Buffer.concat(frames))
      },
      Math.max(1, 1_000 / perSecond),
    )
    return {
      sentAtMs,
      stop: () => clearInterval(timer),
    }
  }

  /** Quits the app and clears the recorded commands, so that the next app starts at none. */
  async quit(app: StartedApp): Promise<void> {
    await app.quit()
    this.#running.delete(app)
    this.#service.commands.length = 0
  }

  async dispose(): Promise<void> {
    for (const app of this.#running) await app.quit()
    await this.#bench.dispose()
    await this.#service.stop()
  }

  #start(args: string[]): StartedApp {
    const variables = { ...connectionVariables(addressOf(this.#service)), ...this.#probes }
    const app = new StartedApp(this.#bench, args, variables)
    this.#running.add(app)
    return app
  }
}

function valueFrame(id: string, time: number, number: number): Buffer {
  return textFrame(JSON.stringify({ type: 'value', time, id, value: `${firstValue + number}.00` }))
}

/** The message number of a value, from its text in a page. */
export function numberOf(text: string): number {
  return Math.trunc(Number(text.replace(/[^\d.]/g, ''))) - firstValue
}

/** The answer of a service that has published nothing yet. */
function nothingOf(path: string): unknown {
  const field = /(latest_values|summaries)\?/.exec(path)?.[1]
  return field === undefined ? [] : { [field]: {} }
}

function isValueSubscription(command: unknown): boolean {
  const { type, stream } = command as { type?: unknown; stream?: unknown }
  return type === 'subscribe' && stream === 'value'
}
