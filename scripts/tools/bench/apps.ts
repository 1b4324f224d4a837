import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SavedDesk } from '../../../core/model'
import { firstSettings, toDocument } from '../../../main/storage/settings'
import { AppBench, connectionVariables } from '../../../test/support/app-bench'
import { addressOf, serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService, successBody } from '../../../test/support/scripted-service'
import { textFrame } from './floods'
import { projectRoot, StartedApp } from './started-app'

const blankPath = join(projectRoot, 'scripts', 'tools', 'bench', 'limits', 'blank.js')
const writerPath = join(projectRoot, 'scripts', 'tools', 'bench', 'limits', 'atomic-writer.js')
const socketPath = join(projectRoot, 'scripts', 'tools', 'bench', 'limits', 'bare-socket.js')
const twinPath = join(projectRoot, 'scripts', 'tools', 'bench', 'naive', 'main.js')
const skilledPath = join(projectRoot, 'scripts', 'tools', 'bench', 'skilled', 'main.js')
/** Large enough that all values of a run have the same number of digits. */
const firstValue = 1_000_000

/** A flow of published values that lasts until it is stopped. */
export interface Flow {
  /** Send time of each message, by its number. */
  readonly sentAtMs: readonly number[]
  stop(): void
}

interface ListOptions {
  isProbed?: boolean
  hasTimedLoop?: boolean
  listedCount?: number
  showsTicker?: boolean
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
   * of the main loop. The service lists `listedCount` indices, of which the list has the first `rowCount`. With
   * `showsTicker`, the ticker is floating and the rows are pinned. With `desk`, the app is a seat of it.
   */
  static async create(
    rowCount: number,
    { isProbed = false, hasTimedLoop = false, listedCount = rowCount, showsTicker = false, desk }: ListOptions = {},
  ): Promise<Apps> {
    const service = await ScriptedService.start()
    const listed = Array.from({ length: listedCount }, (_, at) => `INDEX${String(at + 1).padStart(4, '0')}`)
    const ids = listed.slice(0, rowCount)
    // At this frequency, ten values a second in ten rows leave no gap for the app to fetch.
    const maxResolution = 'PER_SECOND' as const
    const named = listed.map((id) => ({ id, name: `Index ${id}`, decimals: 2, base: 'BTC', quote: 'USD' }))
    serveCatalogue(
      service,
      named.map((index) => ({ ...index, maxResolution })),
    )
    service.answerOthers = (request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(successBody(nothingOf(request.url ?? '')))
    }
    const bench = await AppBench.create()
    const entries = ids.map((id) => ({ id, maxResolution }))
    const settings = {
      ...firstSettings(),
      watchlists: [{ id: 'watchlist', name: 'Bench', entries }],
      ...(showsTicker && { showsTicker, pinnedIds: ids }),
      ...(desk !== undefined && { desk }),
    }
    await mkdir(bench.userData, { recursive: true })
    await writeFile(join(bench.userData, 'settings.json'), JSON.stringify(toDocument(settings)))
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
