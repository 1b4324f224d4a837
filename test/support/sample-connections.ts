import type { WindowSnapshot } from '../../protocol/desktop'
import type { ConnectionTest, Diagnostics } from '../../protocol/responses'
import type { ConnectionProfile } from '../../core/model'
import { sampleNowMs, sampleSnapshot } from './sample-window'

export const sampleProfiles: [ConnectionProfile, ConnectionProfile, ConnectionProfile] = [
  {
    id: 'p1',
    name: 'Frankfurt',
    auth: 'basic',
    isEnabled: true,
    webSocketUrl: 'wss://fra.example/ws/v4',
    restUrl: 'https://fra.example',
    keyId: 'desk-7',
  },
  {
    id: 'p2',
    name: 'London',
    auth: 'subprotocol',
    isEnabled: true,
    webSocketUrl: 'wss://lon.example:8443/ws/v4',
    keyId: 'desk-8',
  },
  { id: 'p3', name: 'Spare', auth: 'basic', isEnabled: false, webSocketUrl: 'wss://spare.example/ws/v4', keyId: 'k' },
]

/** A window with three user connections: one live, one refused, and one disabled without its secret. */
export function sampleConnections(): WindowSnapshot {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.profiles = structuredClone(sampleProfiles)
  snapshot.state.secretsKept = { p1: 'keyring', p2: 'session' }
  snapshot.state.status = { state: 'live', name: 'Frankfurt and London', isDemo: false, streamCount: 12 }
  snapshot.state.connections = [
    { id: 'p1', name: 'Frankfurt', isDemo: false, state: 'live', streamCount: 12, indexCount: 137 },
    {
      id: 'p2',
      name: 'London',
      isDemo: false,
      state: 'notAuthorised',
      problem: 'The provider refused this key. Check it.',
      streamCount: 0,
      indexCount: 0,
    },
  ]
  return snapshot
}

export const sampleTest: ConnectionTest = {
  steps: [
    { step: 'dns', outcome: 'passed', message: 'fra.example is 192.0.2.7.', tookMs: 12 },
    { step: 'tcp', outcome: 'passed', message: 'The host answers.', tookMs: 8.4 },
    { step: 'tls', outcome: 'passed', message: 'The certificate is valid.', tookMs: 31 },
    { step: 'handshake', outcome: 'passed', message: 'The key was taken.', tookMs: 44 },
    { step: 'info', outcome: 'passed', message: '137 indices are available with this key.', tookMs: 20 },
    { step: 'rest', outcome: 'failed', message: 'The provider answered with HTTP 403. Check the key.', tookMs: 52 },
    { step: 'mcp', outcome: 'skipped', message: 'No MCP address was entered.', tookMs: 0 },
  ],
}

export const sampleDiagnostics: Diagnostics = {
  versions: { app: '0.1.0', electron: '40.0.0', chrome: '144.0.1', node: '24.1.0', system: 'Linux 6.8 x64' },
  startedAtMs: sampleNowMs - 3 * 3_600_000 - 720_000,
  counters: { 'frames received': 1_234_567, 'frames dropped': 3, 'values seen': 987_654, reconnects: 2 },
  connections: sampleConnections().state.connections,
  connectionLog: [
    { atMs: sampleNowMs - 9_000_000, connection: 'Frankfurt', text: 'connecting' },
    { atMs: sampleNowMs - 8_999_000, connection: 'Frankfurt', text: 'live' },
    { atMs: sampleNowMs - 60_000, connection: 'London', text: 'not authorised: HTTP 401' },
  ],
  problems: ['14:01:11 warn A frame could not be read {"connection":"Frankfurt"}', '14:01:12 error REST answered 403'],
}
