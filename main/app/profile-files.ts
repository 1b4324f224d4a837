import { join } from 'node:path'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { AtomicJsonFile } from '../storage/atomic-file'

const maxFileBytes = 16 * 2 ** 20

/** The files of the profile's folder. */
export class ProfileFiles {
  readonly folder: string
  readonly #clock: Clock

  constructor(folder: string, clock: Clock) {
    this.folder = folder
    this.#clock = clock
  }

  /** A file that can be made again: it has no backup. */
  plain(name: string): JsonFile {
    return this.#json(name, { keepsBackup: false })
  }

  #json(name: string, how: { keepsBackup?: boolean; accepts?: (value: unknown) => boolean }): JsonFile {
    return new AtomicJsonFile({ path: join(this.folder, name), clock: this.#clock, maxBytes: maxFileBytes, ...how })
  }
}
