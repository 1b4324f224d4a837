import type { EntryChanges } from '../../protocol/desktop'

/**
 * A list after a change. What is known keeps its place; what is new goes to the end, or before all others where the
 * list has the newest first. Applied once more, a change makes no difference.
 */
export function withChanges<T extends { id: string }>(
  list: readonly T[],
  { put, removed }: EntryChanges<T>,
  newOnes: 'first' | 'last',
): T[] {
  const changed = new Map(put.map((entry) => [entry.id, entry]))
  const gone = new Set(removed)
  const kept = list.flatMap((entry) => {
    const next = changed.get(entry.id) ?? entry
    changed.delete(entry.id)
    return gone.has(entry.id) ? [] : [next]
  })
  return newOnes === 'first' ? [...changed.values(), ...kept] : [...kept, ...changed.values()]
}
