import type { CommandHandlers } from '../../protocol/commands/contract'
import { alertHandlers } from './alerts'
import { assistantHandlers } from './assistants'
import { appHandlers, type WindowSources } from './app'
import { connectionHandlers } from './connections'
import type { AppContext } from './context'
import { historyHandlers } from './history'
import { indexHandlers } from './indices'
import { listHandlers } from './lists'
import { tickerHandlers, type TickerSources } from './ticker'

/** One handler per command: which owner does what the window asks for. */
export function commandHandlers(
  context: AppContext,
  { ticker, ...sources }: WindowSources & { ticker: TickerSources },
): CommandHandlers {
  return {
    ...appHandlers(context, sources),
    ...listHandlers(context),
    ...indexHandlers(context),
    ...historyHandlers(context),
    ...alertHandlers(context),
    ...connectionHandlers(context),
    ...assistantHandlers(context),
    ...tickerHandlers(context, ticker),
  }
}
