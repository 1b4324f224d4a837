import type { HandlersOf } from '../../protocol/commands/contract'
import type { tickerCommands } from '../../protocol/commands/ticker'
import type { WindowSnapshot } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import { done, type IndexId, ok } from '../../core/model'
import type { AppContext } from './context'

/** The ticker's window and its feed, as far as its page asks them. */
export interface TickerSources {
  snapshot: () => Json<WindowSnapshot>
  fit: (size: { width: number; height: number }) => void
  showMenu: (at: { indexId?: IndexId; x: number; y: number }) => void
  openIndex: (id: IndexId) => void
}

export function tickerHandlers(
  { settings }: Pick<AppContext, 'settings'>,
  { snapshot, fit, showMenu, openIndex }: TickerSources,
): HandlersOf<typeof tickerCommands> {
  return {
    getTickerSnapshot: () => ok(snapshot()),
    fitTicker: (size) => {
      fit(size)
      return done
    },
    openFromTicker: ({ indexId }) => {
      openIndex(indexId)
      return done
    },
    showTickerMenu: (at) => {
      showMenu(at)
      return done
    },
    closeTicker: async () => {
      await settings.setPreferences({ showsTicker: false })
      return done
    },
  }
}
