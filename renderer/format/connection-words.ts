import { stateWords } from '../../core/connection-words'
import type { ConnectionStep, ConnectionTest, ConnectionView } from '../../protocol/responses'
import type { ConnectionState, ConnectionStatus } from '../../core/model'

/** The kinds of status-label.svelte. */
export type StatusKind = 'off' | 'busy' | 'good' | 'retrying' | 'down' | 'refused'

const stateKinds: Record<ConnectionState, StatusKind> = {
  connecting: 'busy',
  live: 'good',
  reconnecting: 'retrying',
  offline: 'down',
  notAuthorised: 'refused',
}

/** The status of a connection. Without a state it is off. */
export function statusOf(state: ConnectionState | undefined): { kind: StatusKind; text: string } {
  return state === undefined ? { kind: 'off', text: 'Off' } : { kind: stateKinds[state], text: stateWords[state] }
}

/** True if any connection is live. The overall status shows the worst one. */
export function isAnyLive(connections: readonly ConnectionView[]): boolean {
  return connections.some(({ state }) => state === 'live')
}

const fallbacks: Partial<Record<ConnectionState, string>> = {
  reconnecting: 'The connection to the provider was lost.',
  offline: 'The provider cannot be reached.',
  notAuthorised: 'Not authorised: the provider refused this key. Check it in Settings.',
}

/** The problem and what to do about it, in one sentence. Undefined without a problem. */
export function problemText(status: ConnectionStatus): string | undefined {
  const fallback = fallbacks[status.state]
  return fallback === undefined ? undefined : (status.problem ?? fallback)
}

/** The time until the next attempt: `next try in 3 s`. Undefined if none is planned. */
export function retryText(retryInMs: number | undefined, sinceMs: number): string | undefined {
  if (retryInMs === undefined) return undefined
  const seconds = Math.ceil((retryInMs - sinceMs) / 1_000)
  return seconds > 0 ? `next try in ${seconds} s` : 'trying now'
}

/** The host of an address, with its port if given. Returns an invalid address unchanged. */
export function hostText(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** `1 stream`, `12 streams`. */
export function streamsText(count: number): string {
  return `${count} ${count === 1 ? 'subscription' : 'subscriptions'}`
}

/** `1 unreadable message`, `62 unreadable messages`. Undefined for none. */
export function unreadableText(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count} unreadable ${count === 1 ? 'message' : 'messages'}`
}

export const stepWords: Record<ConnectionStep, string> = {
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  handshake: 'Sign-in',
  info: 'Index list',
  rest: 'REST address',
  mcp: 'MCP address',
  stream: 'Desk',
  watcher: 'Watcher',
}

export const outcomeWords: Record<ConnectionTest['steps'][number]['outcome'], string> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'not tried',
}

/** The result of a connection test: what works, or what fails first and its remedy. */
export function testSummary({ steps }: ConnectionTest): string {
  const failed = steps.find(({ outcome }) => outcome === 'failed')
  if (failed?.step === 'rest' || failed?.step === 'mcp') {
    return `Live values work. ${stepWords[failed.step]}: ${failed.message}`
  }
  return failed?.message ?? `Signed in. ${(steps.find(({ step }) => step === 'info') ?? steps.at(-1))?.message ?? ''}`
}

/** True if the provider accepted the key. */
export function hasSignedIn({ steps }: ConnectionTest): boolean {
  return steps.some(({ step, outcome }) => step === 'handshake' && outcome === 'passed')
}
