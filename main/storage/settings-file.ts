import { copyFile, link, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import ElectronStore from 'electron-store'
import { done, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { lookAtFile } from '../base/own-file'
import { AtomicJsonFile, backupPath } from './atomic-file'
import { WriteQueue, placeForDamage, replaceFile, saveProblem, temporaryPath } from './disk'
import { isSettingsDocument, readSettings } from './settings'

const maxBytes = 4 * 2 ** 20

type Stored = Record<string, unknown>

/**
 * The settings file of electron-store. The package opens and reads the file once it has been checked: the package ends the
 * start on a damaged file. It does not write: its writes block the main thread until the disk answers, and a full disk makes
 * them report success with half a file.
 */
export class SettingsFile implements JsonFile {
  readonly name: string
  readonly #path: string
  readonly #clock: Clock
  readonly #checked: AtomicJsonFile
  readonly #queue = new WriteQueue((text) => this.#save(text))

  /** `path` is absolute and ends in `.json`. */
  constructor(options: { path: string; clock: Clock }) {
    this.#path = options.path
    this.#clock = options.clock
    this.name = basename(options.path)
    this.#checked = new AtomicJsonFile({ ...options, maxBytes: maxBytes, accepts: isSettingsDocument })
  }

  /** A file of which a part cannot be used is kept aside as it was, for the next change writes over it. */
  async read(): Promise<JsonRead> {
    const read = await this.#checked.read()
    if (read.kind !== 'ok') return read
    const value = storedIn(this.#path) ?? read.value
    const found = readSettings(value)
    if (found.kind !== 'ok' || found.dropped.length === 0) return { kind: 'ok', value }
    const setAsidePath = await this.#keepAside()
    return { kind: 'ok', value, setAsidePath }
  }

  write(value: unknown): Promise<Outcome<null>> {
    const { refusal } = this.#checked
    return refusal === undefined ? this.#queue.write(toText(value)) : Promise.resolve(refusal)
  }

  async #save(text: string): Promise<Outcome<null>> {
    try {
      await replaceFile(this.#path, text)
    } catch (error) {
      return { ok: false, problem: saveProblem(error) }
    }
    await this.#keepCopy(text)
    return done
  }

  /** Damage to the file then costs nothing. A disk without room for two keeps the copy of an earlier version. */
  async #keepCopy(text: string): Promise<void> {
    const copy = backupPath(this.#path)
    const temporary = temporaryPath(copy)
    try {
      // Nothing waits for the disk here: the settings themselves are on it.
      await writeFile(temporary, text, { mode: 0o600 })
      await rename(temporary, copy)
    } catch {
      await rm(temporary, { force: true })
    }
  }

  /** Where the file lies a second time, which takes no room; `undefined` where the disk refuses. */
  async #keepAside(): Promise<string | undefined> {
    try {
      const place = await placeForDamage(this.#path, this.#clock.wallMs())
      await link(this.#path, place).catch(() => copyFile(this.#path, place))
      return place
    } catch {
      return undefined
    }
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

/** `undefined` where the file has changed since it was checked. */
function storedIn(path: string): Stored | undefined {
  try {
    lookAtFile(path)
    const store = new ElectronStore<Stored>({
      cwd: dirname(path),
      name: basename(path, '.json'),
      accessPropertiesByDotNotation: false,
      deserialize: (text) => JSON.parse(text.replace(/^\ufeff/, '')) as Stored,
    })
    return { ...store.store }
  } catch {
    return undefined
  }
}
