import { readFile, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import ElectronStore from 'electron-store'
import type { Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { lookAtFile } from '../base/own-file'
import { AtomicJsonFile, backupPath } from './atomic-file'
import { WriteQueue, prepareFile, putInPlace, saveProblem } from './disk'
import { isSettingsDocument } from './settings'

const maxBytes = 4 * 2 ** 20

type Stored = Record<string, unknown>

/**
 * The settings in electron-store, guarded from outside: on a full disk that package reports success and leaves half a
 * file, and a file it cannot read ends the start or, where it is set to be lenient, loses everything. So the file is checked before
 * the package opens it, every new version is on the disk before the package writes, and what it wrote is compared.
 */
export class SettingsFile implements JsonFile {
  readonly name: string
  readonly #path: string
  readonly #checked: AtomicJsonFile
  readonly #queue = new WriteQueue((text) => this.#save(text))
  #store: ElectronStore<Stored> | undefined

  /** `path` is absolute and ends in `.json`. */
  constructor(options: { path: string; clock: Clock }) {
    this.#path = options.path
    this.name = basename(options.path)
    this.#checked = new AtomicJsonFile({ ...options, maxBytes: maxBytes, accepts: isSettingsDocument })
  }

  read(): Promise<JsonRead> {
    return this.#checked.read()
  }

  write(value: unknown): Promise<Outcome<null>> {
    const { refusal } = this.#checked
    return refusal === undefined ? this.#queue.write(toText(value)) : Promise.resolve(refusal)
  }

  async #save(text: string): Promise<Outcome<null>> {
    try {
      const prepared = await prepareFile(this.#path, text)
      try {
        // Where the package fails, the prepared version takes the place of what it left, which needs no further room.
        await putInPlace(prepared, (await this.#isStored(text)) ? backupPath(this.#path) : this.#path)
      } finally {
        await rm(prepared, { force: true })
      }
      return { ok: true, value: null }
    } catch (error) {
      return { ok: false, problem: saveProblem(error) }
    }
  }

  /** Lets electron-store write, and answers whether its file is whole. */
  async #isStored(text: string): Promise<boolean> {
    try {
      lookAtFile(this.#path)
      this.#store ??= openStore(this.#path)
      this.#store.store = JSON.parse(text) as Stored
      return (await readFile(this.#path, 'utf8')) === text
    } catch {
      return false
    }
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

function openStore(path: string): ElectronStore<Stored> {
  return new ElectronStore<Stored>({
    cwd: dirname(path),
    name: basename(path, '.json'),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize: toText,
  })
}
