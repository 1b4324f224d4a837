/** Which computer has the profile: its folder may lie in a home that several computers share. */
import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Clock } from '../base/clock'
import { sanitizeText } from '../base/sanitize'

const holderSchema = v.object({ computer: v.string(), id: v.string() })
type Holder = v.InferOutput<typeof holderSchema>

const lookEveryMs = 2_000
/** The app that had the profile has ended by then: it looks several times in that time. */
export const letGoMs = 3 * lookEveryMs

const holderPath = (folder: string) => join(folder, 'in-use.json')

function readHolder(text: string): Holder | undefined {
  try {
    const read = v.safeParse(holderSchema, JSON.parse(text))
    return read.success ? read.output : undefined
  } catch {
    // Cut off by a crash.
    return undefined
  }
}

/** The computer that Chromium's lock names: a link to `NAME-PID`. A version that kept no holder has left it, too. */
function lockComputer(folder: string): string | undefined {
  const path = join(folder, 'SingletonLock')
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined
  return /^(.+)-\d+$/.exec(readlinkSync(path))?.[1]
}

/** The name of another computer that has the profile, or was cut off while it had it. */
export function otherComputer(folder: string): string | undefined {
  let computer: string | undefined
  try {
    computer = readHolder(readFileSync(holderPath(folder), 'utf8'))?.computer
  } catch {
    // Nobody has it.
  }
  try {
    computer ??= lockComputer(folder)
  } catch {
    // The file was removed in the meantime.
  }
  return computer === undefined || computer === hostname() ? undefined : sanitizeText(computer, 100)
}

/**
 * Removes Chromium's lock where another computer has left it. Its number may be that of some process of this computer, which
 * Chromium would take for the app.
 */
export function removeOtherLock(folder: string): void {
  if ([undefined, hostname()].includes(lockComputer(folder))) return
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie'])
    rmSync(join(folder, name), { force: true })
}

/** Notes on the disk that this process has the profile, and finds out when another computer takes it over. */
export class ProfileHolder {
  readonly #path: string
  readonly #clock: Pick<Clock, 'after'>
  readonly #holder: Holder = { computer: hostname(), id: randomUUID() }
  #cancel: (() => void) | undefined

  constructor(folder: string, clock: Pick<Clock, 'after'>) {
    this.#path = holderPath(folder)
    this.#clock = clock
  }

  /** Throws where the disk refuses. */
  take(): void {
    writeFileSync(this.#path, JSON.stringify(this.#holder), { mode: 0o600 })
  }

  /** Looks from time to time. `onLost` gets the name of the computer that has the profile now. */
  follow(onLost: (computer: string) => void): void {
    this.#cancel = this.#clock.after(lookEveryMs, () => {
      void this.#look().then((computer) => {
        if (this.#cancel === undefined) return
        if (computer === undefined) this.follow(onLost)
        else onLost(computer)
      })
    })
  }

  /** The app ends: the next start may be on any computer. */
  release(): void {
    this.#cancel?.()
    this.#cancel = undefined
    rmSync(this.#path, { force: true })
  }

  async #look(): Promise<string | undefined> {
    try {
      const holder = readHolder(await readFile(this.#path, 'utf8'))
      return holder === undefined || holder.id === this.#holder.id ? undefined : sanitizeText(holder.computer, 100)
    } catch {
      // The network is away, and with it the other computer's way to the profile.
      return undefined
    }
  }
}
