import type { AlertEvent } from '../../protocol/alert-events'
import type { Problem } from '../../protocol/model'
import type { AppendFile } from '../base/append-file'
import type { JsonFile, JsonRead } from '../base/json-file'
import { readAlerts, toDocument, type AlertRecord } from './alert-document'
import type { AlertBook } from './book'
import { readArchive } from './inbox-archive'
import { archiveNotice, newerVersionNotice, readingNotice, unreadableArchiveNotice } from './reading-notice'

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
 * Keeps a book on the disk. States and the events they led to are written at once, in one file; events go to the archive
 * before they leave that file, so that a kill in between leaves them in both.
 */
export class RecordKeeper {
  readonly #files: AlertFiles
  readonly #onProblem: (problem: Problem) => void
  /** Not before the file was read, and never where it is foreign: what is written takes the place of what stands in it. */
  #book: AlertBook | undefined
  /** How often there was something to save, and how much of that is saved. */
  #changes = 0
  #saved = 0
  #hasFailed = false
  #next: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()

  /** `onProblem` hears once of a disk that fails, until it works again. */
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

  /** From now on this book is written. */
  keep(book: AlertBook): void {
    this.#book = book
  }

  /** There is something that need not be saved at once. */
  noteProgress(): void {
    this.#changes++
  }

  /** Done when the book as it is now is on the disk, or has failed to get there. */
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
    const book = this.#book
    if (book === undefined) return
    const leaving = book.inbox.toArchive()
    const archived = leaving.length === 0 ? undefined : await this.#files.archive.append(leaving)
    if (archived?.ok === true) book.inbox.noteArchived(leaving)
    const changes = this.#changes
    const written = await this.#files.file.write(toDocument(book.record()))
    const problem = !written.ok ? written.problem : archived?.ok === false ? archived.problem : undefined
    // Events that could not be archived stay in the file: nothing is lost.
    if (problem === undefined) this.#saved = changes
    if (problem !== undefined && !this.#hasFailed) this.#onProblem(problem)
    this.#hasFailed = problem !== undefined
  }
}
