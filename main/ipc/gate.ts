import * as v from 'valibot'
import { isSmall, tooLarge } from '../../protocol/commands/allowance'
import {
  commands,
  mayAsk,
  pageHosts,
  type CommandAnswer,
  type CommandHandlers,
  type CommandName,
  type PageName,
} from '../../protocol/commands/contract'
import { failure, type Failure, type Outcome } from '../../core/model'
import type { Log } from '../base/log'

/** The caller, as the bridge saw it. */
export interface Caller {
  /** The app's page that calls. Undefined for anything else. */
  page: PageName | undefined
  isTopFrame: boolean
  url: string
}

/**
 * True if the caller is one of the app's own pages, in the top frame, at its own address. `URL.origin` is "null" for
 * `app:`, so protocol and host are compared. `devServer` is the origin of the development server, unset in a packaged
 * app.
 */
export function isTrusted(caller: Caller, devServer?: string): boolean {
  if (caller.page === undefined || !caller.isTopFrame || !URL.canParse(caller.url)) return false
  const url = new URL(caller.url)
  if (devServer !== undefined && url.origin === devServer) return true
  return url.protocol === 'app:' && url.host === pageHosts[caller.page]
}

/**
 * The only way in from a page. Checks the caller, then the size and the arguments, then runs the command. Never throws.
 * Problems: `forbidden` (not our page), `tooLarge`, `badArguments` (the validator's message and the field), `internal`
 * (a bug, logged).
 */
export function gateTo({ handlers, log, devServer }: { handlers: CommandHandlers; log: Log; devServer?: string }) {
  return async <N extends CommandName>(name: N, caller: Caller, args: unknown): Promise<Outcome<CommandAnswer<N>>> => {
    if (!isTrusted(caller, devServer) || caller.page === undefined || !mayAsk(caller.page, name)) {
      log.warn('A command from a page that may not ask for it was refused', { command: name, url: caller.url })
      return failure('forbidden', 'Only the window of Indexwatch may ask for this.')
    }
    const { schema, allowance } = commands[name]
    if (!isSmall(args, allowance)) return tooLarge
    const parsed = v.safeParse(schema, args)
    if (!parsed.success) return badArguments(parsed.issues[0])
    try {
      return await handlers[name](parsed.output)
    } catch (error) {
      log.error('A command failed', { command: name, error: String(error) })
      return failure('internal', 'This did not work because of a fault in Indexwatch. Please try again.')
    }
  }
}

function badArguments({ message, path }: v.BaseIssue<unknown>): Failure {
  const field = path?.at(-1)?.key
  return { ok: false, problem: { code: 'badArguments', message, ...(typeof field === 'string' && { field }) } }
}
