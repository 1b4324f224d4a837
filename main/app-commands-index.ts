import { toJson, type CommandHandlers } from '../protocol/desktop'
import type { IndexId, Outcome, Publication } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }

const notTold: Outcome<never> = {
  ok: false,
  problem: { code: 'noConstituents', message: 'The service has not told the constituents yet.' },
}

type IndexCommand =
  'openIndex' | 'closeIndex' | 'getChart' | 'getLatestValues' | 'setConstituentsBase' | 'clearConstituentsBase'

/** One index: its page, its chart, its constituents. */
export function indexCommands({ page, bases, chart, services }: Owners): Pick<CommandHandlers, IndexCommand> {
  return {
    openIndex: ({ indexId }) => {
      page.open(indexId)
      return done
    },
    closeIndex: () => {
      page.close()
      return done
    },
    getChart: async ({ indexId, range }) => ({ ok: true, value: toJson(await chart.series(indexId, range)) }),
    getLatestValues: ({ indexIds }) => latestValues(services, indexIds),
    setConstituentsBase: ({ indexId }) => {
      const opened = page.view()
      if (opened?.id !== indexId || opened.constituents === undefined) return notTold
      return bases.set(indexId, opened.constituents)
    },
    clearConstituentsBase: ({ indexId }) => bases.clear(indexId),
  }
}

const notConnected: Outcome<never> = {
  ok: false,
  problem: { code: 'notConnected', message: 'There is no connection to a service, which would tell the values.' },
}
const withoutRest: Outcome<never> = {
  ok: false,
  problem: {
    code: 'noRestAddress',
    message: 'This connection has no REST address, where values would be asked for. Enter one in Settings.',
  },
}

/** In the order in which they were asked for, each once; what its service does not know is missing. */
async function latestValues(
  services: Owners['services'],
  ids: readonly IndexId[],
): Promise<Outcome<{ id: IndexId; publication: Publication }[]>> {
  const found = new Map<IndexId, Publication>()
  let problem: Outcome<never> | undefined
  for (const connection of new Set(ids.map((id) => services.connectionOf(id)))) {
    const answer = await latestFrom(
      connection,
      ids.filter((id) => services.connectionOf(id) === connection),
    )
    if (answer.ok) for (const [id, publication] of answer.value) found.set(id, publication)
    else problem ??= answer
  }
  if (found.size === 0 && problem !== undefined) return problem
  const inOrder = [...new Set(ids)].flatMap((id) => {
    const publication = found.get(id)
    return publication === undefined ? [] : [{ id, publication }]
  })
  return { ok: true, value: inOrder }
}

function latestFrom(
  connection: ReturnType<Owners['services']['connectionOf']>,
  ids: readonly IndexId[],
): Promise<Outcome<Map<IndexId, Publication>>> | Outcome<never> {
  if (connection === undefined) return notConnected
  return connection.rest?.latestValues(ids) ?? withoutRest
}
