import type { HandlersOf } from '../../protocol/commands/contract'
import type { indexCommands } from '../../protocol/commands/indices'
import { toJson } from '../../protocol/json'
import { done, failure, type IndexId, type Outcome, type Publication, ok } from '../../core/model'
import { endsBeforeItBegins } from '../../core/typed-time'
import type { AppContext } from './context'
import { UserFiles } from './user-files'
import { constituentsCsv, pointsCsv } from '../lists/tables'

/** One index: its page, its chart, its constituents. */
export function indexHandlers(context: AppContext): HandlersOf<typeof indexCommands> {
  const { page, bases, chart, connections, tape } = context
  const files = new UserFiles(context)
  /** Those of the page that is open: what the user sees is what is used. */
  const openConstituents = (indexId: IndexId) => {
    const opened = page.view()
    return opened?.id === indexId ? opened.constituents : undefined
  }
  return {
    openIndex: ({ indexId, isPreview }) => {
      page.open(indexId, isPreview)
      return done
    },
    closeIndex: () => {
      page.close()
      return done
    },
    getChart: async ({ indexId, range }) => {
      if (typeof range !== 'string' && range.fromMs >= range.toMs) return endsBeforeItBegins
      const series = typeof range === 'string' ? chart.series(indexId, range) : chart.between(indexId, range)
      return ok(toJson(await series))
    },
    getKnownChart: async ({ indexId, range }) => {
      if (typeof range !== 'string' && range.fromMs >= range.toMs) return endsBeforeItBegins
      return ok(toJson(await chart.known(indexId, range)))
    },
    getIndexEvents: async ({ indexId, fromMs, toMs }) => {
      const found = await tape.ask('eventsOf', { id: indexId, fromMs, toMs })
      return found.ok ? ok(toJson(found.value)) : found
    },
    followIndices: ({ indexIds }) => {
      chart.follow(indexIds)
      return done
    },
    getLatestValues: ({ indexIds }) => latestValues(connections, indexIds),
    setConstituentsBase: ({ indexId }) => {
      const constituents = openConstituents(indexId)
      return constituents === undefined ? notArrived(indexId) : bases.set(indexId, constituents)
    },
    clearConstituentsBase: ({ indexId }) => bases.clear(indexId),
    saveFixingPdf: ({ indexId }) =>
      files.save(() => ok({ name: `${indexId} fixing`, kind: 'pdf', text: printed(context) })),
    saveConstituentsCsv: ({ indexId }) =>
      files.save(() => {
        const constituents = openConstituents(indexId)
        if (constituents === undefined) return notArrived(indexId)
        const text = constituentsCsv(indexId, constituents)
        return ok({ name: `${indexId} constituents`, kind: 'csv', text })
      }),
    savePointsCsv: ({ indexId, since }) =>
      files.save(() => {
        const opened = page.view()
        const now = openConstituents(indexId)
        const then = { close: opened?.closing, opened: opened?.firstConstituents, base: opened?.base?.constituents }[
          since
        ]
        if (now === undefined || then === undefined) return notArrived(indexId)
        return {
          ok: true,
          value: { name: `${indexId} contributions`, kind: 'csv', text: pointsCsv(indexId, since, { now, then }) },
        }
      }),
  }
}

/** Once the file has a name: printed when the dialog is gone. */
async function* printed({ printPage }: Pick<AppContext, 'printPage'>): AsyncGenerator<Uint8Array, void> {
  yield await printPage()
}

function notArrived(indexId: IndexId) {
  return failure('noConstituents', `The constituents of ${indexId} have not arrived yet. Try again in a moment.`)
}

const notConnected = failure('notConnected', 'Values cannot be loaded: not connected.')
const withoutRest = failure(
  'noRestAddress',
  'Values cannot be loaded: this connection has no REST address. Enter one in Settings.',
)

/** In the order in which they were asked for, each once; what its service does not know is missing. */
async function latestValues(
  connections: AppContext['connections'],
  ids: readonly IndexId[],
): Promise<Outcome<{ id: IndexId; publication: Publication }[]>> {
  const found = new Map<IndexId, Publication>()
  let problem: Outcome<never> | undefined
  for (const connection of new Set(ids.map((id) => connections.connectionOf(id)))) {
    const served = ids.filter((id) => connections.connectionOf(id) === connection)
    const answer =
      connection === undefined ? notConnected : ((await connection.rest?.latestValues(served)) ?? withoutRest)
    if (answer.ok) for (const [id, publication] of answer.value) found.set(id, publication)
    else problem ??= answer
  }
  if (found.size === 0 && problem !== undefined) return problem
  const inOrder = [...new Set(ids)].flatMap((id) => {
    const publication = found.get(id)
    return publication === undefined ? [] : [{ id, publication }]
  })
  return ok(inOrder)
}
