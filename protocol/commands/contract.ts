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
import { deskCommands } from './desk'
import { historyCommands } from './history'
import { indexWindowCommands } from './index-windows'
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
  ...indexWindowCommands,
  ...webhookCommands,
  ...deskCommands,
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
export type PageName = 'window' | 'ticker' | 'index'

/** The host of each page's address. Each host has its own zoom and storage. */
export const pageHosts: Readonly<Record<PageName, string>> = {
  window: 'indexwatch',
  ticker: 'ticker',
  index: 'indexwatch',
}

/** The commands of the main window that a window of one index shares. */
const alsoOfIndexWindows: ReadonlySet<string> = new Set([
  ...Object.keys({ ...indexCommands, ...historyCommands, ...alertCommands }),
  ...(['copyText', 'reconnect', 'setPreferences'] satisfies CommandName[]),
])

/** True if a page may use this command. */
export function mayAsk(page: PageName, name: CommandName): boolean {
  if (page === 'ticker') return name in tickerCommands
  if (page === 'index') return name in indexWindowCommands || alsoOfIndexWindows.has(name)
  return !(name in tickerCommands) && !(name in indexWindowCommands)
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
