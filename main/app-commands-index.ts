import { toJson, type CommandHandlers } from '../protocol/desktop'
import type { IndexId, Outcome, Publication } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }
const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

type IndexCommand =
  'openIndex' | 'closeIndex' | 'getChart' | 'getLatestValues' | 'setConstituentsBase' | 'clearConstituentsBase'

/** One index: its page, its chart, its constituents. */
export function indexCommands({ page, chart, services }: Owners): Pick<CommandHandlers, IndexCommand> {
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
    setConstituentsBase: () => notYet,
    clearConstituentsBase: () => notYet,
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

/** In the order in which they were asked for, each once; what the service does not know is missing. */
async function latestValues(
  { connection }: Owners['services'],
  ids: readonly IndexId[],
): Promise<Outcome<{ id: IndexId; publication: Publication }[]>> {
  if (connection === undefined) return notConnected
  if (connection.rest === undefined) return withoutRest
  const answer = await connection.rest.latestValues(ids)
  if (!answer.ok) return answer
  const found = [...new Set(ids)].flatMap((id) => {
    const publication = answer.value.get(id)
    return publication === undefined ? [] : [{ id, publication }]
  })
  return { ok: true, value: found }
}
