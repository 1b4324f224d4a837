import type { Simulator } from './server'

/** How to reach a running demo service; the first line of its command. */
export interface SimulatorEndpoint {
  ws: string
  /** The base before `/api/v1/`. */
  rest: string
  /** No assistant tools in this version. */
  mcp: null
  keyId: string
  keySecret: string
}

export function endpointOf({ webSocketUrl, restUrl, key }: Simulator): SimulatorEndpoint {
  return { ws: webSocketUrl, rest: restUrl, mcp: null, keyId: key.id, keySecret: key.secret }
}
