import type { Problem, Settings } from '../../core/model'
import { preferenceNames, type Preferences } from '../../core/preferences'

/** The settings that are not on disk, and why. */
export interface UnsavedSettings {
  problem: Problem
  preferences: (keyof Preferences)[]
  /** Ids. */
  lists: string[]
  /** Ids. */
  connections: string[]
  /** One for each change, including deleted items. */
  names: string[]
}

/** The differences between the settings on disk and those in use. */
export function unsavedIn(onDisk: Settings, inUse: Settings): Omit<UnsavedSettings, 'problem'> {
  const preferences = (Object.keys(preferenceNames) as (keyof Preferences)[]).filter(
    (key) => !isSame(onDisk[key], inUse[key]),
  )
  const lists = changedIn(onDisk.watchlists, inUse.watchlists)
  const connections = changedIn(onDisk.profiles, inUse.profiles)
  const names = [
    ...lists.names.map((name) => `watchlist “${name}”`),
    ...(lists.isReordered ? ['order of the watchlists'] : []),
    ...(isSame(onDisk.pinnedIds, inUse.pinnedIds) ? [] : ['pinned indices']),
    ...connections.names.map((name) => `connection “${name}”`),
    ...changedIn(onDisk.webhooks, inUse.webhooks).names.map((name) => `webhook “${name}”`),
    ...(isSame(onDisk.desk, inUse.desk) ? [] : ['desk']),
    ...preferences.map((key) => preferenceNames[key]),
  ]
  return { preferences, lists: lists.ids, connections: connections.ids, names }
}

/** A setting may have been changed back, so the content is compared. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

interface Named {
  id: string
  name: string
}

function changedIn<T extends Named>(before: readonly T[], now: readonly T[]) {
  const known = new Map(before.map((each) => [each.id, each]))
  const kept = new Map(now.map((each) => [each.id, each]))
  const changed = now.filter((each) => !isSame(known.get(each.id), each))
  const gone = before.filter(({ id }) => !kept.has(id))
  const inBoth = (all: readonly T[]) => all.flatMap(({ id }) => (known.has(id) && kept.has(id) ? [id] : []))
  return {
    ids: changed.map(({ id }) => id),
    names: [...changed, ...gone].map(({ name }) => name),
    isReordered: inBoth(before).join('\n') !== inBoth(now).join('\n'),
  }
}
