import { basename } from 'node:path'
import type { CommandAnswer, HandlersOf } from '../../protocol/commands/contract'
import type { historyCommands } from '../../protocol/commands/history'
import { staleAfterMs } from '../../core/freshness'
import { maxMembershipChanges, type ExportRequest } from '../../protocol/history'
import { toJson } from '../../protocol/json'
import { done, type Outcome, ok } from '../../core/model'
import { endsBeforeItBegins } from '../../core/typed-time'
import type { AppContext } from './context'
import { UserFiles } from './user-files'
import { awayReport } from '../history/away-report'
import { amendmentPage, amendmentsCsv } from '../history/amendments'
import { membership, membershipCsv } from '../history/membership'
import { valueAt } from '../history/value-at'

/** What was published and amended, and when the app learned it. */
export function historyHandlers(context: AppContext): HandlersOf<typeof historyCommands> {
  const { tape, exporter, clock, connections, absence } = context
  const files = new UserFiles(context)
  return {
    getAmendments: async (wanted) => {
      const page = await amendmentPage(tape, wanted)
      return page.ok ? ok(toJson(page.value)) : page
    },
    getMembership: async ({ indexId }) => {
      const found = await membership(tape, indexId, maxMembershipChanges)
      return found.ok ? ok(toJson(found.value)) : found
    },
    saveMembershipCsv: ({ indexId }) =>
      files.save(async () => {
        const text = await membershipCsv(tape, indexId)
        return text.ok ? ok({ name: `${indexId} constituent changes`, kind: 'csv', text: text.value }) : text
      }),
    getValueAt: async ({ indexId, atMs }) => {
      const nowMs = clock.wallMs()
      const maxGapMs = staleAfterMs(connections.resolutionOf(indexId) ?? 'PER_SECOND')
      const found = await valueAt(tape, { id: indexId, atMs, nowMs, maxGapMs })
      return found.ok ? ok(toJson(found.value)) : found
    },
    exportValues: (request) => exportValues(context, request),
    getExportProgress: () => ok(exporter.progress ?? null),
    cancelExport: () => {
      exporter.cancel()
      return done
    },
    getAwayReport: () => reportOfAway(context),
    dismissAway: () => {
      absence.dismiss()
      return done
    },
    saveAmendmentsCsv: ({ indexId }) =>
      files.save(async () => {
        const text = await amendmentsCsv(tape, indexId)
        const name = indexId === undefined ? 'Amendments' : `${indexId} amendments`
        return text.ok ? ok({ name, kind: 'csv', text: text.value }) : text
      }),
  }
}

async function exportValues(
  { dialogs, exporter }: AppContext,
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

async function reportOfAway({
  tape,
  absence,
  clock,
  settings,
  alerts,
  connections,
  quotes,
}: AppContext): Promise<Outcome<CommandAnswer<'getAwayReport'>>> {
  const { last } = absence
  if (last === null) return ok(null)
  const listed = settings.get().watchlists.flatMap(({ entries }) => entries.map(({ id }) => id))
  const ids = new Set([...listed, ...alerts.indexIds()])
  const indices = [...ids].map((id) => ({
    id,
    resolution: connections.resolutionOf(id),
    latest: quotes.store.get(id),
  }))
  const report = await awayReport(tape, last, { indices, aheadMs: clock.serviceMs() - clock.wallMs() })
  if (!report.ok) return report
  return ok(report.value && toJson(report.value))
}
