import type { ServiceProblemCode } from '../../core/problems'
import type { ServiceProblem } from '../base/http'

/** Why a GET failed. `cut`: the body ended early or could not be unpacked. `notText`: it is not UTF-8. */
export type HttpFault = 'aborted' | 'redirected' | 'unreachable' | 'certificate' | 'cut' | 'tooLarge' | 'notText'

function problem(code: ServiceProblemCode, message: string): ServiceProblem {
  return { code, message }
}

/** `words` is the service's error text, sanitized. Empty if there is none. */
export function problemOfStatus(status: number, words: string): ServiceProblem {
  const said = words === '' ? `HTTP ${status}` : words.replace(/\.$/, '')
  if (status === 401) {
    return problem('notAuthorised', 'Not authorised: the provider refused this key. Check it in Settings.')
  }
  if (status === 403) {
    return problem(
      'notAuthorised',
      'Not authorised: this key has no access to this data. Ask the provider, or use another key in Settings.',
    )
  }
  if (status === 404 || status === 410) return problem('notFound', `The provider does not have this: ${said}.`)
  if (status >= 400 && status < 500) return problem('badRequest', `The provider refused the request: ${said}.`)
  if (status >= 500)
    return problem('serviceError', `The provider is not working at the moment: ${said}. Try again later.`)
  return problemOfBody('')
}

/** The problem of a 2xx response that cannot be read. */
export function problemOfBody(body: string): ServiceProblem {
  if (body.trimStart().startsWith('<')) {
    return problem('unreadable', 'A web page answered instead of the provider. Does the network ask you to sign in?')
  }
  return problem('unreadable', 'The provider’s answer could not be read. An update of the app may help.')
}

export const problemOfOtherTime = problem(
  'unreadable',
  'The provider returned values of another time. The clock of this computer may be wrong.',
)

export function rateLimited(waitMs: number): ServiceProblem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return problem('rateLimited', `The provider asks to wait ${seconds} s before the next request.`)
}

export const timedOut = problem('timedOut', 'The provider took too long to answer. Try again later.')
export const closed = problem('unreachable', 'This connection has been closed.')

export const problemOfFault: Record<Exclude<HttpFault, 'aborted'>, ServiceProblem> = {
  redirected: problem('redirected', 'The provider’s address has changed. Enter its new REST address in Settings.'),
  unreachable: problem('unreachable', 'The provider cannot be reached. Check the network connection.'),
  certificate: problem(
    'unreachable',
    'The provider’s certificate is not valid, so no key was sent. Check the REST address in Settings and the network.',
  ),
  cut: problem('serviceError', 'The provider’s answer was cut off. Try again later.'),
  tooLarge: problem('tooLarge', 'The provider’s answer is too large for this app.'),
  notText: problemOfBody(''),
}
