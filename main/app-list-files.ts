import { basename } from 'node:path'
import type { CommandAnswer, CommandArguments } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'
import { mostUserJsonBytes } from './base/user-json'
import type { FileDialogs, SuggestedFile } from './desktop/file-dialogs'
import { constituentsCsv } from './lists/constituents-csv'
import { planImport } from './lists/import-plan'
import { listCsv } from './lists/list-csv'
import { readListFile, writeListFile, type FileList } from './lists/watchlist-file'
import { readUserFile, saveUserFile } from './storage/user-file'

export interface ListFileOptions {
  owners: Pick<Owners, 'settings' | 'values' | 'services' | 'page'>
  dialogs: FileDialogs
  newId: () => string
}

type Saved = { fileName: string } | null

/** Lists and tables on their way to a file, and lists on their way back. Remembers the one file that may be imported. */
export class ListFiles {
  readonly #options: ListFileOptions
  #chosen: { importId: string; lists: FileList[] } | undefined

  constructor(options: ListFileOptions) {
    this.#options = options
  }

  saveListCsv({ listId }: CommandArguments<'saveListCsv'>): Promise<Outcome<Saved>> {
    return this.#save(() => {
      const { settings, values, services } = this.#options.owners
      const list = settings.get().watchlists.find(({ id }) => id === listId)
      if (list === undefined) return unknownList
      const catalogue = new Map(services.catalogue.map((info) => [info.id, info]))
      const rows = list.entries.map((entry) => ({
        entry,
        info: catalogue.get(entry.id),
        quote: values.store.get(entry.id),
        reference: values.history.facts(entry.id).reference,
      }))
      return file(list.name, 'csv', listCsv(rows))
    })
  }

  /** Those of the page that is open: what the user sees is what is saved. */
  saveConstituentsCsv({ indexId }: CommandArguments<'saveConstituentsCsv'>): Promise<Outcome<Saved>> {
    return this.#save(() => {
      const opened = this.#options.owners.page.view()
      if (opened?.id === indexId && opened.constituents !== undefined) {
        return file(`${indexId} constituents`, 'csv', constituentsCsv(indexId, opened.constituents))
      }
      const message = `The constituents of ${indexId} have not arrived yet. Try again in a moment.`
      return { ok: false, problem: { code: 'noConstituents', message } }
    })
  }

  exportLists({ listIds }: CommandArguments<'exportLists'>): Promise<Outcome<Saved>> {
    return this.#save(() => {
      const wanted = new Set(listIds)
      const lists = this.#options.owners.settings.get().watchlists.filter(({ id }) => wanted.has(id))
      if (lists.length < wanted.size) return unknownList
      const [only] = lists
      return file(lists.length === 1 && only !== undefined ? only.name : 'Watchlists', 'json', writeListFile(lists))
    })
  }

  async chooseListFile(): Promise<Outcome<CommandAnswer<'chooseListFile'>>> {
    const { owners, dialogs, newId } = this.#options
    const path = await dialogs.askWhichToRead('json')
    if (path === undefined) return { ok: true, value: null }
    this.#chosen = undefined
    const text = await readUserFile(path, mostUserJsonBytes)
    if (!text.ok) return text
    const lists = readListFile(text.value)
    if (!lists.ok) return lists
    const planned = planImport(owners.settings.get().watchlists, lists.value, newId)
    if (!planned.ok) return planned
    const importId = newId()
    this.#chosen = { importId, lists: lists.value }
    const { adds, changes, lists: told } = planned.value
    return { ok: true, value: { importId, fileName: basename(path), adds, changes, lists: told } }
  }

  /** The lists may be others than when the file was chosen: what it does is counted anew. */
  importLists({ importId }: CommandArguments<'importLists'>): Outcome<CommandAnswer<'importLists'>> {
    const { owners, newId } = this.#options
    if (this.#chosen?.importId !== importId) {
      const message = 'This file was imported already, or another one was chosen since. Choose it again.'
      return { ok: false, problem: { code: 'unknownImport', message } }
    }
    const planned = planImport(owners.settings.get().watchlists, this.#chosen.lists, newId)
    this.#chosen = undefined
    if (!planned.ok) return planned
    const { adds, changes, watchlists } = planned.value
    owners.settings.setLists(watchlists)
    return { ok: true, value: { adds, changes } }
  }

  copyText({ text }: CommandArguments<'copyText'>): Promise<Outcome<null>> {
    return this.#options.dialogs.copy(text)
  }

  /** What is saved is what there is when the user has said where, not when they were asked. */
  async #save(content: () => Outcome<SuggestedFile & { text: string }>): Promise<Outcome<Saved>> {
    const suggested = content()
    if (!suggested.ok) return suggested
    const path = await this.#options.dialogs.askWhereToSave(suggested.value)
    if (path === undefined) return { ok: true, value: null }
    const latest = content()
    const saved = await saveUserFile(path, (latest.ok ? latest : suggested).value.text)
    return saved.ok ? { ok: true, value: { fileName: basename(path) } } : saved
  }
}

function file(name: string, kind: SuggestedFile['kind'], text: string): Outcome<SuggestedFile & { text: string }> {
  return { ok: true, value: { name, kind, text } }
}

const unknownList: Outcome<never> = {
  ok: false,
  problem: { code: 'unknownList', message: 'There is no such list any more. Choose another one.' },
}
