import * as v from 'valibot'
import { entrySchema, preferenceSchemas, profileSchema, watchlistSchema } from '../../protocol/desktop-schema'
import type { Settings, WatchlistEntry } from '../../protocol/model'
import type { Preferences } from '../../protocol/preferences'
import { mostPinned } from '../base/list-rules'
import { isRecord } from '../base/untrusted-text'

/** The settings as they lie on the disk. */
export type SettingsDocument = Settings & { version: number }

type Migration = (document: Record<string, unknown>) => Record<string, unknown>

/** One step for each version there has been before this one; the first leads from version 1 to version 2. */
const migrations: readonly Migration[] = [withSeveralProfiles]

const settingsSchema = v.object({
  ...preferenceSchemas,
  // Files from before there were sounds have none; every version of the app can read them either way.
  alertSounds: v.optional(preferenceSchemas.alertSounds, () => [...firstPreferences.alertSounds]),
  watchlists: v.pipe(
    v.array(watchlistSchema),
    v.minLength(1),
    v.check((lists) => new Set(lists.map((list) => list.id)).size === lists.length),
  ),
  pinnedIds: v.pipe(
    v.array(entrySchema.entries.id),
    v.transform((ids) => [...new Set(ids)].slice(0, mostPinned)),
  ),
  profiles: v.array(profileSchema),
})

/** Version 1 had one connection, and a theme as its only preference. */
function withSeveralProfiles({ profile, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const profiles = isRecord(profile) ? [{ id: 'profile', auth: 'basic', isEnabled: true, ...profile }] : []
  return { ...firstPreferences, pinnedIds: [], ...rest, profiles }
}

export type SettingsRead = { kind: 'ok'; settings: Settings } | { kind: 'newer' } | { kind: 'invalid' }

/**
 * Reads a settings document of this or an earlier version. `newer` was written by a later version of the app: it means
 * something, so it is neither touched nor guessed at. `steps` is given by tests alone.
 */
export function readSettings(document: unknown, steps = migrations): SettingsRead {
  if (!isRecord(document)) return { kind: 'invalid' }
  const version = document['version']
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) return { kind: 'invalid' }
  if (version > steps.length + 1) return { kind: 'newer' }
  const migrated = steps.slice(version - 1).reduce((migrating, step) => step(migrating), document)
  const read = v.safeParse(settingsSchema, migrated)
  return read.success ? { kind: 'ok', settings: read.output } : { kind: 'invalid' }
}

/** Whether a settings file is worth keeping in its place. */
export function isSettingsDocument(value: unknown): boolean {
  return readSettings(value).kind !== 'invalid'
}

export function toDocument(settings: Settings): SettingsDocument {
  return { version: migrations.length + 1, ...settings }
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

const firstPreferences: Preferences = {
  theme: 'system',
  density: 'compact',
  directionColours: 'greenUp',
  grouping: 'comma',
  timeZone: 'system',
  changeBase: 'sessionFirst',
  showsNotifications: true,
  alertSounds: ['urgent'],
  startsAtLogin: false,
}

/** What a first start shows: one of each kind of index, so that every form a value takes is there to see. */
export function firstSettings(): Settings {
  const entries = firstIds.map((id): WatchlistEntry => ({ id, maxResolution: 'PER_SECOND' }))
  const watchlists = [{ id: 'watchlist', name: 'Watchlist', entries }]
  return { ...firstPreferences, watchlists, pinnedIds: [], profiles: [] }
}
