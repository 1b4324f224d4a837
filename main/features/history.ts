import { basename } from 'node:path'
import { staleAfterMs } from '../../core/freshness'
import { ok, type IndexId, type Outcome, type Settings } from '../../core/model'
import { endsBeforeItBegins } from '../../core/typed-time'
import type { CommandAnswer, CommandHandlers } from '../../protocol/commands/contract'
import { maxMembershipChanges, type ExportRequest } from '../../protocol/history'
import { toJson } from '../../protocol/json'
import type { HistorySize } from '../../protocol/responses'
import type { Owners } from '../access/latest'
import { Emitter } from '../base/emitter'
import { recordTable } from '../base/table-files'
import type { FileDialogs } from '../desktop/file-dialogs'
import { Absence } from '../history/absence'
import { amendmentPage, amendmentRows } from '../history/amendments'
import { awayReport } from '../history/away-report'
import { Exporter } from '../history/exporter'
import { membership, membershipRows } from '../history/membership'
import { revisionsBetween } from '../history/revisions'
import { valueAt } from '../history/value-at'
import type { StoredSize } from '../history-store/contract'
import { does, asJson, slice, type Core, type SharedFeature } from './feature'
import { notConnected } from './index-page'
import { listedEntries } from './lists'
import { UserFiles, type Files } from './user-files'

type HistoryCore = Files & Pick<Core, 'history'>

type HistorySources = Pick<Owners, 'connections' | 'quotes' | 'alerts' | 'pages'>

/** The feature of stored values: amendments, values at a time, exports, and the report after an absence. */
export function createHistory(core: Core, sources: HistorySources) {
  const { history } = core
  const { connections } = sources
  const absence = new Absence(core)
  const exporter = createExporter(core)
  const late = new Emitter<{ stored: null }>(core.onError)
  let latePastVersion = 0
  let bounds = ''
  return {
    absence,
    slices: [
      slice(() => ({ away: absence.view }), absence.events, 'changed'),
      slice(() => ({ latePastVersion }), late, 'stored'),
    ],
    commands: historyCommands(core, { ...sources, absence, exporter }),
    follow() {
      history.events.on('notice', core.notice)
      const { events } = connections
      events.on('statusChanged', () => absence.setLive(connections.views.some(({ state }) => state === 'live')))
      events.on('caughtUp', () => absence.learned())
      events.on('stayedUnknown', () => absence.learned())
      events.on('recorded', ({ id }) => {
        if (sources.pages.viewOf(id) === undefined) return
        latePastVersion++
        late.emit('stored', null)
      })
    },
    settingsChanged({ historyDays: keepDays, historyGigabytes }: Settings) {
      const next = { keepDays, maxBytes: historyGigabytes * 2 ** 30 }
      if (JSON.stringify(next) === bounds) return
      bounds = JSON.stringify(next)
      void history.query('setBounds', next)
    },
    woke: (sleptMs: number) => absence.slept(sleptMs),
    dispose: () => exporter.dispose(),
  } satisfies SharedFeature
}

export function createExporter({ startThread, ...core }: Core): Exporter {
  return new Exporter({ ...core, startThread: (task) => startThread('export-worker.js', task) })
}

