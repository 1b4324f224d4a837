import { arch, release, type } from 'node:os'
import type { Diagnostics } from '../protocol/answers'
import type { Services } from './app-services'
import type { Clock } from './base/clock'
import type { Counters } from './base/counters'

interface Options {
  appVersion: string
  clock: Clock
  counters: Counters
  services: Services
  /** The last lines of the log that tell of something wrong. */
  problems: () => readonly string[]
}

/** Gathers what support asks for. */
export class Diagnosis {
  readonly #options: Options
  readonly #startedAtMs: number

  constructor(options: Options) {
    this.#options = options
    this.#startedAtMs = options.clock.wallMs()
  }

  read(): Diagnostics {
    const { appVersion, counters, services, problems } = this.#options
    const { electron, chrome, node } = process.versions
    return {
      versions: { app: appVersion, electron, chrome, node, system: `${type()} ${release()} ${arch()}` },
      startedAtMs: this.#startedAtMs,
      counters: counters.read(),
      connections: services.views,
      connectionLog: services.log.entries(),
      problems: [...problems()],
    }
  }
}
