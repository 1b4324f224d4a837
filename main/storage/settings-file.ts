import { copyFile, link } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import ElectronStore from 'electron-store'
import type { Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { lookAtFile, placeAside } from '../base/own-file'
import { AtomicJsonFile } from './atomic-file'
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
  readonly #file: AtomicJsonFile

  /** `path` is absolute and ends in `.json`. */
  constructor({ path, clock }: { path: string; clock: Clock }) {
    this.#path = path
    this.#clock = clock
    this.#file = new AtomicJsonFile({ path, clock, maxBytes, accepts: isSettingsDocument, copiesPresent: true })
    this.name = this.#file.name
  }

  /** A file of which a part cannot be used is kept aside as it was, for the next change writes over it. */
  async read(): Promise<JsonRead> {
    const read = await this.#file.read()
    if (read.kind !== 'ok') return read
    const value = storedIn(this.#path) ?? read.value
    const found = readSettings(value)
    if (found.kind !== 'ok' || found.dropped.length === 0) return { kind: 'ok', value }
    const setAsidePath = await this.#keepAside()
    return { kind: 'ok', value, setAsidePath }
  }

  write(value: unknown): Promise<Outcome<null>> {
    return this.#file.write(value)
  }

  /** Where the file lies a second time, which takes no room; `undefined` where the disk refuses. */
  async #keepAside(): Promise<string | undefined> {
    try {
      const place = await placeAside(this.#path, 'corrupt', this.#clock.wallMs())
      await link(this.#path, place).catch(() => copyFile(this.#path, place))
      return place
    } catch {
      return undefined
    }
  }
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
