import * as v from 'valibot'
import { profileSchema, watchlistSchema } from '../../protocol/settings-schema'
import { storedGlanceIds } from '../../protocol/shapes'
import {
  done,
  failure,
  type ConnectionProfile,
  type Outcome,
  type Problem,
  type Settings,
  type Watchlist,
  type WatchlistEntry,
} from '../../protocol/model'
import { defaultPreferences, storedPreferences, type Preferences } from '../../protocol/preferences'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import { isRecord } from '../base/sanitize'

/** The settings after a change, and what it answers; or why it cannot be made. */
export type SettingsChange<T> = Outcome<{ settings: Settings; answer: T }>

export interface SettingsEvents {
  changed: Settings
  /** A sentence the user should read once. */
  notice: string
}

const retryMs = 5_000

/**
 * Owner of what the user chose. A change counts and is reported at once; its answer comes when it is on the disk. A save
 * that fails says so, one notice for each cause, and loses nothing: it is tried again every five seconds and with the next
 * change, and a notice says when all is saved.
 */
export class SettingsStore {
  readonly events: Emitter<SettingsEvents>
  readonly #backend: JsonFile
  readonly #clock: Clock
  #settings = firstSettings()
  /** Apart from the settings, which the window gets whole. */
  #spreadsheetTokenHash: string | undefined
  #mayBeSaved = true
  #isSaved = true
  /** Why the last save failed, as the last notice has it. */
  #saidProblem: Problem['code'] | undefined
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
    if (found?.kind === 'newer') {
      this.#mayBeSaved = false
      this.events.emit(
        'notice',
        'The settings were made by a newer version of Indexwatch. They are left as they are; changes you make now are lost when the app quits. Install the newer version to use them.',
      )
      return failure('newerVersion', 'The settings were made by a newer version of Indexwatch. Update this one.')
    }
    const notice = noticeOf(read, this.#backend.name)
    if (notice !== undefined) this.events.emit('notice', notice)
    this.#mayBeSaved = read.kind !== 'unreadable'
    if (read.kind === 'unreadable') return failure('unreadable', `The settings cannot be read. (${read.reason})`)
    if (read.kind !== 'ok') this.#save()
    return read.kind === 'lost' && notice !== undefined ? failure('unreadable', notice) : done
  }

  get(): Settings {
    return this.#settings
  }

  /** Whether the disk has all of it. */
  get isSaved(): boolean {
    return this.#mayBeSaved && this.#isSaved
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
    return { ok: true, value: answer }
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
    this.#save()
    return this.#lastSave
  }

  removeProfile(profileId: string): Promise<void> {
    return this.#replace({ ...this.#settings, profiles: this.#settings.profiles.filter(({ id }) => id !== profileId) })
  }

  /** For the end: done when everything is saved or a last attempt has failed. */
  async flush(): Promise<void> {
    await this.#lastSave
    if (this.#isSaved) return
    this.#save()
    await this.#lastSave
    this.#cancelRetry?.()
  }

  #replace(settings: Settings): Promise<void> {
    this.#settings = settings
    this.#save()
    this.events.emit('changed', settings)
    return this.#lastSave
  }

  #save(): void {
    if (!this.#mayBeSaved) return
    this.#isSaved = false
    this.#cancelRetry?.()
    this.#lastSave = this.#backend.write(toDocument(this.#settings, this.#spreadsheetTokenHash)).then((outcome) => {
      this.#isSaved = outcome.ok
      this.#report(outcome)
      if (outcome.ok) return
      this.#cancelRetry?.()
      this.#cancelRetry = this.#clock.after(retryMs, () => {
        this.#save()
      })
    })
  }

  #report(outcome: Outcome<null>): void {
    const problem = outcome.ok ? undefined : outcome.problem.code
    if (problem === this.#saidProblem) return
    this.#saidProblem = problem
    this.events.emit('notice', outcome.ok ? 'All changes are saved now.' : outcome.problem.message)
  }
}

function noticeOf(read: JsonRead, name: string): string | undefined {
  if (read.kind === 'unreadable') {
    return `The settings file ${name} could not be read and is left as it is. Changes you make now are lost when the app quits. Check the disk and start Indexwatch again. (${read.reason})`
  }
  if (read.kind === 'restored') {
    return `The settings file ${name} could not be read. The last good copy is in use; the damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The settings file ${name} could not be read and there was no copy. Indexwatch starts with default settings; the damaged file is kept as ${read.setAsidePath}.`
  }
  return undefined
}

/** The settings as they lie on the disk. */
type SettingsDocument = Settings & { version: number; spreadsheetTokenHash?: string }

/** The first one that is released; what was before it is not read. */
const version = 2

const settingsSchema = v.object({
  ...storedPreferences,
  watchlists: v.pipe(
    v.array(watchlistSchema),
    v.minLength(1),
    v.check((lists) => new Set(lists.map((list) => list.id)).size === lists.length),
  ),
  pinnedIds: storedGlanceIds,
  profiles: v.array(profileSchema),
  spreadsheetTokenHash: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/))),
})

export type SettingsRead =
  | { kind: 'ok'; settings: Settings; spreadsheetTokenHash: string | undefined }
  | { kind: 'newer' }
  | { kind: 'invalid' }

/**
 * Reads a settings document. `newer` was written by a later version of the app: it means something, so it is neither
 * touched nor guessed at.
 */
export function readSettings(document: unknown): SettingsRead {
  const written = isRecord(document) ? document['version'] : undefined
  if (typeof written !== 'number' || !Number.isSafeInteger(written) || written < version) return { kind: 'invalid' }
  if (written > version) return { kind: 'newer' }
  const read = v.safeParse(settingsSchema, document)
  if (!read.success) return { kind: 'invalid' }
  const { spreadsheetTokenHash, ...settings } = read.output
  return { kind: 'ok', settings, spreadsheetTokenHash }
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
  const watchlists = [{ id: 'watchlist', name: 'Watchlist', entries }]
  return { ...defaultPreferences(), watchlists, pinnedIds: [], profiles: [] }
}
