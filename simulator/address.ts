import type { Simulator } from './server'

/** Addresses of a running simulator. The command prints them first, and the embedded process posts them. */
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
