/** Messages of a service that publishes as fast as they are read, as bytes. They are the same in every run. */

import type { Samples } from './report'

export type Side = keyof Samples

interface Flood {
  readonly stream: 'value' | 'constituents'
  readonly ids: readonly string[]
  /** Messages in a round. */
  readonly count: number
}

const indices = (count: number) => Array.from({ length: count }, (_, at) => `INDEX${at + 1}`)

export const floods = {
  // Fewer than the history keeps while its disk is slower.
  value: { stream: 'value', ids: indices(200), count: 40_000 },
  burst: { stream: 'value', ids: indices(200), count: 10_000 },
  constituents: { stream: 'constituents', ids: indices(20), count: 4_000 },
} as const satisfies Record<string, Flood>

/** The times of a round follow those of the previous round. They pass more slowly than real time, so none is ahead. */
const roundSpanMs = 200
const spacingMs = 1

/** Number of messages in a round, and of constituents in each basket. */
interface FloodSize {
  count?: number
  memberCount?: number
}

/** The frames of a round, see `floodTexts`. */
export function floodBytes(kind: keyof typeof floods, startMs: number, size: FloodSize = {}): Buffer {
  return Buffer.concat(floodTexts(kind, startMs, size).map(textFrame))
}

/** The messages of a round. `startMs` is the publication time of the first one. */
export function floodTexts(
  kind: keyof typeof floods,
  startMs: number,
  { count = floods[kind].count, memberCount = 100 }: FloodSize = {},
): string[] {
  const { ids } = floods[kind]
  const texts: string[] = []
  for (let at = 0; at < count; at++) {
    const time = startMs + Math.floor(at / ids.length) * spacingMs
    const id = ids[at % ids.length] ?? ''
    // Values jump up and down, so that a rule's comparison differs each time.
    const value = (10_000 + ((at * 7_919) % 1_000) / 100).toFixed(2)
    texts.push(
      JSON.stringify(
        kind === 'constituents' ? basket(time, id, value, memberCount) : { type: 'value', time, id, value },
      ),
    )
  }
  return texts
}

/** The service's list of the indices of a flood. */
export function floodListing(kind: keyof typeof floods): object {
  return {
    type: 'info',
    success: true,
    streams: floods[kind].ids.map((id) => ({ id, maxResolution: 'PER_200MS' })),
  }
}

/** The publication time of the first message of a round. Rounds start at 0. */
export function roundStartMs(firstMs: number, round: number): number {
  return firstMs + round * roundSpanMs
}

function basket(time: number, id: string, value: string, memberCount: number): object {
  const constituents = Array.from({ length: memberCount }, (_, at) => ({
    constituent: `MEMBER${at}`,
    value: (100 + at * 7 + (time % 997) / 100).toFixed(2),
    weightPercent: '1.00',
  }))
  return { type: 'constituents', time, id, value, constituents }
}

/** One text message as a server sends it, unmasked. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([frameHead(payload.length), payload])
}

function frameHead(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length])
  const isShort = length < 65_536
  const head = Buffer.alloc(isShort ? 4 : 10)
  head.writeUInt16BE(isShort ? 0x81_7e : 0x81_7f)
  if (isShort) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return head
}
