import type { AlertEvent, Telling } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'
import { causeOf, SilenceGroups } from './silence-groups'
import { StormGate } from './storm-gate'

/** So many events of one value are told one by one; more are one notice. */
const mostOfOneValue = 3

/**
 * Puts events into notices (alerts, 14), each event into exactly one. An event is told at once where nothing stands
 * against it. Told together are: silences that come within a second and a half, and the ends of silences likewise; more
 * than three events of one index and publication, handed in one after another in one call; and in a storm, what is more
 * than ten notices a minute. Urgent events have a lane of their own with room for thirty a minute, so that no storm of
 * others delays them.
 */
export class NoticeQueue {
  readonly #urgent: Lane
  readonly #others: Lane

  constructor(options: {
    clock: Clock
    tell: (telling: Telling) => void
    mostPerMinute?: number
    mostUrgentPerMinute?: number
  }) {
    const { clock, tell, mostPerMinute = 10, mostUrgentPerMinute = 30 } = options
    const tellTogether = (events: readonly AlertEvent[]) => {
      const [event, ...more] = events
      if (event !== undefined) {
        tell(more.length === 0 ? { kind: 'single', event } : { kind: 'digest', events: [event, ...more] })
      }
    }
    this.#urgent = new Lane({ clock, tell: tellTogether, mostPerMinute: mostUrgentPerMinute })
    this.#others = new Lane({ clock, tell: tellTogether, mostPerMinute })
  }

  /** Events that are stored and not held back, in order. */
  add(events: readonly AlertEvent[]): void {
    this.#urgent.add(events.filter(({ severity }) => severity === 'urgent'))
    this.#others.add(events.filter(({ severity }) => severity !== 'urgent'))
  }

  /** Tells what is still collected without waiting. */
  flush(): void {
    this.#urgent.flush()
    this.#others.flush()
  }

  /** Tells what is still collected, and from then on everything at once: at the end of the app nothing may wait. */
  dispose(): void {
    this.#urgent.end()
    this.#others.end()
  }
}

class Lane {
  readonly #gate: StormGate
  readonly #groups: SilenceGroups
  #hasEnded = false

  constructor(options: { clock: Clock; tell: (events: readonly AlertEvent[]) => void; mostPerMinute: number }) {
    this.#gate = new StormGate(options)
    this.#groups = new SilenceGroups({
      clock: options.clock,
      tell: (events) => {
        this.#gate.pass(events)
      },
    })
  }

  add(events: readonly AlertEvent[]): void {
    for (const event of events) {
      const cause = causeOf(event)
      if (cause !== undefined) this.#groups.add(cause, event)
    }
    for (const together of runsOfOneValue(events.filter((event) => causeOf(event) === undefined))) {
      if (together.length > mostOfOneValue) this.#gate.pass(together)
      else for (const event of together) this.#gate.pass([event])
    }
    if (this.#hasEnded) this.flush()
  }

  end(): void {
    this.#hasEnded = true
    this.flush()
  }

  flush(): void {
    this.#groups.flush()
    this.#gate.flush()
  }
}

/** Events one after another that are about the same value; each by itself where it is about none. */
function runsOfOneValue(events: readonly AlertEvent[]): AlertEvent[][] {
  const runs: AlertEvent[][] = []
  for (const event of events) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run !== undefined && before !== undefined && isOfOneValue(before, event)) run.push(event)
    else runs.push([event])
  }
  return runs
}

function isOfOneValue(a: AlertEvent, b: AlertEvent): boolean {
  const atMs = a.inputs.publishedAtMs
  return atMs !== undefined && atMs === b.inputs.publishedAtMs && a.indexId === b.indexId
}
