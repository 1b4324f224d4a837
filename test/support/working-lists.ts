import { sampleSnapshot } from './sample-window'

/** The sample window with these additional lists. */
export function snapshotWithLists(...names: string[]): ReturnType<typeof sampleSnapshot> {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.watchlists.push(
    ...names.map((name) => ({
      id: name.toLowerCase(),
      name,
      entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' as const }],
    })),
  )
  return snapshot
}
