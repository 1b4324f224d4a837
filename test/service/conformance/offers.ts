import type { TestContext } from 'vitest'
import { connect, type Connection } from './connection'
import { payload } from './rest'
import { once, service, type Kind } from './service'

interface Offered {
  readonly id: string
  readonly name: string
  readonly maxResolution: string
}

/** A connection that the tests of a file share. */
export const shared = once(() => connect())

/** Every index the key may use: resolution from the info response, name from the reference data. */
export const offered = once(async (): Promise<Offered[]> => {
  const connection = await shared()
  const [info, listed] = await Promise.all([connection.info(), payload<{ id: string; name?: string }[]>('indices')])
  const names = new Map(listed.map(({ id, name }) => [id, name]))
  const streams = info['streams'] as { id: string; maxResolution: string }[]
  return streams.map(({ id, maxResolution }) => ({ id, maxResolution, name: names.get(id) ?? '' }))
})

/** Finds the kind of an index by its name (protocol, 10), never by the behaviour under test. */
const isOfKind: Record<Kind, (index: Offered) => boolean> = {
  every200ms: ({ maxResolution }) => maxResolution === 'PER_200MS',
  everySecond: ({ id, maxResolution }) => maxResolution === 'PER_SECOND' && id.endsWith('USD_RTI'),
  daily: ({ id, maxResolution }) => maxResolution === 'DAILY' && id.endsWith('RR') && !id.endsWith('_SRR'),
  basket: ({ id }) => id.endsWith('_RTI_TR'),
  exchangeFamily: ({ id, name, maxResolution }) =>
    maxResolution === 'PER_SECOND' && (id.startsWith('NCI') || /nasdaq crypto/i.test(name)),
  rewardRate: ({ id }) => id.endsWith('_SRR'),
  tokenizedEquity: ({ id, name }) => id.endsWith('_RTI') && /xstock|tokeni[sz]ed/i.test(name),
}

/** All indices of a kind. Without one, skips the test for another service and fails it for ours. */
export async function allOf(kind: Kind, context: TestContext): Promise<[string, ...string[]]> {
  const given = service.indices[kind]
  const ids = given === undefined ? (await offered()).filter(isOfKind[kind]).map(({ id }) => id) : [given]
  return [required(ids[0], `an index of the kind ${kind}`, context), ...ids.slice(1)]
}

/** One index of a kind. */
export async function one(kind: Kind, context: TestContext): Promise<string> {
  const [id] = await allOf(kind, context)
  return id
}

/** Returns `found`. If it is undefined, skips the test for another service and fails it for ours. */
export function required<T>(found: T | undefined, what: string, { skip }: TestContext): T {
  if (found !== undefined) return found
  if (service.isOurs) throw new Error(`the simulator offers no ${what}`)
  return skip(`the service offers no ${what}`)
}

/** Skips the test for another service. Where the spec is silent, docs/development/decisions/0007 binds only ours. */
export function ourChoice({ skip }: TestContext): void {
  if (!service.isOurs) skip('the spec is silent; docs/development/decisions/0007 has our choice')
}

/** Opens a new connection and waits for this many messages of an index. */
export async function listen(
  id: string,
  { count, stream = 'value', ...others }: { count: number; stream?: string; maxResolution?: string },
): Promise<Connection> {
  const connection = await connect()
  connection.subscribe(stream, id, others)
  await connection.some(count, stream, id)
  return connection
}
