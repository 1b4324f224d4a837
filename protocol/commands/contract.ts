/**
 * The window's commands. Each is declared once in the table of its area. Names, validators, allowances, handlers and
 * the window's API follow from the declaration, or do not compile.
 */
import type * as v from 'valibot'
import type { WindowUpdate } from '../desktop'
import type { Json } from '../json'
import type { Outcome } from '../../core/model'
import { alertCommands } from './alerts'
import { appCommands } from './app'
import { assistantCommands } from './assistants'
import type { Allowance } from './allowance'
import type { AnswerOf, ArgumentsOf } from './command'
import { connectionCommands } from './connections'
import { historyCommands } from './history'
import { indexCommands } from './indices'
import { listCommands } from './lists'
import { tickerCommands } from './ticker'
import { webhookCommands } from './webhooks'

const declared = {
  ...appCommands,
  ...listCommands,
  ...indexCommands,
  ...historyCommands,
  ...alertCommands,
  ...connectionCommands,
  ...assistantCommands,
  ...tickerCommands,
  ...webhookCommands,
}

type Declared = typeof declared
export type CommandName = keyof Declared
export type CommandArguments<N extends CommandName> = ArgumentsOf<Declared[N]>
export type CommandAnswer<N extends CommandName> = AnswerOf<Declared[N]>

/** Validator and maximum size of each request. */
export const commands: {
  [N in CommandName]: { schema: v.GenericSchema<unknown, CommandArguments<N>>; allowance: Allowance }
} = declared

export const commandNames = Object.keys(commands) as CommandName[]

/** The app's pages. */
export type PageName = 'window' | 'ticker'

/** The host of each page's address. Each host has its own zoom. */
export const pageHosts: Readonly<Record<PageName, string>> = { window: 'indexwatch', ticker: 'ticker' }

/** True if a page may use this command. Each page has its own commands. */
export function mayAsk(page: PageName, name: CommandName): boolean {
  return name in tickerCommands === (page === 'ticker')
}

/** One handler per command of a table. */
type HandlersOf<Table> = {
  [N in keyof Table]: (
    args: ArgumentsOf<Table[N]>,
  ) => Promise<Outcome<AnswerOf<Table[N]>>> | Outcome<AnswerOf<Table[N]>>
}

/** All handlers, implemented by the main process. */
export type CommandHandlers = HandlersOf<Declared>

/** The page's `window.indexwatch`. */
export type DesktopApi = {
  [N in CommandName]: (args: CommandArguments<N>) => Promise<Outcome<CommandAnswer<N>>>
} & {
  /** Calls `listener` with every push. Returns its unsubscribe function. */
  onUpdate: (listener: (update: Json<WindowUpdate>) => void) => () => void
}
