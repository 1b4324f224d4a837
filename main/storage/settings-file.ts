import { copyFile, link } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import ElectronStore from 'electron-store'
import type { Clock } from '../base/clock'
import type { JsonRead } from '../base/json-file'
import { statFile, placeAside } from '../base/own-file'
import { AtomicJsonFile } from './atomic-file'
import { isSettingsDocument, readSettings } from './settings'

const maxBytes = 4 * 2 ** 20

type Stored = Record<string, unknown>

/**
 * The settings file, in electron-store's format. The package only reads the file, after it was checked, because it ends
 * the app on a damaged file. It does not write, because its writes block the main thread and report success for half a
 * file on a full disk.
 */
export class SettingsFile extends AtomicJsonFile {
  readonly #path: string
  readonly #clock: Clock

  /** `path` is absolute and ends in `.json`. */
  constructor({ path, clock }: { path: string; clock: Clock }) {
    super({ path, clock, maxBytes, accepts: isSettingsDocument, keepsCopy: true })
    this.#path = path
    this.#clock = clock
  }

  /** Keeps a copy of a file with invalid parts, because the next change overwrites it. */
  override async read(): Promise<JsonRead> {
    const read = await super.read()
    if (read.kind !== 'ok') return read
    const value = storedIn(this.#path) ?? read.value
    const found = readSettings(value)
    if (found.kind !== 'ok' || found.dropped.length === 0) return { kind: 'ok', value }
    const setAsidePath = await this.#keepAside()
    return { kind: 'ok', value, setAsidePath }
  }

  /** Path of the copy, a link if possible. Undefined if the disk refuses. */
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

/** Undefined if the file changed since it was checked. */
function storedIn(path: string): Stored | undefined {
  try {
    statFile(path)
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
