import type { WindowUpdate } from '../../protocol/desktop'

/** What to do after an update or a snapshot: apply these, in order; ask for a snapshot again when not complete. */
export interface SequenceStep {
  apply: WindowUpdate[]
  isComplete: boolean
}

const maxHeld = 1_000

/**
 * Keeps numbered updates in order. Until a snapshot is there, updates are held; those it already contains are dropped;
 * after a missing number everything is held again until the next snapshot.
 */
export class UpdateSequence {
  #number: number | undefined
  #held: WindowUpdate[] = []

  receive(update: WindowUpdate): SequenceStep {
    if (this.#number === undefined) {
      // Dropping the oldest leaves a hole, which asks for a snapshot again: nothing is lost in silence.
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

  /** A snapshot with this number arrived; answers with the held updates that continue it. */
  settle(snapshotNumber: number): SequenceStep {
    const held = this.#held
    this.#held = []
    this.#number = snapshotNumber
    const steps = held.map((update) => this.receive(update))
    return { apply: steps.flatMap((step) => step.apply), isComplete: steps.every((step) => step.isComplete) }
  }
}
