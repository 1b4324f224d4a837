import type { Clock } from './clock'

/** So long work goes on in one turn of the loop: what else the main process does in it must fit into 50 ms with it. */
const maxMs = 5

/** Whether the part of this turn is over. */
type IsOver = () => boolean

/** Goes on until it is done, or its part of the turn is over. Answers whether it is done. */
export type Work = (isOver: IsOver) => boolean

function partOf(clock: Pick<Clock, 'monotonicMs'>): IsOver {
  const endMs = clock.monotonicMs() + maxMs
  return () => clock.monotonicMs() >= endMs
}

/** Work in the order in which it came. What does not fit into a part of a turn goes on in the next one. */
export class WorkQueue {
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #works: Work[] = []
  #isPlanned = false
  #isRunning = false
  /** Where a work goes that the running one adds. */
  #nextPlace = 1
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  get isBusy(): boolean {
    return this.#works.length > 0
  }

  /**
   * Where nothing else is to be done, what fits into a part of this turn is done when this returns. What a work adds is done
   * right after it, in its order.
   */
  add(work: Work): void {
    if (this.#isRunning) this.#works.splice(this.#nextPlace++, 0, work)
    else {
      this.#works.push(work)
      if (!this.#isPlanned) this.#run(partOf(this.#clock))
    }
  }

  /** Done when nothing is left to be done. */
  async idle(): Promise<void> {
    while (this.isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Does all that is left at once. */
  finish(): void {
    if (!this.#isRunning) this.#run(() => false)
  }

  #run(isOver: IsOver): void {
    this.#isRunning = true
    for (let [work] = this.#works; work !== undefined; [work] = this.#works) {
      this.#nextPlace = 1
      if (!this.#isDone(work, isOver)) break
      this.#works.shift()
      if (isOver()) break
    }
    this.#isRunning = false
    if (!this.isBusy) for (const resolve of this.#waiting.splice(0)) resolve()
    else if (!this.#isPlanned) {
      this.#isPlanned = true
      this.#clock.nextTurn(() => {
        this.#isPlanned = false
        this.#run(partOf(this.#clock))
      })
    }
  }

  #isDone(work: Work, isOver: IsOver): boolean {
    try {
      return work(isOver)
    } catch (error) {
      this.#onError(error)
      return true
    }
  }
}

/** Does something with each, part by part: other work has its turn in between. */
export async function inTurns<T>(clock: Clock, items: Iterable<T>, run: (item: T) => void): Promise<void> {
  let isOver = partOf(clock)
  for (const item of items) {
    if (isOver()) {
      await new Promise<void>((resolve) => clock.nextTurn(resolve))
      isOver = partOf(clock)
    }
    run(item)
  }
}
