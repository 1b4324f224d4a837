import type { CommandAnswer, CommandArguments } from '../../protocol/desktop'
import type { ConnectionProfile, Outcome, Settings, Watchlist } from '../../protocol/model'
import type { Preferences } from '../../protocol/preferences'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import * as changes from './list-changes'
import type { Change } from './list-changes'
import { firstSettings, readSettings, toDocument } from './settings-document'

export interface SettingsEvents {
  changed: Settings
  /** A sentence the user should read once. */
  notice: string
}

/**
 * Owner of what the user chose. A change counts at once, in memory; it is saved in the background, and a save that fails
 * says so once and loses nothing: the next one saves everything.
 */
export class SettingsStore {
  readonly events: Emitter<SettingsEvents>
  readonly #backend: JsonFile
  readonly #newId: () => string
  #settings = firstSettings()
  #mayBeSaved = true
  #isSaved = true
  #hasSaidNotSaved = false
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: { backend: JsonFile; newId: () => string; onError: (error: unknown) => void }) {
    this.#backend = options.backend
    this.#newId = options.newId
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
    return this.#apply(changes.addIndex(this.#settings, args))
  }

  removeIndex(args: CommandArguments<'removeIndex'>): Outcome<CommandAnswer<'removeIndex'>> {
    return this.#apply(changes.removeIndex(this.#settings, args))
  }

  setResolution(args: CommandArguments<'setResolution'>): Outcome<null> {
    return this.#apply(changes.setResolution(this.#settings, args))
  }

  moveIndex(args: CommandArguments<'moveIndex'>): Outcome<null> {
    return this.#apply(changes.moveIndex(this.#settings, args))
  }

  createList({ name }: CommandArguments<'createList'>): Outcome<CommandAnswer<'createList'>> {
    return this.#apply(changes.createList(this.#settings, name, this.#newId()))
  }

  renameList(args: CommandArguments<'renameList'>): Outcome<null> {
    return this.#apply(changes.renameList(this.#settings, args))
  }

  removeList(args: CommandArguments<'removeList'>): Outcome<CommandAnswer<'removeList'>> {
    return this.#apply(changes.removeList(this.#settings, args))
  }

  restoreList(args: CommandArguments<'restoreList'>): Outcome<null> {
    return this.#apply(changes.restoreList(this.#settings, args))
  }

  moveList(args: CommandArguments<'moveList'>): Outcome<null> {
    return this.#apply(changes.moveList(this.#settings, args))
  }

  arrangeList(args: CommandArguments<'arrangeList'>): Outcome<null> {
    return this.#apply(changes.arrangeList(this.#settings, args))
  }

  setPinned(args: CommandArguments<'setPinned'>): Outcome<null> {
    return this.#apply(changes.setPinned(this.#settings, args))
  }

  /** Puts all lists in the place of those there are: what an import has made of them. */
  setLists(watchlists: Watchlist[]): void {
    this.#change({ ...this.#settings, watchlists })
  }

  setPreferences(preferences: Partial<Preferences>): void {
    this.#change({ ...this.#settings, ...preferences })
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

  #apply<T>(change: Change<T>): Outcome<T> {
    if (!change.ok) return change
    const { settings, answer } = change.value
    if (settings !== this.#settings) this.#change(settings)
    return { ok: true, value: answer }
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
