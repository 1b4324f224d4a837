import type { AlertEvent } from '../../protocol/alert-events'
import type { Problem } from '../../protocol/model'
import type { AppendedRead, AppendFile, JsonFile, JsonRead } from '../base/json-file'
import { readAlerts, toDocument, type AlertRecord } from './alert-document'
import type { AlertState } from './alert-state'
import { readArchive } from './inbox-archive'

/** Where alerts are kept: rules, states and the newest events in one, older events in the other. */
export interface AlertFiles {
  file: JsonFile
  archive: AppendFile
}

export interface RecordFound {
  kind: JsonRead['kind']
  /** The file is of a newer version and not ours to change. */
  isForeign: boolean
  record?: AlertRecord
  archived: AlertEvent[]
  /** What the user should know. */
  notices: string[]
  /** Something was set aside, which is to be stored. */
  isToBeStored: boolean
}

/**
 * Keeps the state of alerts on the disk. States and the events they led to are written at once, in one file; events go to the archive
 * before they leave that file, so that a kill in between leaves them in both.
 */
export class AlertRepository {
  readonly #files: AlertFiles
  readonly #onProblem: (problem: Problem) => void
  /** Not before the file was read, and never where it is foreign: what is written takes the place of what stands in it. */
  #state: AlertState | undefined
  /** How often there was something to save, and how much of that is saved. */
  #changes = 0
  #saved = 0
  #hasFailed = false
  #next: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()

  /** `onProblem` is called once for a disk that fails, until it works again. */
  constructor(files: AlertFiles, onProblem: (problem: Problem) => void) {
    this.#files = files
    this.#onProblem = onProblem
  }

  /** Whether all that was to be saved is. */
  get isSaved(): boolean {
    return this.#saved === this.#changes
  }

  async read(): Promise<RecordFound> {
    const { file, archive } = this.#files
    const read = await file.read()
    const found = 'value' in read ? readAlerts(read.value) : undefined
    const { kind } = read
    if (found !== undefined && found.kind !== 'ok') {
      return { kind, isForeign: true, archived: [], notices: [newerVersionNotice(file.name)], isToBeStored: false }
    }
    const older = await archive.read()
    const setAsideCount = found?.setAsideCount ?? 0
    const notices = [
      readingNotice(read, file.name, setAsideCount),
      older.ok ? archiveNotice(older.value, archive.name) : unreadableArchiveNotice(older.problem, archive.name),
    ]
    return {
      kind,
      isForeign: false,
      ...(found !== undefined && { record: found.record }),
      archived: older.ok ? readArchive(older.value.entries) : [],
      notices: notices.filter((notice) => notice !== undefined),
      isToBeStored: setAsideCount > 0,
    }
  }

  /** From now on this state is written. */
  keep(state: AlertState): void {
    this.#state = state
  }

  /** There is something that need not be saved at once. */
  noteProgress(): void {
    this.#changes++
  }

  /** Done when the state as it is now is on the disk, or has failed to get there. */
  save(): Promise<void> {
    this.#changes++
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      return this.#store()
    })
    this.#last = this.#next
    return this.#next
  }

  async #store(): Promise<void> {
    const state = this.#state
    if (state === undefined) return
    const leaving = state.inbox.toArchive()
    const archived = leaving.length === 0 ? undefined : await this.#files.archive.append(leaving)
    if (archived?.ok === true) state.inbox.noteArchived(leaving)
    const changes = this.#changes
    const written = await this.#files.file.write(toDocument(state.record()))
    const problem = !written.ok ? written.problem : archived?.ok === false ? archived.problem : undefined
    // Events that could not be archived stay in the file: nothing is lost.
    if (problem === undefined) this.#saved = changes
    if (problem !== undefined && !this.#hasFailed) this.#onProblem(problem)
    this.#hasFailed = problem !== undefined
  }
}

/** What the user should know when the file is left alone. */
function newerVersionNotice(name: string): string {
  return `The alerts file ${name} was written by a newer version of Indexwatch. It is left unchanged and its alerts do not fire here. Update Indexwatch to use them.`
}

/** What the user should know of how the alerts file was read; `undefined` when all is well. */
function readingNotice(read: JsonRead, name: string, setAsideCount: number): string | undefined {
  if (read.kind === 'restored') {
    return `The alerts file ${name} could not be read. The last good copy is in use: check your alerts. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The alerts file ${name} could not be read and there was no copy: create your alerts again. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (setAsideCount > 0) {
    return `Entries of the alerts file ${name} that could not be read: ${setAsideCount}. They are kept aside in it; check your alerts.`
  }
  return undefined
}

/** What the user should know of how the archive of the inbox was read; `undefined` when all is well. */
function archiveNotice({ setAsidePath }: AppendedRead, name: string): string | undefined {
  if (setAsidePath === undefined) return undefined
  return `Lines of the alerts archive ${name} could not be read and are left out of the inbox. The archive as it was is kept as ${setAsidePath}.`
}

/** What the user should know where the archive of the inbox cannot be read at all. */
function unreadableArchiveNotice({ message }: Problem, name: string): string {
  return `Older alerts are missing from the inbox, because the archive ${name} could not be read: ${message} Alerts still fire.`
}
