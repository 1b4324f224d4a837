import type { WindowUpdate } from '../../protocol/desktop'

/** The updates to apply, in order. If `isComplete` is false, an update is missing: a snapshot must be fetched. */
export interface SequenceStep {
  apply: WindowUpdate[]
  isComplete: boolean
}

const maxHeld = 1_000

/**
 * Keeps numbered updates in order. Updates are held until a snapshot arrives, and dropped if it contains them. After a
 * missing number, updates are held until the next snapshot.
 */
export class UpdateSequence {
  #number: number | undefined
  #held: WindowUpdate[] = []

  receive(update: WindowUpdate): SequenceStep {
    if (this.#number === undefined) {
      // Dropping the oldest leaves a gap in the numbers, so that a snapshot is fetched again.
      if (this.#held.push(update) > maxHeld) this.#held.shift()
      return { apply: [], isComplete: true }
    }
    if (update.number <= this.#number) return { apply: [], isComplete: true }
    if (update.number > this.#number + 1) {
      this.#number = undefined
      this.#held = [update]
      return { apply: [], isComplete: false }
    }
    this.#number = update.number
    return { apply: [update], isComplete: true }
  }

  /** Called when a snapshot with this number has arrived. Returns the held updates that follow it. */
  settle(snapshotNumber: number): SequenceStep {
    const held = this.#held
    this.#held = []
    this.#number = snapshotNumber
    const steps = held.map((update) => this.receive(update))
    return { apply: steps.flatMap((step) => step.apply), isComplete: steps.every((step) => step.isComplete) }
  }
}
