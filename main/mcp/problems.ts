import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Problem } from '../../protocol/model'
import type { SessionFault } from './guarded-fetch'

const unreadable: Problem = {
  code: 'unreadable',
  message: 'The answer of the assistant tools could not be read. Check the MCP address in Settings.',
}

export const timedOut: Problem = {
  code: 'timedOut',
  message: 'The assistant tools took too long to answer. Try again later.',
}

export const closed: Problem = { code: 'unreachable', message: 'This connection has been closed.' }

const problems: Record<SessionFault, Problem> = {
  tooLarge: { code: 'tooLarge', message: 'The answer of the assistant tools is larger than this app reads.' },
  cut: { code: 'serviceError', message: 'The answer of the assistant tools broke off. Try again later.' },
}

export function problemOfFault(fault: SessionFault): Problem {
  return problems[fault]
}

export function rateLimited(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return { code: 'rateLimited', message: `The assistant tools ask to wait ${seconds} s before the next question.` }
}

/** What an error of the SDK or of the network means to the user; `words` makes texts of the service fit to show. */
export function problemOfError(error: unknown, words: (text: string) => string): Problem {
  if (error instanceof StreamableHTTPError) return problemOfStatus(error.code ?? 0)
  if (error instanceof McpError) {
    const said = words(error.message.replace(/^MCP error -?\d+: /, '')).replace(/\.$/, '')
    return { code: 'badRequest', message: `The assistant tools refused the question: ${said}.` }
  }
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return unreadable
  if (cause.message === 'unexpected redirect') {
    return { code: 'redirected', message: 'The assistant tools have moved. Enter their new address in Settings.' }
  }
  const code = String((cause as NodeJS.ErrnoException).code)
  if (/CERT|SIGNATURE|TRUST/.test(code)) {
    return {
      code: 'unreachable',
      message:
        'The assistant tools could not prove who they are, so no key was sent. Check the MCP address in Settings and the network.',
    }
  }
  return { code: 'unreachable', message: 'The assistant tools cannot be reached. Check the network connection.' }
}

function problemOfStatus(status: number): Problem {
  if (status === 401) {
    return { code: 'notAuthorised', message: 'Not authorised: the assistant tools refused this key.' }
  }
  if (status === 403) {
    return {
      code: 'notAuthorised',
      message: 'Not authorised: this key gives no access to the assistant tools. Ask the provider.',
    }
  }
  if (status >= 500) {
    const message = `The assistant tools are not working at the moment (HTTP ${status}). Try again later.`
    return { code: 'serviceError', message }
  }
  if (status >= 400) {
    const message = `There are no assistant tools at this address (HTTP ${status}). Check it in Settings.`
    return { code: 'notFound', message }
  }
  return unreadable
}
