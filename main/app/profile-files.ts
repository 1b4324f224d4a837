import { join } from 'node:path'
import type { ServiceKind } from '../../protocol/model'
import { isAlertDocument } from '../alerts/alert-document'
import { isArchiveEntry } from '../alerts/inbox-archive'
import type { AlertFiles } from '../alerts/alert-repository'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import { JsonLinesFile } from '../storage/append-file'
import { AtomicJsonFile } from '../storage/atomic-file'

const maxFileBytes = 16 * 2 ** 20
/** Twice what 2,000 rules can come to, each with the firings it keeps to be evaluated again. */
const maxAlertFileBytes = 64 * 2 ** 20

/** The files of the profile's folder. Rules set on the values of one kind of service mean nothing on the other's. */
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

  alerts(kind: ServiceKind): AlertFiles {
    const name = join(this.folder, `alerts${ending(kind)}`)
    const how = { clock: this.#clock, maxBytes: maxAlertFileBytes }
    return {
      file: new AtomicJsonFile({ ...how, path: `${name}.json`, accepts: isAlertDocument }),
      archive: new JsonLinesFile({ ...how, path: `${name}-inbox.jsonl`, accepts: isArchiveEntry }),
    }
  }

  #json(name: string, how: { keepsBackup?: boolean; accepts?: (value: unknown) => boolean }): JsonFile {
    return new AtomicJsonFile({ path: join(this.folder, name), clock: this.#clock, maxBytes: maxFileBytes, ...how })
  }
}

function ending(kind: ServiceKind): string {
  return kind === 'demo' ? '-demo' : ''
}
