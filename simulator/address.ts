import type { Simulator } from './server'

/** Where a running simulator is found: what the command prints first and the embedded process posts. */
export interface SimulatorAddress {
  readonly ws: string
  /** What comes before `/api/v1`. */
  readonly rest: string
  /** There is no MCP interface in this version. */
  readonly mcp: null
  readonly keyId: string
  readonly keySecret: string
}

export function addressOf({ wsUrl, restUrl, keyId, keySecret }: Simulator): SimulatorAddress {
  return { ws: wsUrl, rest: restUrl, mcp: null, keyId, keySecret }
}
