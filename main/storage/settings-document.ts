import * as v from 'valibot'
import { indexIdPattern, profileSchema } from '../../protocol/desktop-schema'
import { requestedResolutions, themes } from '../../protocol/model'
import type { Settings, WatchlistEntry } from '../../protocol/model'
import { isRecord } from '../base/untrusted-text'

/** The settings as they lie on the disk. */
export type SettingsDocument = Settings & { version: number }

type Migration = (document: Record<string, unknown>) => Record<string, unknown>

/** One step for each version there has been before this one; the first leads from version 1 to version 2. */
const migrations: readonly Migration[] = []

const entrySchema = v.object({
  id: v.pipe(v.string(), v.regex(indexIdPattern)),
  maxResolution: v.picklist(requestedResolutions),
})

const watchlistSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  entries: v.pipe(v.array(entrySchema), v.transform(withoutRepeats)),
})

const settingsSchema = v.object({
  theme: v.picklist(themes),
  watchlists: v.pipe(
    v.array(watchlistSchema),
    v.minLength(1),
    v.check((lists) => new Set(lists.map((list) => list.id)).size === lists.length),
  ),
  profile: v.exactOptional(profileSchema),
})

function withoutRepeats(entries: WatchlistEntry[]): WatchlistEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
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

/** What a first start shows: one of each kind of index, so that every form a value takes is there to see. */
export function firstSettings(): Settings {
  const entries = firstIds.map((id): WatchlistEntry => ({ id, maxResolution: 'PER_SECOND' }))
  return { theme: 'system', watchlists: [{ id: 'watchlist', name: 'Watchlist', entries }] }
}
