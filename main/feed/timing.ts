/** Every wait of the feed. Tests shorten them; the app runs with `feedTiming`. */
export interface FeedTiming {
  /** From the first byte sent to an open connection, all of it. */
  handshakeTimeoutMs: number
  /** How long a closing peer may keep the line. */
  closeTimeoutMs: number
  /** Silence after which the peer is asked whether it is there. */
  silenceTimeoutMs: number
  /** How long it may take to say so. */
  pongTimeoutMs: number
  /** How long a connection must hold before failures are forgotten. */
  stableAfterMs: number
  backoffBaseMs: number
  backoffFloorMs: number
  backoffCapMs: number
  /** How long a connection must hold for the way back to be short. */
  heldAfterMs: number
  /** Cap while nobody answers at all, and once after a connection that held: neither can become a storm. */
  shortCapMs: number
}

export const feedTiming: FeedTiming = {
  handshakeTimeoutMs: 10_000,
  closeTimeoutMs: 2_000,
  silenceTimeoutMs: 15_000,
  pongTimeoutMs: 10_000,
  stableAfterMs: 60_000,
  backoffBaseMs: 1_000,
  backoffFloorMs: 250,
  backoffCapMs: 60_000,
  heldAfterMs: 5_000,
  shortCapMs: 3_000,
}
