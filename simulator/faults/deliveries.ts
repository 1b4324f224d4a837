import type { Delivery } from '../stream/client'

/** One in so many updates is lost, or has garbage before it. */
const every = 5

/** What no client should have to read, and every client must live through. */
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

/** Nothing arrives. */
export function silent(): Delivery {
  return () => undefined
}

/** Everything arrives twice. */
export function twice(): Delivery {
  return (update, send) => {
    send(update)
    send(update)
  }
}

/** Of every two updates the second arrives first. */
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

/** One update in five never arrives. */
export function withGaps(): Delivery {
  let count = 0
  return (update, send) => {
    if (++count % every !== 0) send(update)
  }
}

/** Before one update in five something arrives that is none. */
export function withGarbage(): Delivery {
  let count = 0
  return (update, send) => {
    if (++count % every === 0) send(garbage[(count / every - 1) % garbage.length] ?? '')
    send(update)
  }
}

/** Keeps updates until they are let go, all at once and in their order. */
export class Dam {
  #held: (() => void)[] = []

  delivery(): Delivery {
    return (update, send) => {
      this.#held.push(() => {
        send(update)
      })
    }
  }

  open(): void {
    for (const send of this.#held.splice(0)) send()
  }
}
