/** Data for assistants, from the running app or, if it is closed, from the history on disk. */
import { join } from 'node:path'
import { isStale, staleAfterMs } from '../../core/freshness'
import {
  ok,
  failure,
  type ConstituentsPublication,
  type IndexId,
  type IndexInfo,
  type Outcome,
  type Resolution,
  type Settings,
} from '../../core/model'
import { explainPast } from '../alerts/past'
import { Records } from '../alerts/records'
import { phaseOf } from '../../core/evaluation/state'
import { assistantsOff, type ProgramData } from './program-data'
import { fastest, latestQuote, type Owners } from './latest'
import { need } from '../base/answered'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { readOwnFile } from '../base/own-file'
import { parseJson } from '../base/sanitize'
import { CatalogueMemory } from '../connections/catalogue-memory'
import { amendmentPage } from '../history/amendments'
import { valueAt } from '../history/value-at'
import { PageMemory } from '../index-page/page-memory'
import { readSettings } from '../storage/settings'
import type { HistoryAccess } from '../history-store/contract'
import type { HistoryFile } from '../history-store/history-file'
import { historyPath } from '../history-store/thread'

type Answers = Omit<ProgramData, 'proposals' | 'propose'>

interface Surroundings {
  clock: Clock
  log: Log
}

/** The current data of the app. `askConstituents` fetches constituents of an index that the window does not show. */
export function answersOfApp(
  owners: Owners,
  log: Log,
  askConstituents: (id: IndexId) => Promise<ConstituentsPublication | undefined>,
): Answers {
  const { clock, settings, connections, alerts, judging, pages, history } = owners
  const fromHistory = historyAnswers(history, (id) => connections.resolutionOf(id), { clock, log })
  return {
    ...fromHistory,
    answeredBy: 'app',
    isDemo: connections.status.isDemo,
    nowMs: clock.serviceMs(),
    watchlists: settings.get().watchlists,
    catalogue: connections.catalogue,
    connections: connections.views,
    rules: alerts.views(),
    judging: judging.view,
    latest: (id) => latestQuote(owners, id),
    refusal: (id) => connections.refusal(id),
    constituents: async (id) => {
      const opened = pages.viewOf(id)
      const isShown = opened !== undefined && opened.remembered?.constituents === undefined
      const received = (isShown ? opened.constituents : undefined) ?? (await askConstituents(id))
      return received === undefined ? fromHistory.constituents(id) : { publication: received, source: 'stream' }
    },
    events: (query) => alerts.page(query),
    explain: (ruleId) => alerts.explain(ruleId),
    explainAt: (ruleId, atMs) => alerts.explainAt(ruleId, atMs),
  }
}

const closed = failure('notRunning', 'Indexwatch is not running. Ask the user to start it.')

/**
 * Answers from the files of a profile whose app is closed. Problems: `assistantsOff`, `newerVersion`, `noValues`,
 * `unreadable`.
 */
export async function answerFromFiles<T>(
  folder: string,
  { clock, log }: Surroundings,
  answer: (data: ProgramData) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const read = settingsOf(folder)
  if (!read.ok) return read
  const settings = read.value
  if (!settings.allowsAssistants) return assistantsOff
  // The app chooses between demo and real service in the same way.
  const isDemo = !settings.profiles.some(({ isEnabled }) => isEnabled)
  // Loads the database library. The app itself loads it only in a thread.
  const { readHistory, readingHistory } = await import('../history-store/history-file')
  return readHistory(historyPath(folder, isDemo ? 'demo' : 'real'), async (file) =>
    need(await answer(await answersOfFile(file, readingHistory(file), settings, { clock, log, isDemo }))),
  )
}

function settingsOf(folder: string): Outcome<Settings> {
  let text: string
  try {
    text = readOwnFile(join(folder, 'settings.json'))
  } catch {
    return assistantsOff
  }
  const read = readSettings(parseJson(text))
  if (read.kind === 'ok') return ok(read.settings)
  return read.kind === 'newer'
    ? failure(
        'newerVersion',
        'The settings were written by a newer version of Indexwatch. Update Indexwatch, or start the newer version.',
      )
    : failure('unreadable', 'The settings of Indexwatch cannot be read. Start Indexwatch for instructions.')
}

async function answersOfFile(
  file: HistoryFile,
  history: HistoryAccess,
  settings: Settings,
  { clock, log, isDemo }: Surroundings & { isDemo: boolean },
): Promise<ProgramData> {
  const catalogue = await catalogueOf(history, settings, { clock, log })
  const resolutions = new Map(catalogue.map((index) => [index.id, index.maxResolution]))
  const resolutionOf = (id: IndexId) => resolutions.get(id)
  const nowMs = clock.wallMs()
  const kept = await new Records(history).read(clock)
  const latest = new Map(file.query('latest', null).map((value) => [value.id, value]))
  return {
    ...historyAnswers(history, resolutionOf, { clock, log }),
    answeredBy: 'history',
    isDemo,
    nowMs,
    watchlists: settings.watchlists,
    catalogue,
    connections: [],
    rules: kept.ok
      ? kept.value.rules.map(({ record: { run, memory } }) => ({
          ...run.rule,
          ...(memory.kept !== undefined && { phase: phaseOf(memory.kept.state) }),
        }))
      : [],
    proposals: [],
    latest: (id) => {
      const value = latest.get(id)
      if (value === undefined) return undefined
      const ageMs = nowMs - value.publishedAtMs
      return { ...value, ageMs, isStale: isStale(ageMs, resolutionOf(id) ?? fastest), source: 'cache' }
    },
    refusal: () => undefined,
    explain: () => undefined,
    propose: () => closed,
  }
}

/** Queries that need only the history. */
function historyAnswers(
  history: HistoryAccess,
  resolutionOf: (id: IndexId) => Resolution | undefined,
  { clock, log }: Surroundings,
): Pick<ProgramData, 'history' | 'resolutionOf' | 'valueAt' | 'amendments' | 'constituents' | 'events' | 'explainAt'> {
  const records = new Records(history)
  return {
    history,
    resolutionOf,
    valueAt: (id, atMs) => {
      const maxGapMs = staleAfterMs(resolutionOf(id) ?? fastest)
      return valueAt(history, { id, atMs, nowMs: clock.wallMs(), maxGapMs })
    },
    amendments: (wanted, limit) => amendmentPage(history, wanted, limit),
    constituents: async (id) => {
      const { constituents } = await new PageMemory({ history, clock, log }).recall(id)
      return constituents && { publication: constituents, source: 'history' }
    },
    events: (query) => records.events(query),
    explainAt: (ruleId, atMs) => explainPast(records, ruleId, atMs),
  }
}

/** Names of indices, as each connection last listed them. */
async function catalogueOf(
  history: HistoryAccess,
  { profiles }: Settings,
  surroundings: Surroundings,
): Promise<readonly IndexInfo[]> {
  const memory = new CatalogueMemory({ history, ...surroundings })
  await memory.load()
  const known = new Map<IndexId, IndexInfo>()
  for (const connection of [...profiles.map(({ id }) => id), 'environment', 'demo'].toReversed()) {
    for (const [id, index] of memory.get(connection)) known.set(id, index)
  }
  return [...known.values()]
}
