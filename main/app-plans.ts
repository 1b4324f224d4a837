import type { ConnectionProfile } from '../protocol/model'
import type { ServiceEndpoint } from './app-endpoint'
import type { LaunchOptions } from './desktop/launch-options'
import type { SecretKeeper } from './storage/secret-keeper'

/** A connection to be kept: to the demo service, to a service with its key, or to one whose secret is missing. */
export type Plan = { id: string; name: string } & (
  { kind: 'demo' } | { kind: 'service'; endpoint: ServiceEndpoint } | { kind: 'incomplete'; problem: string }
)

const demo: Plan = { id: 'demo', name: 'Demo', kind: 'demo' }
const secretNotKept = 'The secret of this key is not kept on this computer. Enter it again in Settings.'

/** Which services answer: `--demo`, else the environment's, else those of the user's own in use, else the demo service. */
export async function plannedConnections(
  launch: LaunchOptions,
  profiles: readonly ConnectionProfile[],
  secrets: SecretKeeper,
): Promise<Plan[]> {
  if (launch.isDemo) return [demo]
  if (launch.environment !== undefined) {
    const { profile, keySecret } = launch.environment
    return [{ id: 'environment', name: profile.name, kind: 'service', endpoint: endpointOf(profile, keySecret) }]
  }
  const plans: Plan[] = []
  for (const profile of profiles) {
    if (!profile.isEnabled) continue
    const { id, name } = profile
    const keySecret = await secrets.load(id, profile.keyId)
    if (keySecret === undefined) plans.push({ id, name, kind: 'incomplete', problem: secretNotKept })
    else plans.push({ id, name, kind: 'service', endpoint: endpointOf(profile, keySecret) })
  }
  return plans.length === 0 ? [demo] : plans
}

/** Whether both plans lead to the same service with the same key; the name may differ. */
export function isSamePlan(one: Plan, other: Plan): boolean {
  return essence(one) === essence(other)
}

function essence(plan: Plan): string {
  const endpoint = plan.kind === 'service' ? { ...plan.endpoint, name: '' } : undefined
  return JSON.stringify({ id: plan.id, kind: plan.kind, endpoint })
}

function endpointOf(profile: ConnectionProfile, keySecret: string): ServiceEndpoint {
  const { name, auth, webSocketUrl, restUrl, mcpUrl, keyId } = profile
  const rest = restUrl === undefined ? {} : { restUrl }
  const mcp = mcpUrl === undefined ? {} : { mcpUrl }
  return { name, isDemo: false, auth, webSocketUrl, ...rest, ...mcp, keyId, keySecret }
}
