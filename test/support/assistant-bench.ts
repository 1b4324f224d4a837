/** A profile and a running app for tests of assistants. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Watchlist } from '../../core/model'
import { defaultPreferences } from '../../core/preferences'
import { AssistantAccess } from '../../main/access/assistant-access'
import { listenPrivately } from '../../main/access/private-socket'
import type { ProgramData } from '../../main/access/program-data'
import { SystemClock, type Clock } from '../../main/base/clock'
import { redactor } from '../../main/base/log'
import { toDocument } from '../../main/storage/settings'
import { eventually } from './eventually'
import { historyStartMs, storedValue } from './history-thread'
import { MemoryHistory } from './memory-history'
import { openHistory } from './open-history'
import { temporaryFolder } from './temporary-folder'

export const watchlists: Watchlist[] = [
  { id: 'watchlist', name: 'My list', entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' }] },
]
/** A secret that no answer may contain. */
export const canary = 'assistant-canary-19f4'

export function keepSettings(folder: string, more: object = {}): void {
  const settings = {
    ...defaultPreferences(),
    allowsAssistants: true,
    watchlists,
    pinnedIds: [],
    profiles: [],
    webhooks: [],
  }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...toDocument(settings), ...more }))
}

/** The profile of a closed app. */
export async function keptProfile(): Promise<string> {
  const folder = temporaryFolder()
  keepSettings(folder)
  const { history } = await openHistory({ folder })
  await history.use('demo')
  await history.commit({ values: [storedValue(0, '68123.4500'), storedValue(1, '68124.10')] })
  await history.close()
  return folder
}

/** A running app, as far as assistants need it. */
export async function runningApp(
  folder: string,
  {
    clock = new SystemClock(),
    lists = watchlists,
    more = {},
  }: { clock?: Clock; lists?: readonly Watchlist[]; more?: Partial<ProgramData> } = {},
) {
  const history = new MemoryHistory()
  const data: Omit<ProgramData, 'proposals' | 'propose'> = {
    answeredBy: 'app',
    isDemo: false,
    nowMs: historyStartMs + 2_000,
    watchlists: lists,
    catalogue: [{ id: 'BRTI', name: `Real Time ${canary}`, maxResolution: 'PER_SECOND' }],
    connections: [],
    rules: [],
    history,
    latest: () => ({
      value: '70000.100',
      publishedAtMs: historyStartMs,
      ageMs: 2_000,
      isStale: false,
      source: 'stream',
    }),
    resolutionOf: () => 'PER_SECOND',
    refusal: () => undefined,
    constituents: () => Promise.resolve(undefined),
    valueAt: (id, atMs) => Promise.resolve({ ok: true, value: { id, atMs, revisions: [] } }),
    amendments: () => Promise.resolve({ ok: true, value: { amendments: [] } }),
    events: () => Promise.reject(new Error('the disk is gone')),
    explain: () => undefined,
    explainAt: () => Promise.resolve({ ok: true, value: { kind: 'lost' } }),
    ...more,
  }
  const errors: unknown[] = []
  let made = 0
  const access = new AssistantAccess({
    clock,
    newId: () => `n${++made}`,
    listen: (onChannel) => listenPrivately(folder, onChannel),
    data: () => data,
    watchlists: () => lists,
    faultOf: () => undefined,
    redact: redactor(() => [canary]),
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => access.dispose())
  access.setAllowed(true)
  await eventually(() => expect(existsSync(join(folder, 'assistants', 'socket'))).toBe(true))
  return { access, errors }
}
