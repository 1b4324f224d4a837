import { demoName } from '../../core/connection-words'
import { formulaInfo } from '../../core/formula'
import { serviceIds } from '../../core/formula-id'
import type { ServiceTools } from '../../protocol/desktop'
import type { ServiceTool } from '../../protocol/service-tools'
import type { ConnectionView } from '../../protocol/responses'
import type { ConnectionState, ConnectionStatus, IndexId, IndexInfo } from '../../core/model'

/** Worst first. */
const fromWorst: readonly ConnectionState[] = ['notAuthorised', 'offline', 'reconnecting', 'connecting', 'live']

const starting: ConnectionStatus = { state: 'connecting', name: demoName, isDemo: true, streamCount: 0 }

/** All connections as one status: the worst state, and its problem. */
export function overallStatus(views: readonly ConnectionView[]): ConnectionStatus {
  const [first] = views
  if (first === undefined) return starting
  const state = fromWorst.find((each) => views.some((view) => view.state === each)) ?? first.state
  const isOne = views.length === 1
  const concerned = [...views]
    .sort((a, b) => fromWorst.indexOf(a.state) - fromWorst.indexOf(b.state))
    .find(({ problem }) => problem !== undefined)
  const problem = isOne ? concerned?.problem : concerned && `${concerned.name}: ${concerned.problem ?? ''}`
  const unreadableCount = views.reduce((sum, view) => sum + (view.unreadableCount ?? 0), 0)
  const retries = views.flatMap(({ retryInMs }) => (retryInMs === undefined ? [] : [retryInMs]))
  return {
    state,
    name: isOne ? first.name : `${views.length} connections`,
    isDemo: views.every(({ isDemo }) => isDemo),
    problem,
    ...(retries.length === 0 ? {} : { retryInMs: Math.min(...retries) }),
    streamCount: views.reduce((sum, { streamCount }) => sum + streamCount, 0),
    ...(unreadableCount === 0 ? {} : { unreadableCount }),
  }
}

/** The state of a service's tools. */
export type ListedToolsView = Exclude<ServiceTools, { state: 'listed' }> | { state: 'listed'; tools: ServiceTool[] }

/** A connection and its tools. */
interface ToolsOf {
  connection: Pick<ConnectionView, 'id' | 'name' | 'isDemo'>
  tools: ListedToolsView | undefined
}

/**
 * The tools of all connections, each with its connection. Undefined while none is listed and some have not answered.
 */
export function allTools(each: readonly ToolsOf[]): ServiceTools | undefined {
  const listed = each.flatMap(({ connection: { id, name, isDemo }, tools }) =>
    tools?.state === 'listed'
      ? [tools.tools.map((tool) => ({ ...tool, connectionId: id, connection: name, isDemo }))]
      : [],
  )
  if (listed.length > 0) return { state: 'listed', tools: listed.flat() }
  const known = each.flatMap(({ tools }) => (tools === undefined || tools.state === 'listed' ? [] : [tools]))
  const unreachable = known.find(({ state }) => state === 'unreachable')
  return unreachable ?? (known.length < each.length ? undefined : known[0])
}

/**
 * The indices that services list now, and formulas of them. `isKnown` is undefined for an unlisted index until every list
 * has arrived.
 */
export function listing({ catalogue, views }: { catalogue: readonly IndexInfo[]; views: readonly ConnectionView[] }) {
  const byId = new Map(catalogue.map((info) => [info.id, info]))
  const isWhole = views.length > 0 && views.every(({ indexCount }) => indexCount > 0)
  return {
    ids: [...byId.keys()],
    index: (id: IndexId) => byId.get(id) ?? formulaInfo(id, (part) => byId.get(part)),
    isKnown: (id: IndexId) => serviceIds(id).every((each) => byId.has(each)) || (isWhole ? false : undefined),
  }
}
