/** How one attempt to hold a connection ended. Exactly one of these per attempt. */
export type AttemptEnd =
  /** Nobody answered at all: refused, unreachable, no such host, or silence before the line was up. */
  | { kind: 'unanswered'; code: string }
  /** The service answered the handshake with a status of its own. */
  | { kind: 'handshake'; status: number; retryAfter?: string }
  /** Somebody answered, but not as a WebSocket service does. */
  | { kind: 'badHandshake'; code: string }
  | { kind: 'handshakeTimedOut' }
  /** The service could not prove who it is. */
  | { kind: 'certificate'; code: string }
  /** Closed after it was open; 1006 when the line broke without a word. */
  | { kind: 'closed'; code: number }
  /** A message above the size limit. */
  | { kind: 'tooLarge' }
  /** The peer broke the WebSocket protocol. */
  | { kind: 'protocol'; code: string }
  /** Neither data nor an answer to our ping. */
  | { kind: 'silent' }
  /** The key cannot be written as subprotocols. */
  | { kind: 'unfitKey' }
  /** The service selected none of the subprotocols offered, or not the one that stands for the key. */
  | { kind: 'noSubprotocol' }
  /** The address cannot be used at all. */
  | { kind: 'badAddress' }
