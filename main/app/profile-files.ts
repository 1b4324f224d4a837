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

  /** A file that keeps no backup. What `accepts` refuses is set aside as damaged. */
  plain(name: string, accepts?: (value: unknown) => boolean): JsonFile {
    return new AtomicJsonFile({
      path: join(this.folder, name),
      clock: this.#clock,
      maxBytes: maxFileBytes,
      keepsBackup: false,
      ...(accepts !== undefined && { accepts }),
    })
  }
}
