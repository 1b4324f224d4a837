import { demoName } from '../../core/connection-words'
import type { ConnectionProfile } from '../../core/model'
import type { ServiceEndpoint } from './endpoint'
import type { LaunchOptions } from '../desktop/launch-options'
import type { SecretKeeper } from '../storage/secret-keeper'

/**
 * A connection to open: the demo service, a service with its key, or one whose key is still in the keyring or missing.
 */
export type ConnectionConfig = { id: string; name: string } & (
  | { kind: 'demo' }
  | { kind: 'service'; endpoint: ServiceEndpoint }
  /** The secret is being read from the keyring. */
  | { kind: 'sealed'; use: string }
  | { kind: 'incomplete'; problem: string }
)

const demo: ConnectionConfig = { id: 'demo', name: demoName, kind: 'demo' }
const secretWithheld =
  'The keyring did not return the secret of this key. Enter it again in Settings, or unlock the keyring and start Indexwatch again.'
const secretNotKept = 'The secret of this key is not stored on this computer. Enter it again in Settings.'

/**
 * The connections to use: the demo service with `--demo`, otherwise that of the environment, otherwise the user's
 * enabled ones, otherwise the demo service. Does not query the keyring.
 */
export function configuredConnections(
  launch: LaunchOptions,
  profiles: readonly ConnectionProfile[],
  secrets: SecretKeeper,
): ConnectionConfig[] {
  if (launch.isDemo) return [demo]
  if (launch.environment !== undefined) {
    const { profile, keySecret } = launch.environment
    return [{ id: 'environment', name: profile.name, kind: 'service', endpoint: endpointOf(profile, keySecret) }]
  }
  const configs: ConnectionConfig[] = []
  for (const profile of profiles) {
    if (!profile.isEnabled) continue
    const { id, name } = profile
    const use = secretUse(profile)
    const known = secrets.look(id, use)
    if (known.state === 'known') {
      configs.push({ id, name, kind: 'service', endpoint: endpointOf(profile, known.secret) })
    } else if (known.state === 'sealed') configs.push({ id, name, kind: 'sealed', use })
    else {
      const problem = known.state === 'withheld' ? secretWithheld : secretNotKept
      configs.push({ id, name, kind: 'incomplete', problem })
    }
  }
  return configs.length === 0 ? [demo] : configs
}

/** What a secret is bound to: its key id and servers. If either changes, the stored secret no longer applies. */
export function secretUse(profile: ConnectionProfile): string {
  return JSON.stringify([profile.keyId, ...originsOf(profile)])
}

/** The servers of a profile, the stream's first. All as http(s), so that they compare. */
export function originsOf({ webSocketUrl, restUrl, mcpUrl }: ConnectionProfile): string[] {
  const origins = [webSocketUrl, restUrl, mcpUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url.replace(/^ws/i, 'http')).origin],
  )
  return [...new Set(origins)]
}

/** True if both lead to the same service with the same key. The name may differ. */
export function isSameConfig(one: ConnectionConfig, other: ConnectionConfig): boolean {
  return comparedText(one) === comparedText(other)
}

function comparedText(config: ConnectionConfig): string {
  const endpoint = config.kind === 'service' ? { ...config.endpoint, name: '' } : undefined
  return JSON.stringify({ id: config.id, kind: config.kind, endpoint })
}

function endpointOf(profile: ConnectionProfile, keySecret: string): ServiceEndpoint {
  const { name, auth, webSocketUrl, restUrl, mcpUrl, keyId } = profile
  return { name, isDemo: false, auth, webSocketUrl, restUrl, mcpUrl, keyId, keySecret }
}
