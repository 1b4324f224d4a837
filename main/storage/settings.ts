import {
  ok,
  done,
  failure,
  type ConnectionProfile,
  type Outcome,
  type Problem,
  type Settings,
  type Watchlist,
  type WatchlistEntry,
} from '../../core/model'
import { defaultPreferences, type Preferences } from '../../core/preferences'
import { within, type Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import { isRecord } from '../base/sanitize'
import { readFields } from './settings-fields'
import { unsavedIn, type UnsavedSettings } from './unsaved-settings'

/** The settings after a change, and what it answers; or why it cannot be made. */
export type SettingsChange<T> = Outcome<{ settings: Settings; answer: T }>

export interface SettingsEvents {
  changed: Settings
  /** What is not saved is different now. */
  unsavedChanged: null
  /** A sentence the user should read once. */
  notice: string
}

const retryMs = 5_000
/** A disk that takes longer than this is slow: a change is answered, and is marked until it is saved. */
const slowAfterMs = 2_000

/**
 * Owner of what the user chose. A change counts and is reported at once. It is answered when it is on the disk, or once it
 * counts as unsaved: the disk refuses, or is slow. A save that fails loses nothing: it is tried again every five seconds and
 * with the next change.
 */
export class SettingsStore {
  readonly events: Emitter<SettingsEvents>
  readonly #backend: JsonFile
  readonly #clock: Clock
  #settings = firstSettings()
  /** Apart from the settings, which the window gets whole. */
  #spreadsheetTokenHash: string | undefined
  /** What the disk has. */
  #onDisk: OnDisk = { settings: this.#settings, spreadsheetTokenHash: undefined }
  #mayBeSaved = true
  #isSaved = true
  /** Why what is not on the disk is not there; absent while a save is still expected to succeed. */
  #problem: Problem | undefined
  #hasSaidSlow = false
  #cancelRetry: (() => void) | undefined
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: { backend: JsonFile; clock: Clock; onError: (error: unknown) => void }) {
    this.#backend = options.backend
    this.#clock = options.clock
    this.events = new Emitter(options.onError)
  }

  /**
   * Reads the saved settings; to be awaited before anything is asked or changed. What went wrong comes as a notice. Problems
   * `newerVersion`, `unreadable`: those of a first start count instead, and what is on the disk is kept.
   */
  async load(): Promise<Outcome<null>> {
    const read = await this.#backend.read()
    const found = 'value' in read ? readSettings(read.value) : undefined
    if (found?.kind === 'ok') {
      this.#settings = found.settings
      this.#spreadsheetTokenHash = found.spreadsheetTokenHash
    }
    this.#onDisk = { settings: this.#settings, spreadsheetTokenHash: this.#spreadsheetTokenHash }
    if (found?.kind === 'newer') {
      this.#refuseSaving(failure('newerVersion', 'The settings were written by a newer version of Indexwatch.').problem)
      this.events.emit(
        'notice',
        'The settings were written by a newer version of Indexwatch and were not changed. Changes you make now are lost when the app quits. Install the newer version to use them.',
      )
      return failure('newerVersion', 'The settings were written by a newer version of Indexwatch. Update this one.')
    }
    const dropped = found?.kind === 'ok' ? found.dropped : []
    const notice = noticeOf(read, this.#backend.name)
    if (notice !== undefined) this.events.emit('notice', notice)
    if (dropped.length > 0) this.events.emit('notice', droppedNotice(dropped, read, this.#backend.name))
    if (read.kind === 'unreadable') {
      this.#refuseSaving(failure('unreadable', 'The settings file could not be read.').problem)
      return failure('unreadable', `The settings cannot be read. (${read.reason})`)
    }
    if (read.kind !== 'ok' || dropped.length > 0) void this.#save()
    return read.kind === 'lost' && notice !== undefined ? failure('unreadable', notice) : done
  }

  get(): Settings {
    return this.#settings
  }

  /** Whether the disk has all of it. */
  get isSaved(): boolean {
    return this.#mayBeSaved && this.#isSaved
  }

  /** What the disk does not have, and why; `undefined` where nothing is missing or a save is about to succeed. */
  get unsaved(): UnsavedSettings | undefined {
    if (this.#problem === undefined) return undefined
    const unsaved = unsavedIn(this.#onDisk.settings, this.#settings)
    if (this.#onDisk.spreadsheetTokenHash !== this.#spreadsheetTokenHash) unsaved.names.push('token for spreadsheets')
    return unsaved.names.length === 0 ? undefined : { ...unsaved, problem: this.#problem }
  }

  /** SHA-256 of the token that spreadsheets show; absent until one is made. */
  get spreadsheetTokenHash(): string | undefined {
    return this.#spreadsheetTokenHash
  }

  /** Makes a change, or answers why it cannot be made. */
  async change<T>(step: (settings: Settings) => SettingsChange<T>): Promise<Outcome<T>> {
    const change = step(this.#settings)
    if (!change.ok) return change
    const { settings, answer } = change.value
    if (settings !== this.#settings) await this.#replace(settings)
    return ok(answer)
  }

  /** Puts all lists in the place of those there are: what an import has made of them. */
  setLists(watchlists: Watchlist[]): Promise<void> {
    return this.#replace({ ...this.#settings, watchlists })
  }

  setPreferences(preferences: Partial<Preferences>): Promise<void> {
    return this.#replace({ ...this.#settings, ...preferences })
  }

  setProfile(profile: ConnectionProfile): Promise<void> {
    const { profiles } = this.#settings
    const isKnown = profiles.some(({ id }) => id === profile.id)
    const changed = isKnown ? profiles.map((held) => (held.id === profile.id ? profile : held)) : [...profiles, profile]
    return this.#replace({ ...this.#settings, profiles: changed })
  }

  /** Of the token that spreadsheets show from now on; no part of the settings changes. */
  setSpreadsheetTokenHash(spreadsheetTokenHash: string): Promise<void> {
    this.#spreadsheetTokenHash = spreadsheetTokenHash
    return this.#save()
  }

  removeProfile(profileId: string): Promise<void> {
    return this.#replace({ ...this.#settings, profiles: this.#settings.profiles.filter(({ id }) => id !== profileId) })
  }

  /** Done when everything is saved or one more attempt has failed. */
  async flush(): Promise<void> {
    await this.#lastSave
    if (this.#isSaved) return
    void this.#save()
    await this.#lastSave
  }

  #replace(settings: Settings): Promise<void> {
    this.#settings = settings
    const answered = this.#save()
    this.events.emit('changed', settings)
    return answered
  }

  /** Done when it is saved, or counts as unsaved. */
  #save(): Promise<void> {
    if (this.#problem !== undefined) this.events.emit('unsavedChanged', null)
    if (!this.#mayBeSaved) return Promise.resolve()
    this.#isSaved = false
    this.#cancelRetry?.()
    const written = { settings: this.#settings, spreadsheetTokenHash: this.#spreadsheetTokenHash }
    const document = toDocument(written.settings, written.spreadsheetTokenHash)
    this.#lastSave = this.#backend.write(document).then((outcome) => this.#saved(written, outcome))
    return within(this.#lastSave, { clock: this.#clock, timeoutMs: slowAfterMs }, () => this.#foundSlow())
  }

  #saved(written: OnDisk, outcome: Outcome<null>): void {
    this.#cancelRetry?.()
    if (outcome.ok) {
      this.#onDisk = written
      this.#isSaved = written.settings === this.#settings && written.spreadsheetTokenHash === this.#spreadsheetTokenHash
    } else {
      this.#cancelRetry = this.#clock.after(retryMs, () => void this.#save())
    }
    // After a later change the next save clears the problem.
    if (!outcome.ok) this.#setProblem(outcome.problem)
    else if (this.#isSaved) this.#setProblem(undefined)
  }

  #foundSlow(): void {
    this.#setProblem(this.#problem ?? failure('slowDisk', 'The disk is slow.').problem)
    if (this.#hasSaidSlow) return
    this.#hasSaidSlow = true
    this.events.emit('notice', 'The disk is slow. Changes are marked as not saved until they are on the disk.')
  }

  #setProblem(problem: Problem | undefined): void {
    const hasChanged = problem?.code !== this.#problem?.code
    this.#problem = problem
    if (hasChanged) this.events.emit('unsavedChanged', null)
  }

  #refuseSaving(problem: Problem): void {
    this.#mayBeSaved = false
    this.#problem = problem
  }
}

interface OnDisk {
  settings: Settings
  spreadsheetTokenHash: string | undefined
}

function noticeOf(read: JsonRead, name: string): string | undefined {
  if (read.kind === 'unreadable') {
    return `The settings file ${name} could not be read and was not changed. Changes you make now are lost when the app quits. Check the disk and start Indexwatch again. (${read.reason})`
  }
  if (read.kind === 'restored') {
    return `The settings file ${name} could not be read. The last good copy is in use. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The settings file ${name} could not be read and there was no copy. Indexwatch starts with default settings. The damaged file is kept as ${read.setAsidePath}.`
  }
  return undefined
}

/** So many are named. */
const maxNamed = 6

function droppedNotice(dropped: readonly string[], read: JsonRead, name: string): string {
  const more = dropped.length - maxNamed
  const named = dropped.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const kept =
    read.kind === 'ok' && read.setAsidePath !== undefined ? ` The original file is kept as ${read.setAsidePath}` : ''
  return `Some settings in ${name} were invalid and were reset: ${named}. The other settings are kept.${kept}`
}

/** The settings as they lie on the disk. */
type SettingsDocument = Settings & { version: number; spreadsheetTokenHash?: string }

/** The first one that is released; what was before it is not read. */
const version = 2

export type SettingsRead =
  | { kind: 'ok'; settings: Settings; spreadsheetTokenHash: string | undefined; dropped: string[] }
  | { kind: 'newer' }
  | { kind: 'invalid' }

/**
 * Reads a settings document. What cannot be used of it has its default and is named in `dropped`. `newer` was written by a
 * later version of the app: it means something, so it is neither touched nor guessed at. `invalid`: nothing can be used.
 */
export function readSettings(document: unknown): SettingsRead {
  if (!isRecord(document)) return { kind: 'invalid' }
  const written = document['version']
  const isVersion = typeof written === 'number' && Number.isSafeInteger(written)
  if (isVersion && written > version) return { kind: 'newer' }
  const { hasGoodField, dropped, ...fields } = readFields(document, firstSettings())
  if (!hasGoodField) return { kind: 'invalid' }
  return { kind: 'ok', ...fields, dropped: written === version ? dropped : ['version', ...dropped] }
}

/** Whether a settings file is worth keeping in its place. */
export function isSettingsDocument(value: unknown): boolean {
  return readSettings(value).kind !== 'invalid'
}

export function toDocument(settings: Settings, spreadsheetTokenHash?: string): SettingsDocument {
  return { version, ...settings, ...(spreadsheetTokenHash !== undefined && { spreadsheetTokenHash }) }
}

const firstIds = [
  'BRTI',
  'ETHUSD_RTI',
  'SOLUSD_RTI',
  'XRPUSD_RTI',
  'NCI',
  'UC5_RTI_TR',
  'BRR',
  'SHIBUSD_RTI',
  'ETH_SRR',
  'APT_SRR',
  'LINKUSD_RTI',
]

/** What a first start shows: one of each kind of index, so that every form a value takes is there to see. */
export function firstSettings(): Settings {
  const entries = firstIds.map((id): WatchlistEntry => ({ id, maxResolution: 'PER_SECOND' }))
  const watchlists = [{ id: 'watchlist', name: 'My list', entries }]
  return { ...defaultPreferences(), watchlists, pinnedIds: [], profiles: [] }
}
