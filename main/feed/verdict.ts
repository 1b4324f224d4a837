import { unfitKeyMessage } from '../base/http'

/** How an attempt ended. Each attempt has exactly one. */
export type AttemptEnd =
  /** The service was not reached: refused, unreachable, no such host, or no answer before the connection. */
  | { kind: 'unanswered'; code: string }
  /** The service answered the handshake with an HTTP status. */
  | { kind: 'handshake'; status: number; retryAfter?: string }
  /** The server answered, but not as a WebSocket service. */
  | { kind: 'badHandshake'; code: string }
  | { kind: 'handshakeTimedOut' }
  /** The server's certificate is not valid. */
  | { kind: 'certificate'; code: string }
  /** The proxy cannot be used. `problem` is for the user. */
  | { kind: 'proxy'; problem: string }
  /** Closed after it was open. 1006 if the connection broke without a close message. */
  | { kind: 'closed'; code: number }
  /** A message exceeded the size limit. */
  | { kind: 'tooLarge' }
  /** The peer broke the WebSocket protocol. */
  | { kind: 'protocol'; code: string }
  /** Neither data nor an answer to our ping arrived. */
  | { kind: 'silent' }
  /** The key cannot be sent as subprotocols. */
  | { kind: 'unfitKey' }
  /** The service selected no subprotocol, or another one than the key's. */
  | { kind: 'noSubprotocol' }
  /** The address cannot be used. */
  | { kind: 'badAddress' }

/** When to retry after an end. */
export type Retry =
  /** Never automatically: the same key cannot succeed. */
  | { kind: 'stop' }
  /** Backoff of at most three seconds, because the service was not reached. */
  | { kind: 'unanswered' }
  /** Full backoff, but at least this long. */
  | { kind: 'backoff'; atLeastMs: number }
  /** The service is restarting: once within this time, then as `backoff`. */
  | { kind: 'soon'; withinMs: number }

/** The consequence of an end: when to retry, and a message for the user. */
export interface Verdict {
  retry: Retry
  problem: string
}

const ordinary: Retry = { kind: 'backoff', atLeastMs: 0 }
const busy: Retry = { kind: 'backoff', atLeastMs: 1_000 }
const restarting: Retry = { kind: 'soon', withinMs: 3_000 }
/** For causes that do not change within seconds, such as a wrong certificate or a sign-in page. */
const patient: Retry = { kind: 'backoff', atLeastMs: 10_000 }
const stop: Retry = { kind: 'stop' }

const keyRefused = 'Not authorised: the provider refused this key. Check it in Settings.'
const accessRefused =
  'Not authorised: this key has no access to this data. Ask the provider, or use another key in Settings.'
const noSubprotocol =
  'The provider did not select the subprotocol "cfb", so it does not accept keys in this form. Choose the HTTP header for this key in Settings.'
const disagreement = 'The provider uses a protocol that this app does not know. An update of the app may help.'

/** Ends whose verdict depends only on their kind. */
const plainVerdicts = {
  handshakeTimedOut: { retry: ordinary, problem: 'The provider took too long to answer.' },
  tooLarge: { retry: patient, problem: 'The provider sent a message larger than 4 MB.' },
  protocol: { retry: patient, problem: disagreement },
  silent: { retry: ordinary, problem: 'The provider stopped sending. Check the network connection.' },
  unfitKey: { retry: stop, problem: unfitKeyMessage },
  noSubprotocol: { retry: patient, problem: noSubprotocol },
  badAddress: { retry: patient, problem: 'The WebSocket address cannot be used. Check it in Settings.' },
} satisfies Partial<Record<AttemptEnd['kind'], Verdict>>

/** The table of docs/development/decisions/0003-reconnecting.md. */
export function verdictOn(end: AttemptEnd): Verdict {
  switch (end.kind) {
    case 'unanswered':
      return { retry: { kind: 'unanswered' }, problem: unansweredProblem(end.code) }
    case 'handshake':
      return verdictOnStatus(end.status)
    case 'badHandshake':
      return { retry: patient, problem: `The address did not answer as a WebSocket server (${end.code}).` }
    case 'certificate':
      return { retry: patient, problem: certificateProblem(end.code) }
    case 'proxy':
      return { retry: patient, problem: end.problem }
    case 'closed':
      return verdictOnCloseCode(end.code)
    default:
      return plainVerdicts[end.kind]
  }
}

function verdictOnStatus(status: number): Verdict {
  if (status === 401) return { retry: stop, problem: keyRefused }
  if (status === 403) return { retry: stop, problem: accessRefused }
  if (status === 429) return { retry: busy, problem: 'The provider asks to wait: too many connections with this key.' }
  if (status >= 500) return { retry: ordinary, problem: `The provider is not working at the moment (HTTP ${status}).` }
  if (status >= 400) {
    return { retry: patient, problem: `No stream found at this address (HTTP ${status}). Check it in Settings.` }
  }
  if (status >= 300) {
    return {
      retry: patient,
      problem: `The provider’s address has changed (HTTP ${status}). Enter its new address in Settings.`,
    }
  }
  return {
    retry: patient,
    problem: 'A web page answered instead of the provider. Does the network ask you to sign in?',
  }
}

function verdictOnCloseCode(code: number): Verdict {
  if (code === 4401) return { retry: stop, problem: keyRefused }
  if (code === 4403) return { retry: stop, problem: accessRefused }
  if (code === 1008 || isWithin(code, 4000, 4099)) {
    return {
      retry: stop,
      problem: `The provider closed the connection permanently (code ${code}). Check the key in Settings.`,
    }
  }
  if (code === 1011 || code === 1013 || isWithin(code, 4100, 4199)) {
    return { retry: busy, problem: `The provider is overloaded or has a fault (code ${code}).` }
  }
  if (code === 1012 || isWithin(code, 4200, 4299)) return { retry: restarting, problem: 'The provider is restarting.' }
  if ([1002, 1003, 1007, 1009, 1010].includes(code)) return { retry: patient, problem: disagreement }
  if (code === 1000 || code === 1001) return { retry: ordinary, problem: 'The provider closed the connection.' }
  return { retry: ordinary, problem: 'The connection to the provider was lost.' }
}

function isWithin(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

function unansweredProblem(code: string): string {
  if (code === 'ECONNREFUSED') return 'Nothing answers at the provider’s address.'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return 'The provider’s server cannot be found. Check the network connection and the address in Settings.'
  }
  return 'The provider cannot be reached. Check the network connection.'
}

function certificateProblem(code: string): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `The provider’s certificate is expired or not yet valid. Check this computer's clock. If it is right, contact the provider.`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate at this address belongs to another server, so no key was sent. Check the address in Settings.'
  }
  return 'The provider’s certificate is not valid, so no key was sent. Check the address in Settings and the network.'
}
