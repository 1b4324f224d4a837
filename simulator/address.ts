import type { Simulator } from './server'

/** Where a running simulator is found: what the command prints first and the embedded process posts. */
export interface SimulatorAddress {
  readonly ws: string
  /** The REST address before `/api/v1`. */
  readonly rest: string
  readonly mcp: string
  readonly keyId: string
  readonly keySecret: string
}

export function addressOf({ wsUrl, restUrl, mcpUrl, keyId, keySecret }: Simulator): SimulatorAddress {
  return { ws: wsUrl, rest: restUrl, mcp: mcpUrl, keyId, keySecret }
}
