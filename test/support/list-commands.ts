import type { WindowSnapshot } from '../../protocol/desktop'
import type { WatchlistEntry } from '../../core/model'
import { sampleNowMs, sampleSnapshot } from './sample-window'

/** Id of an index of `longSnapshot`, from 0. */
export function longId(at: number): string {
  return `IX${String(at).padStart(4, '0')}_RTI`
}

/** A list of `count` indices that have a value each. */
export function longSnapshot(count: number): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const ids = Array.from({ length: count }, (_, at) => longId(at))
  const entries = ids.map<WatchlistEntry>((id) => ({ id, maxResolution: 'PER_SECOND' }))
  snapshot.state.settings.watchlists = [{ id: 'watchlist', name: 'My list', entries }]
  snapshot.state.catalogue = ids.map((id, at) => ({ id, name: `Index number ${at}`, maxResolution: 'PER_SECOND' }))
  snapshot.rows = []
  snapshot.quotes = ids.map((id, at) => ({
    id,
    value: `${(at * 7919) % 1000}.50`,
    publishedAtMs: sampleNowMs - 400,
    source: 'stream',
    ageMs: 400,
  }))
  return snapshot
}
