import type { Delivery } from '../stream/client'

/** One update in this many is lost, or preceded by garbage. */
const interval = 5

/** Messages that every client must survive. */
export const garbage = [
  '{"type":"value","id":"BRTI","val',
  '',
  'null',
  '[]',
  '{"type":7}',
  '{"type":"tomorrow","id":"BRTI"}',
  '{"type":"value","time":"soon","id":"BRTI","value":"1.00"}',
  '{"type":"value","time":0,"id":"BRTI","value":12.5}',
  '{"type":"value","time":0,"id":"BRTI","value":"NaN"}',
  '{"type":"value","time":0,"id":["BRTI"],"value":"1.00"}',
  '{"type":"constituents","time":0,"id":"NCI","value":"1.00","constituents":"none"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
] as const

/** Drops every update. */
export function silent(): Delivery {
  return () => undefined
}

/** Sends every update twice. */
export function twice(): Delivery {
  return (update, send) => {
    send(update)
    send(update)
  }
}

/** Sends the second of every two updates first. */
export function swapped(): Delivery {
  let held: Buffer | undefined
  return (update, send) => {
    if (held === undefined) {
      held = update
      return
    }
    send(update)
    send(held)
    held = undefined
  }
}

/** Drops one update in five. */
export function withGaps(): Delivery {
  let count = 0
  return (update, send) => {
    if (++count % interval !== 0) send(update)
  }
}

/** Sends an unreadable message before one update in five. */
export function withGarbage(): Delivery {
  let count = 0
  return (update, send) => {
    if (++count % interval === 0) send(garbage[(count / interval - 1) % garbage.length] ?? '')
    send(update)
  }
}

/** Delays updates, then sends all of them at once in order. */
export class BurstBuffer {
  #held: (() => void)[] = []

  delivery(): Delivery {
    return (update, send) => {
      this.#held.push(() => send(update))
    }
  }

  flush(): void {
    for (const send of this.#held.splice(0)) send()
  }
}