export function historyCommands(core: HistoryCore, sources: HistorySources & { absence: Absence; exporter: Exporter }) {
  const { history, clock } = core
  const { exporter, absence } = sources
  const files = new UserFiles(core)
  const valueOf = (id: IndexId, atMs: number) => {
    const maxGapMs = staleAfterMs(sources.connections.resolutionOf(id) ?? 'PER_SECOND')
    return asJson(valueAt(history, { id, atMs, nowMs: clock.wallMs(), maxGapMs }))
  }
  return {
    getAmendments: (wanted) => asJson(amendmentPage(history, wanted)),
    getMembership: ({ indexId }) => asJson(membership(history, indexId, maxMembershipChanges)),
    saveMembershipTable: ({ indexId }) =>
      files.saveTable(async () => {
        const rows = await membershipRows(history, indexId)
        const fileName = `${indexId} constituent changes`
        return rows.ok ? ok({ fileName, table: recordTable('Changes', 'constituentChange', [rows.value]) }) : rows
      }),
    getValueAt: ({ indexId, atMs }) => valueOf(indexId, atMs),
    askValueAt: async ({ indexId, atMs }) => {
      const connection = sources.connections.connectionOf(indexId)
      const fetched = connection === undefined ? notConnected : await connection.fetchAround(indexId, atMs)
      return fetched.ok ? valueOf(indexId, atMs) : fetched
    },
    getRevisions: ({ asks, ...range }) => {
      if (range.fromMs >= range.toMs) return endsBeforeItBegins
      const connection = sources.connections.connectionOf(range.indexId)
      const fetchAround = async (atMs: number) =>
        connection === undefined ? notConnected : connection.fetchAround(range.indexId, atMs)
      return asJson(revisionsBetween(history, range, { nowMs: clock.serviceMs(), ...(asks && { fetchAround }) }))
    },
    exportValues: (request) => exportValues(core.dialogs, exporter, request),
    getExportProgress: () => ok(exporter.progress ?? null),
    cancelExport: does(() => exporter.cancel()),
    getAwayReport: () => reportOfAway(core, sources),
    dismissAway: does(() => absence.dismiss()),
    saveAmendmentsTable: ({ indexId }) =>
      files.saveTable(async () => {
        const rows = await amendmentRows(history, indexId)
        const fileName = indexId === undefined ? 'Amendments' : `${indexId} amendments`
        return rows.ok ? ok({ fileName, table: recordTable('Amendments', 'amendment', [rows.value]) }) : rows
      }),
    getHistorySize: async () => shown(await history.query('size', null)),
    clearHistory: async ({ beforeMs }) => shown(await history.query('clearBefore', { beforeMs })),
  } satisfies Partial<CommandHandlers>
}

async function exportValues(
  dialogs: FileDialogs,
  exporter: Exporter,
  request: ExportRequest,
): Promise<Outcome<CommandAnswer<'exportValues'>>> {
  const { indexIds, fromMs, toMs, format } = request
  if (fromMs >= toMs) return endsBeforeItBegins
  const what = indexIds.length === 1 ? (indexIds[0] ?? '') : `${indexIds.length} indices`
  const day = new Date(fromMs).toISOString().slice(0, 10)
  const path = await dialogs.askWhereToSave({ name: `${what} ${day}`, kind: format })
  if (path === undefined) return ok(null)
  const written = await exporter.run(request, path)
  if (!written.ok || written.value === null) return written.ok ? ok(null) : written
  return ok({ fileName: basename(path), ...written.value })
}

async function reportOfAway(
  { history, clock, settings }: HistoryCore,
  { absence, alerts, connections, quotes }: HistorySources & { absence: Absence },
): Promise<Outcome<CommandAnswer<'getAwayReport'>>> {
  const { last } = absence
  if (last === null) return ok(null)
  const listed = listedEntries(settings.get()).map(({ id }) => id)
  const ids = new Set([...listed, ...alerts.indexIds()])
  const indices = [...ids].map((id) => ({
    id,
    resolution: connections.resolutionOf(id),
    latest: quotes.store.get(id),
  }))
  const report = await awayReport(history, last, { indices, aheadMs: clock.serviceMs() - clock.wallMs() })
  if (!report.ok) return report
  return ok(report.value && toJson(report.value))
}

/** Size without free space in the file, which new values fill. */
function shown(size: Outcome<StoredSize>): Outcome<HistorySize> {
  if (!size.ok) return size
  const { bytes, freeBytes, oldestMs } = size.value
  return ok({ bytes: bytes - freeBytes, oldestMs })
}
