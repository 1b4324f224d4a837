import type { Clock } from './clock'

/**
 * Long work may run this long in one turn of the loop. Together with everything else in that turn it must stay under 50
 * ms.
 */
const maxMs = 5

/** True when this turn's share of time is used up. */
type IsOver = () => boolean

/** Continues until it is done or its share is used up. Returns true when it is done. */
export type Work = (isOver: IsOver) => boolean

/** The share starts when the work first asks about it. Work that never asks reads no clock. */
function partOf(clock: Pick<Clock, 'busyMs'>): IsOver {
  let endMs: number | undefined
  return () => {
    const nowMs = clock.busyMs()
    endMs ??= nowMs + maxMs
    return nowMs >= endMs
  }
}

/** Runs work in the order it was added. Work that does not fit into one turn continues in the next. */
export class WorkQueue {
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  /** Those before `#first` are done. They are removed together, because each removal moves all others. */
  readonly #works: Work[] = []
  #first = 0
  #isPlanned = false
  #isRunning = false
  /** Index at which work added by the running work is inserted. */
  #nextPlace = 0
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  get isBusy(): boolean {
    return this.#works.length > this.#first
  }

  /**
   * If the queue is idle, runs synchronously as much as fits into this turn. Work added by running work runs right
   * after it, in order.
   */
  add(work: Work): void {
    if (this.#isRunning) this.#works.splice(this.#nextPlace++, 0, work)
    else {
      this.#works.push(work)
      if (!this.#isPlanned) this.#run(partOf(this.#clock))
    }
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    while (this.isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Runs all remaining work synchronously. */
  finish(): void {
    if (!this.#isRunning) this.#run(() => false)
  }

  #run(isOver: IsOver): void {
    this.#isRunning = true
    for (let work = this.#works[this.#first]; work !== undefined; work = this.#works[this.#first]) {
      this.#nextPlace = this.#first + 1
      if (!this.#isDone(work, isOver)) break
      this.#first++
      if (isOver()) break
    }
    this.#works.splice(0, this.#first)
    this.#first = 0
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

/** Runs something for each item in shares, so that other work gets its turn in between. */
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
