import { failure, ok, type Outcome } from '../../core/model'
import { isPrivateWay } from '../../core/shapes'
import type { FoundUpdate, UpdateState } from '../../protocol/updates'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { updateProblem, type UpdatePhase } from './update-problem'

/** Finds, downloads and installs a newer version of one kind of package. */
export interface UpdateEngine {
  /** The newest version on the server. Undefined if it is not newer. Throws errors for `updateProblem`. */
  check: () => Promise<FoundUpdate | undefined>
  /** Downloads what `check` found and verifies its hash. Throws like `check`. */
  download: (onPercent: (percent: number) => void) => Promise<void>
  /** Installs the download. Called last before the process ends. */
  installAtEnd: (startsAgain: boolean) => void
  /** macOS installs by itself after the app has quit. Only a restart must be requested while the app still runs. */
  restart?: () => void
}

interface Options {
  clock: Pick<Clock, 'wallMs' | 'after'>
  /** From 0 to below 1. */
  random: () => number
  log: Log
  /** Loads the engine when it is first needed, which keeps it out of the start. */
  loadEngine: () => Promise<UpdateEngine>
  /** True if this installation can update itself. Otherwise the user is shown where to download. */
  installs: boolean
  /** A version that did not start here and was rolled back. */
  refusedVersion: string | undefined
  /** Why the last exit did not install the update, in words. */
  notInstalled: string | undefined
  quit: () => void
}

interface Events {
  changed: UpdateState
}

const firstCheckMs = 60_000
const firstSpreadMs = 120_000
const dayMs = 86_400_000
const daySpreadMs = 3_600_000

/**
 * Checks for a newer version some minutes after the start and then daily, each app at another time. Downloads it and
 * installs it when the app quits.
 */
export class Updates {
  readonly events: Emitter<Events>
  readonly #options: Options
  #engine: UpdateEngine | undefined
  #state: UpdateState
  #cancelNext: (() => void) | undefined
  #checking: Promise<void> | undefined
  #startsAgain = false

  constructor(options: Options) {
    const { notInstalled: problem } = options
    this.#options = options
    this.#state = problem === undefined ? { state: 'idle' } : { state: 'failed', problem }
    this.events = new Emitter((error) => options.log.error('A listener failed', { error: String(error) }))
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Starts regular checks. */
  start(): void {
    this.#plan(firstCheckMs + this.#options.random() * firstSpreadMs)
  }

  /**
   * Checks now and downloads what is found. One check at a time. A version that is ready stays until a newer one is
   * downloaded or the server withdraws it. Never throws.
   */
  check(): Promise<void> {
    this.#checking ??= this.#look().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Quits, installs the ready version and starts it. Does nothing if none is ready. */
  restart(): void {
    if (this.#state.state !== 'ready') return
    this.#startsAgain = true
    if (this.#engine?.restart === undefined) this.#options.quit()
    else this.#engine.restart()
  }

  /** Installs the ready version. Call it last before the process ends. Never throws. */
  installAtEnd(): void {
    if (this.#state.state !== 'ready') return
    try {
      this.#engine?.installAtEnd(this.#startsAgain)
    } catch (error) {
      this.#options.log.error('The update could not be installed', { error: String(error) })
    }
  }

  dispose(): void {
    this.#cancelNext?.()
  }

  #plan(delayMs: number): void {
    const { clock, random } = this.#options
    this.#cancelNext = clock.after(delayMs, () => {
      this.#plan(dayMs + (random() - 0.5) * daySpreadMs)
      void this.check()
    })
  }

  async #look(): Promise<void> {
    const { clock, log, loadEngine, installs, refusedVersion } = this.#options
    // The version found before stays visible during the check, even if it fails.
    const known = this.#state.state === 'available' || this.#state.state === 'ready' ? this.#state : undefined
    if (known === undefined) this.#set({ state: 'checking' })
    let phase: UpdatePhase = 'check'
    try {
      const engine = (this.#engine ??= await loadEngine())
      const found = await engine.check()
      if (found === undefined) {
        this.#set({ state: 'current', checkedAtMs: clock.wallMs() })
        return
      }
      log.info('A newer version was found', { version: found.version })
      if (!installs) {
        this.#set({ state: 'available', found })
        return
      }
      if (found.version === refusedVersion) {
        this.#fail(`Version ${found.version} did not start on this computer and was removed. Wait for the next one.`)
        return
      }
      if (known?.state === 'ready' && known.found.version === found.version) return
      phase = 'download'
      this.#set({ state: 'downloading', found, percent: 0 })
      await engine.download((percent) => this.#progress(found, Math.floor(percent)))
      this.#set({ state: 'ready', found })
    } catch (error) {
      log.warn('Looking for a newer version failed', { phase, error: String(error) })
      // A ready version is still installed, which matters more.
      if (known?.state === 'ready' && phase === 'check') return
      const problem = updateProblem(error, phase)
      if (known?.state === 'available') this.#set({ ...known, failed: { problem, checkedAtMs: clock.wallMs() } })
      else this.#fail(problem)
    }
  }

  #progress(found: FoundUpdate, percent: number): void {
    if (this.#state.state !== 'downloading' || this.#state.percent === percent) return
    this.#set({ state: 'downloading', found, percent })
  }

  #fail(problem: string): void {
    this.#set({ state: 'failed', problem, checkedAtMs: this.#options.clock.wallMs() })
  }

  #set(state: UpdateState): void {
    this.#state = state
    this.events.emit('changed', state)
  }
}

interface Start {
  /** From the build or a developer. Empty if there is none. */
  address: string
  version: string
  isDemo: boolean
  isWatch: boolean
}

/**
 * The address for updates of this start. Undefined if it makes no requests. Problem `badEnvironment` if the address is
 * not allowed.
 */
export function updateServer({ address, version, isDemo, isWatch }: Start): Outcome<URL | undefined> {
  if (address === '' || version.endsWith('-test') || isDemo || isWatch) return ok(undefined)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && isPrivateWay(url) && url.username === '' && url.password === '') return ok(url)
  return failure('badEnvironment', 'INDEXWATCH_UPDATE_URL: enter an https:// address without a name or password.')
}
