import { stateWords } from '../../core/connection-words'
import type { ConnectionStep, ConnectionTest, ConnectionView } from '../../protocol/responses'
import type { ConnectionState, ConnectionStatus } from '../../core/model'

/** As status-label.svelte shows it. */
export type StatusKind = 'off' | 'busy' | 'good' | 'retrying' | 'down' | 'refused'

const stateKinds: Record<ConnectionState, StatusKind> = {
  connecting: 'busy',
  live: 'good',
  reconnecting: 'retrying',
  offline: 'down',
  notAuthorised: 'refused',
}

/** Without a state the connection is off. */
export function statusOf(state: ConnectionState | undefined): { kind: StatusKind; text: string } {
  return state === undefined ? { kind: 'off', text: 'Off' } : { kind: stateKinds[state], text: stateWords[state] }
}

/** Whether one of them can answer: the status that sums them up is the worst. */
export function isAnyLive(connections: readonly ConnectionView[]): boolean {
  return connections.some(({ state }) => state === 'live')
}

const fallbacks: Partial<Record<ConnectionState, string>> = {
  reconnecting: 'The connection to the provider was lost.',
  offline: 'The provider cannot be reached.',
  notAuthorised: 'Not authorised: the provider refused this key. Check it in Settings.',
}

/** What is wrong and what to do, in one sentence; `undefined` while nothing is. */
export function problemText(status: ConnectionStatus): string | undefined {
  const fallback = fallbacks[status.state]
  return fallback === undefined ? undefined : (status.problem ?? fallback)
}

/** When the next attempt starts: `next try in 3 s`; `undefined` when none is planned. */
export function retryText(retryInMs: number | undefined, sinceMs: number): string | undefined {
  if (retryInMs === undefined) return undefined
  const seconds = Math.ceil((retryInMs - sinceMs) / 1_000)
  return seconds > 0 ? `next try in ${seconds} s` : 'trying now'
}

/** The host of an address, with its port where one is named; an address that is none stays as it is. */
export function hostText(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** `1 stream`, `12 streams`. */
export function streamsText(count: number): string {
  return `${count} ${count === 1 ? 'subscription' : 'subscriptions'}`
}

/** `1 unreadable message`, `62 unreadable messages`; `undefined` without any. */
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
}

export const outcomeWords: Record<ConnectionTest['steps'][number]['outcome'], string> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'not tried',
}

/** What a test came to, in one sentence. */
export function testSummary({ steps }: ConnectionTest): string {
  const failed = steps.filter(({ outcome }) => outcome === 'failed').length
  if (failed > 0) return failed === 1 ? 'One step failed.' : `${failed} steps failed.`
  return steps.some(({ outcome }) => outcome === 'skipped') ? 'All tested steps work.' : 'Everything works.'
}
