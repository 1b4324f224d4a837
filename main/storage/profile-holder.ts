/** Records which computer uses the profile, because several may share a home folder. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  lstatSync,
  open,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Clock } from '../base/clock'
import { sanitizeText } from '../base/sanitize'
import { readDocument } from '../base/stored-index'

const holderSchema = v.object({ computer: v.string(), id: v.string() })
type Holder = v.InferOutput<typeof holderSchema>

const lookEveryMs = 2_000
/** After this time the other app has noticed the loss and quit. */
export const maxHandOverMs = 3 * lookEveryMs

const openFile = promisify(open)

/** Differs after every write by another computer. */
const versionOf = ({ ino, size, mtimeNs }: BigIntStats) => [ino, size, mtimeNs].join(' ')

const holderPath = (folder: string) => join(folder, 'in-use.json')

/** Undefined if a crash truncated the file. */
const readHolder = (text: string): Holder | undefined => readDocument(holderSchema, text)

/** The computer named in Chromium's lock, a link to `NAME-PID`. Older versions wrote only that lock. */
function lockComputer(folder: string): string | undefined {
  const path = join(folder, 'SingletonLock')
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined
  return /^(.+)-\d+$/.exec(readlinkSync(path))?.[1]
}

/** Another computer that uses the profile, or was switched off while it did. */
export function otherComputer(folder: string): string | undefined {
  let computer: string | undefined
  try {
    computer = readHolder(readFileSync(holderPath(folder), 'utf8'))?.computer
  } catch {
    // No computer uses it.
  }
  try {
    computer ??= lockComputer(folder)
  } catch {
    // The lock was removed between the two calls.
  }
  return computer === undefined || computer === hostname() ? undefined : sanitizeText(computer, 100)
}

/**
 * Removes a lock left by another computer. Chromium would check its process id on this computer and could find an
 * unrelated process.
 */
export function removeOtherLock(folder: string): void {
  if ([undefined, hostname()].includes(lockComputer(folder))) return
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie'])
    rmSync(join(folder, name), { force: true })
}

/** Records that this process uses the profile, and detects when another computer takes over. */
export class ProfileHolder {
  readonly #path: string
  readonly #clock: Pick<Clock, 'after'>
  readonly #holder: Holder = { computer: hostname(), id: randomUUID() }
  /** The version of the file that this process wrote. */
  #ownVersion: string | undefined
  #cancel: (() => void) | undefined

  constructor(folder: string, clock: Pick<Clock, 'after'>) {
    this.#path = holderPath(folder)
    this.#clock = clock
  }

  /** Throws if the disk refuses. */
  take(): void {
    writeFileSync(this.#path, JSON.stringify(this.#holder), { mode: 0o600 })
    this.#ownVersion = versionOf(statSync(this.#path, { bigint: true }))
  }

  /** Checks every two seconds. `onLost` receives the name of the computer that took over. */
  follow(onLost: (computer: string) => void): void {
    this.#cancel = this.#clock.after(
      lookEveryMs,
      () =>
        void this.#look().then((computer) => {
          if (this.#cancel === undefined) return
          if (computer === undefined) this.follow(onLost)
          else onLost(computer)
        }),
    )
  }

  /** Any computer may start the app next. */
  release(): void {
    this.#cancel?.()
    this.#cancel = undefined
    rmSync(this.#path, { force: true })
  }

  async #look(): Promise<string | undefined> {
    try {
      // On a network drive, opening fetches the state of the file. Reading it each time would wake three threads more.
      const file = await openFile(this.#path, 'r')
      const version = versionOf(fstatSync(file, { bigint: true }))
      closeSync(file)
      if (version === this.#ownVersion) return undefined
      const holder = readHolder(await readFile(this.#path, 'utf8'))
      return holder === undefined || holder.id === this.#holder.id ? undefined : sanitizeText(holder.computer, 100)
    } catch {
      // The network drive is away, so no other computer can take over now.
      return undefined
    }
  }
}
