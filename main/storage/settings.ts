import {
  ok,
  done,
  failure,
  type ConnectionProfile,
  type Outcome,
  type Problem,
  type Settings,
  type WatchlistEntry,
} from '../../core/model'
import { defaultPreferences } from '../../core/preferences'
import { withTimeout, type Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import { isRecord } from '../base/sanitize'
import { readFields } from './settings-fields'
import { unsavedIn, type UnsavedSettings } from './unsaved-settings'

/** The settings after a change and the answer to its caller, or why it cannot be made. */
export type SettingsChange<T> = Outcome<{ settings: Settings; answer: T }>

export interface SettingsEvents {
  changed: Settings
  /** `unsaved` changed. */
  unsavedChanged: null
  /** A sentence to show the user once. */
  notice: string
}

const retryMs = 5_000
/**
 * A save that takes longer than this counts as slow. The change is then answered, and marked as unsaved until it is
 * saved.
 */
const slowAfterMs = 2_000

/**
 * Owns the settings. A change applies and is reported immediately. It is answered when it is saved, or when it counts
 * as unsaved because the disk refuses or is slow. A failed save is retried every five seconds and with the next change.
 */
export class SettingsStore {
  readonly events: Emitter<SettingsEvents>
  readonly #backend: JsonFile
  readonly #clock: Clock
  #settings = firstSettings()
  /** Not part of Settings, because the window receives all of Settings. */
  #spreadsheetTokenHash: string | undefined
  /** The settings on disk. */
  #onDisk: OnDisk = { settings: this.#settings, spreadsheetTokenHash: undefined }
  #mayBeSaved = true
  #isSaved = true
  /** Why the settings in use are not on disk. Undefined while a save is expected to succeed. */
  #problem: Problem | undefined
  #hasReportedSlow = false
  #cancelRetry: (() => void) | undefined
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: { backend: JsonFile; clock: Clock; onError: (error: unknown) => void }) {
    this.#backend = options.backend
    this.#clock = options.clock
    this.events = new Emitter(options.onError)
  }

  /**
   * Reads the saved settings. Await it before any other call. Problems are reported as notices. On `newerVersion` and
   * `unreadable` the defaults are used and the file is left unchanged.
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

  /** True if all settings are on disk. */
  get isSaved(): boolean {
    return this.#mayBeSaved && this.#isSaved
  }

  /** The settings that are not on disk, and why. Undefined if there are none or a save is expected to succeed. */
  get unsaved(): UnsavedSettings | undefined {
    if (this.#problem === undefined) return undefined
    const unsaved = unsavedIn(this.#onDisk.settings, this.#settings)
    if (this.#onDisk.spreadsheetTokenHash !== this.#spreadsheetTokenHash) unsaved.names.push('token for spreadsheets')
    return unsaved.names.length === 0 ? undefined : { ...unsaved, problem: this.#problem }
  }

  /** SHA-256 of the token of spreadsheets. Undefined until one is created. */
  get spreadsheetTokenHash(): string | undefined {
    return this.#spreadsheetTokenHash
  }

  /** Applies a change, or returns why it cannot be made. */
  async change<T>(step: (settings: Settings) => SettingsChange<T>): Promise<Outcome<T>> {
    const change = step(this.#settings)
    if (!change.ok) return change
    const { settings, answer } = change.value
    if (settings !== this.#settings) await this.#replace(settings)
    return ok(answer)
  }

  /** Replaces these settings. */
  set(settings: Partial<Settings>): Promise<void> {
    return this.#replace({ ...this.#settings, ...settings })
  }

  setProfile(profile: ConnectionProfile): Promise<void> {
    const { profiles } = this.#settings
    const isKnown = profiles.some(({ id }) => id === profile.id)
    const changed = isKnown ? profiles.map((held) => (held.id === profile.id ? profile : held)) : [...profiles, profile]
    return this.set({ profiles: changed })
  }

  /** Replaces the hash of the spreadsheet token. The settings do not change. */
  setSpreadsheetTokenHash(spreadsheetTokenHash: string): Promise<void> {
    this.#spreadsheetTokenHash = spreadsheetTokenHash
    return this.#save()
  }

  removeProfile(profileId: string): Promise<void> {
    return this.set({ profiles: this.#settings.profiles.filter(({ id }) => id !== profileId) })
  }

  /** Resolves when everything is saved or one more attempt has failed. */
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

  /** Resolves when the change is saved or counts as unsaved. */
  #save(): Promise<void> {
    if (this.#problem !== undefined) this.events.emit('unsavedChanged', null)
    if (!this.#mayBeSaved) return Promise.resolve()
    this.#isSaved = false
    this.#cancelRetry?.()
    const written = { settings: this.#settings, spreadsheetTokenHash: this.#spreadsheetTokenHash }
    const document = toDocument(written.settings, written.spreadsheetTokenHash)
    this.#lastSave = this.#backend.write(document).then((outcome) => this.#saved(written, outcome))
    return withTimeout(this.#lastSave, { clock: this.#clock, timeoutMs: slowAfterMs }, () => this.#foundSlow())
  }

  #saved(written: OnDisk, outcome: Outcome<null>): void {
    this.#cancelRetry?.()
    if (outcome.ok) {
      this.#onDisk = written
      this.#isSaved = written.settings === this.#settings && written.spreadsheetTokenHash === this.#spreadsheetTokenHash
    } else {
      this.#cancelRetry = this.#clock.after(retryMs, () => void this.#save())
    }
    // If the settings changed again since, their own save clears the problem.
    if (!outcome.ok) this.#setProblem(outcome.problem)
    else if (this.#isSaved) this.#setProblem(undefined)
  }

  #foundSlow(): void {
    this.#setProblem(this.#problem ?? failure('slowDisk', 'The disk is slow.').problem)
    if (this.#hasReportedSlow) return
    this.#hasReportedSlow = true
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

/** Largest number of settings named in the notice. */
const maxNamed = 6

function droppedNotice(dropped: readonly string[], read: JsonRead, name: string): string {
  const more = dropped.length - maxNamed
  const named = dropped.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const kept =
    read.kind === 'ok' && read.setAsidePath !== undefined ? ` The original file is kept as ${read.setAsidePath}` : ''
  return `Some settings in ${name} were invalid and were reset: ${named}. The other settings are kept.${kept}`
}

/** The settings as stored on disk. */
type SettingsDocument = Settings & { version: number; spreadsheetTokenHash?: string }

/** Schema version of the first release. Older files are not read. */
const version = 2

export type SettingsRead =
  | { kind: 'ok'; settings: Settings; spreadsheetTokenHash: string | undefined; dropped: string[] }
  | { kind: 'newer' }
  | { kind: 'invalid' }

/**
 * Reads a settings document. Invalid fields get their default and are named in `dropped`. `newer`: written by a later
 * version, and left unchanged. `invalid`: no valid field.
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

/** True if the content is a settings file of this or a later version. */
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

/** Settings of a first start. The list has one index of each kind, so that every form of value is visible. */
export function firstSettings(): Settings {
  const entries = firstIds.map((id): WatchlistEntry => ({ id, maxResolution: 'PER_SECOND' }))
  const watchlists = [{ id: 'watchlist', name: 'My list', entries }]
  return { ...defaultPreferences(), watchlists, pinnedIds: [], profiles: [], webhooks: [] }
}
