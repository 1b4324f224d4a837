/** Why nobody is let in just now. */
export interface DoorRefusal {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What stands before the interfaces when something is wrong with the whole service; nothing by default. */
export class FrontDoor {
  /** How long a WebSocket handshake waits for its answer. */
  handshakeDelayMs = 0
  /** Answers a REST or MCP request in their place. */
  requestRefusal: (() => DoorRefusal) | undefined
  /** Answers a WebSocket handshake in the gateway's place. */
  handshakeRefusal: DoorRefusal | undefined
}
