/** What can go wrong between this computer and a desk's server, as sentences that say what to do. */
import type { Problem } from '../../core/model'
import { isCertificateFault } from '../base/http'
import { errorCode } from '../base/own-file'
import { sanitizeText } from '../base/sanitize'

/** By the name of the error, its code and its text, in this order. `HOST` is the server as the user knows it. */
const faults: readonly [RegExp, Problem['code'], string][] = [
  [
    /\b10059\b/,
    'streamMissing',
    'The server does not have this desk, or a part of it. Start a watcher with --desk-begin.',
  ],
  [/\b10054\b/, 'tooLarge', 'This is larger than a desk takes. Shorten the note or the list.'],
  [
    /\b(?:10002|10023|10028|10047|10077)\b|insufficient|resource limits/i,
    'full',
    "The desk's server has no room left. Free disk space there or raise its limit.",
  ],
  [
    /\b(?:10039|10076)\b|JetStreamNotEnabled|NoResponders/,
    'noJetStream',
    'The server runs without JetStream. Add "jetstream {}" to its configuration.',
  ],
  [/ECONNREFUSED/, 'refused', 'Nothing answers at HOST. Check the address, and that the server runs.'],
  [/ENOTFOUND|EAI_AGAIN/, 'notFound', 'No server named HOST can be found. Check the address.'],
  [
    /unexpected response|parse error|Unexpected token/i,
    'notNats',
    'The server at HOST is not a NATS server. Check the address and the port.',
  ],
  [/does not support 'tls'/, 'noTls', 'The server at HOST does not offer TLS. Turn on TLS there.'],
  [
    /^Authorization|^UserAuthentication/,
    'notAuthorised',
    "The desk's server refused the user or the password. Enter them again, or choose another credentials file.",
  ],
  [
    /^PermissionViolation/,
    'notAllowed',
    'The server does not allow this user what a desk needs. Change its permissions.',
  ],
  [/^Timeout/, 'timedOut', 'HOST did not answer in time. Check the network connection.'],
]

/** The problem of an error of the client. */
export function problemOf(error: unknown, host: string): Problem {
  if (!(error instanceof Error)) return { code: 'unreachable', message: sanitizeText(String(error)) }
  const { name, message, cause } = error
  const code = 'code' in error ? String(error.code) : ''
  const system = errorCode(error) || errorCode(cause)
  if (isCertificateFault(system)) {
    return { code: 'certificate', message: `The certificate of ${host} is not valid (${system}). Nothing was sent.` }
  }
  const said = `${name} ${code} ${system} ${message}`
  const found = faults.find(([pattern]) => pattern.test(said))
  if (found !== undefined) return { code: found[1], message: found[2].replace('HOST', host) }
  if (name === 'RequestError' && cause !== undefined) return problemOf(cause, host)
  if (/^\d+$/.test(code)) return { code: 'refused', message: `The desk's server refused: ${sanitizeText(message)}.` }
  return { code: 'unreachable', message: `${host} cannot be reached. Check the network connection and the address.` }
}
