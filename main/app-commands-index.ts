import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }
const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

const notTold: Outcome<never> = {
  ok: false,
  problem: { code: 'noConstituents', message: 'The service has not told the constituents yet.' },
}

type IndexCommand =
  'openIndex' | 'closeIndex' | 'getChart' | 'getLatestValues' | 'setConstituentsBase' | 'clearConstituentsBase'

/** One index: its page, its chart, its constituents. */
export function indexCommands({ page, bases }: Owners): Pick<CommandHandlers, IndexCommand> {
  return {
    openIndex: ({ indexId }) => {
      page.open(indexId)
      return done
    },
    closeIndex: () => {
      page.close()
      return done
    },
    getChart: () => notYet,
    getLatestValues: () => notYet,
    setConstituentsBase: ({ indexId }) => {
      const opened = page.view()
      if (opened?.id !== indexId || opened.constituents === undefined) return notTold
      return bases.set(indexId, opened.constituents)
    },
    clearConstituentsBase: ({ indexId }) => bases.clear(indexId),
  }
}
