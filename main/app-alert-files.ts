import { join } from 'node:path'
import { isAlertDocument } from './alerts/alert-document'
import { isArchiveEntry } from './alerts/inbox-archive'
import type { AlertFiles } from './alerts/record-keeper'
import type { ValueKind } from './app-values'
import type { Clock } from './base/clock'
import { JsonLinesFile } from './storage/append-file'
import { AtomicJsonFile } from './storage/atomic-file'

const mostFileBytes = 16 * 2 ** 20

/** A level was set against the values of one kind of service and means nothing on the other's. */
export function alertFiles(kind: ValueKind, { folder, clock }: { folder: string; clock: Clock }): AlertFiles {
  const name = kind === 'demo' ? 'alerts-demo' : 'alerts'
  const how = { clock, maxBytes: mostFileBytes }
  return {
    file: new AtomicJsonFile({ ...how, path: join(folder, `${name}.json`), accepts: isAlertDocument }),
    archive: new JsonLinesFile({ ...how, path: join(folder, `${name}-inbox.jsonl`), accepts: isArchiveEntry }),
  }
}
