import { basename } from 'node:path'
import type { SavedFile } from '../../protocol/commands/command'
import { failure, type Outcome, ok } from '../../core/model'
import type { Core } from './feature'
import type { FileKind, SuggestedFile } from '../desktop/file-dialogs'
import { tableFile, type Table } from '../base/table-files'
import type { FileContent } from '../storage/disk'
import { saveUserFile } from '../storage/user-file'

/** Content for a file that the user is asked to name. Long content is produced in pieces after the file has a name. */
export type FileToSave = SuggestedFile & { text: FileContent }

/** A table for a file that the user is asked to name. */
export interface TableToSave {
  fileName: string
  table: Table
}

export type Files = Pick<Core, 'dialogs' | 'newId' | 'unfinished' | 'settings' | 'clock' | 'decimalSign'>

/** Saves and imports files by the desktop's dialogs. Remembers the last content read for import. */
export class UserFiles<Content> {
  readonly #core: Files
  #chosen: { importId: string; content: Content } | undefined

  constructor(core: Files) {
    this.#core = core
  }

  /** Saves the content at the time the user has named the file, not at the time of asking. */
  async save(content: () => Outcome<FileToSave> | Promise<Outcome<FileToSave>>): Promise<Outcome<SavedFile>> {
    const suggested = await content()
    if (!suggested.ok) return suggested
    const { name, kind } = suggested.value
    const path = await this.#core.dialogs.askWhereToSave({ name, kind })
    if (path === undefined) return ok(null)
    const latest = await content()
    const saved = await saveUserFile(path, (latest.ok ? latest : suggested).value.text, this.#core.unfinished)
    return saved.ok ? ok({ fileName: basename(path) }) : saved
  }

  /** Saves a table in the format of the settings. */
  saveTable(content: () => Outcome<TableToSave> | Promise<Outcome<TableToSave>>): Promise<Outcome<SavedFile>> {
    const { settings, clock, decimalSign } = this.#core
    return this.save(async () => {
      const found = await content()
      if (!found.ok) return found
      const { fileName, table } = found.value
      const { tableFormat: format } = settings.get()
      const options = { format, decimalSign: decimalSign(), title: fileName, nowMs: clock.wallMs() }
      return ok({ name: fileName, kind: format, text: tableFile([table], options) })
    })
  }

  /** Lets the user choose a file, reads it and previews its import. `null` if the user cancelled. */
  async choose<Preview extends object>(
    kind: FileKind,
    read: (path: string) => Promise<Outcome<Content>>,
    preview: (content: Content) => Outcome<Preview> | Promise<Outcome<Preview>>,
  ): Promise<Outcome<(Preview & { importId: string; fileName: string }) | null>> {
    const path = await this.#core.dialogs.askWhichToRead(kind)
    return path === undefined ? ok(null) : this.read(basename(path), () => read(path), preview)
  }

  /** Reads what the user gave, such as a pasted text, and previews its import. */
  async read<Preview extends object>(
    fileName: string,
    read: () => Promise<Outcome<Content>>,
    preview: (content: Content) => Outcome<Preview> | Promise<Outcome<Preview>>,
  ): Promise<Outcome<Preview & { importId: string; fileName: string }>> {
    this.#chosen = undefined
    const content = await read()
    if (!content.ok) return content
    const previewed = await preview(content.value)
    if (!previewed.ok) return previewed
    const importId = this.#core.newId()
    this.#chosen = { importId, content: content.value }
    return ok({ ...previewed.value, importId, fileName })
  }

  /** Returns the chosen file for its import, once. Problem `unknownImport`. */
  take(importId: string): Outcome<Content> {
    if (this.#chosen?.importId !== importId) {
      return failure(
        'unknownImport',
        'This file was already imported, or you chose another file since. Choose it again.',
      )
    }
    const { content } = this.#chosen
    this.#chosen = undefined
    return ok(content)
  }
}
