import type { CommandAnswer, CommandArguments } from '../../protocol/desktop'
import type { ConnectionProfile, Outcome, Settings, Theme, Watchlist, WatchlistEntry } from '../../protocol/model'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import { firstSettings, readSettings, toDocument } from './settings-document'

export interface SettingsEvents {
  changed: Settings
  /** A sentence the user should read once. */
  notice: string
}

/** Far above any list a person keeps; keeps the file small enough to be read back. */
const mostEntries = 2_000

/**
 * Owner of what the user chose. A change counts at once, in memory; it is saved in the background, and a save that fails
 * says so once and loses nothing: the next one saves everything.
 */
export class SettingsStore {
  readonly events: Emitter<SettingsEvents>
  readonly #backend: JsonFile
  #settings = firstSettings()
  #mayBeSaved = true
  #isSaved = true
  #hasSaidNotSaved = false
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: { backend: JsonFile; onError: (error: unknown) => void }) {
    this.#backend = options.backend
    this.events = new Emitter(options.onError)
  }

  /** Reads the saved settings; to be awaited before anything is asked or changed. What went wrong comes as a notice. */
  async load(): Promise<void> {
    const read = await this.#backend.read()
    const found = 'value' in read ? readSettings(read.value) : undefined
    if (found?.kind === 'ok') this.#settings = found.settings
    if (found?.kind === 'newer') {
      this.#mayBeSaved = false
      this.events.emit(
        'notice',
        'The settings were made by a newer version of Indexwatch. They are left as they are; what you change now is forgotten when the app ends. Install the newer version to use them.',
      )
      return
    }
    const notice = noticeOf(read, this.#backend.name)
    if (notice !== undefined) this.events.emit('notice', notice)
    if (read.kind !== 'ok') this.#save()
  }

  get(): Settings {
    return this.#settings
  }

  addIndex(args: CommandArguments<'addIndex'>): Outcome<CommandAnswer<'addIndex'>> {
    const { listId, indexId, position, maxResolution = 'PER_SECOND' } = args
    const list = this.#list(listId)
    if (list === undefined) return unknownList
    if (list.entries.some((entry) => entry.id === indexId)) return { ok: true, value: { wasThere: true } }
    if (list.entries.length >= mostEntries) {
      return failure('listFull', `A list holds at most ${mostEntries} indices. Remove one first.`)
    }
    this.#setEntries(list, list.entries.toSpliced(position ?? list.entries.length, 0, { id: indexId, maxResolution }))
    return { ok: true, value: { wasThere: false } }
  }

  removeIndex(args: CommandArguments<'removeIndex'>): Outcome<CommandAnswer<'removeIndex'>> {
    const list = this.#list(args.listId)
    if (list === undefined) return unknownList
    const position = list.entries.findIndex((entry) => entry.id === args.indexId)
    if (position === -1) return notInList(args.indexId)
    this.#setEntries(list, list.entries.toSpliced(position, 1))
    return { ok: true, value: { position } }
  }

  setResolution(args: CommandArguments<'setResolution'>): Outcome<null> {
    const { indexId: id, maxResolution } = args
    const list = this.#list(args.listId)
    if (list === undefined) return unknownList
    if (!list.entries.some((entry) => entry.id === id)) return notInList(id)
    this.#setEntries(
      list,
      list.entries.map((entry) => (entry.id === id ? { id, maxResolution } : entry)),
    )
    return { ok: true, value: null }
  }

  setTheme(theme: Theme): void {
    this.#change({ ...this.#settings, theme })
  }

  setProfile(profile: ConnectionProfile): void {
    const { profiles } = this.#settings
    const isKnown = profiles.some(({ id }) => id === profile.id)
    const changed = isKnown ? profiles.map((held) => (held.id === profile.id ? profile : held)) : [...profiles, profile]
    this.#change({ ...this.#settings, profiles: changed })
  }

  removeProfile(profileId: string): void {
    this.#change({ ...this.#settings, profiles: this.#settings.profiles.filter(({ id }) => id !== profileId) })
  }

  /** Done when everything is saved or one more attempt has failed. */
  async flush(): Promise<void> {
    await this.#lastSave
    if (this.#isSaved) return
    this.#save()
    await this.#lastSave
  }

  #list(listId: string): Watchlist | undefined {
    return this.#settings.watchlists.find((list) => list.id === listId)
  }

  #setEntries(changed: Watchlist, entries: WatchlistEntry[]): void {
    const watchlists = this.#settings.watchlists.map((list) => (list === changed ? { ...list, entries } : list))
    this.#change({ ...this.#settings, watchlists })
  }

  #change(settings: Settings): void {
    this.#settings = settings
    this.#save()
    this.events.emit('changed', settings)
  }

  #save(): void {
    if (!this.#mayBeSaved) return
    this.#isSaved = false
    this.#lastSave = this.#backend.write(toDocument(this.#settings)).then((outcome) => {
      this.#isSaved = outcome.ok
      if (!outcome.ok && !this.#hasSaidNotSaved) this.events.emit('notice', outcome.problem.message)
      this.#hasSaidNotSaved = !outcome.ok
    })
  }
}

function noticeOf(read: JsonRead, name: string): string | undefined {
  if (read.kind === 'restored') {
    return `The settings file ${name} could not be read. The last good copy is in use; the damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The settings file ${name} could not be read and there was no copy. Indexwatch starts as on the first day; the damaged file is kept as ${read.setAsidePath}.`
  }
  return undefined
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

const unknownList = failure('unknownList', 'There is no such list any more. Choose another one.')

function notInList(indexId: string): Outcome<never> {
  return failure('notInList', `${indexId} is not in this list.`)
}
