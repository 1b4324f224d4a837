import { ServiceTimes, type Clock } from '../../main/base/clock'

interface Timer {
  dueMs: number
  readonly run: () => void
}

/** A clock that moves only when a test moves it. Starts at 12:00 UTC on 1 November 2023 unless another time is given. */
export class FakeClock implements Clock {
  #wallMs: number
  #monotonicMs = 1_000
  readonly #serviceTimes = new ServiceTimes(this)
  #timers: Timer[] = []
  #turns: (() => void)[] = []

  constructor(wallMs = Date.UTC(2023, 10, 1, 12)) {
    this.#wallMs = wallMs
  }

  /** Number of waiting timers. */
  get pending(): number {
    return this.#timers.length
  }

  wallMs(): number {
    return this.#wallMs
  }

  serviceMs(): number {
    return this.#serviceTimes.nowMs()
  }

  followService(source: object, aheadMs: number | undefined): boolean {
    return this.#serviceTimes.follow(source, aheadMs)
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  busyMs(): number {
    return this.monotonicMs()
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  nextTurn(run: () => void): void {
    this.#turns.push(run)
  }

  /** Advances by `ms`. Turns and timers run in order, each at its due time. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms
    this.#runTurns()
    for (let next = this.#nextDue(endMs); next !== undefined; next = this.#nextDue(endMs)) {
      this.#pass(Math.max(0, next.dueMs - this.#monotonicMs))
      const due = next
      this.#timers = this.#timers.filter((other) => other !== due)
      due.run()
      this.#runTurns()
    }
    this.#pass(Math.max(0, endMs - this.#monotonicMs))
  }

  /** Advances by `ms` without running timers, like a suspended process. Due timers run late. */
  sleep(ms: number): void {
    this.#pass(ms)
  }

  /** Puts the machine to sleep for `ms`. Timers are suspended and run that much later. */
  sleepMachine(ms: number): void {
    this.#pass(ms)
    for (const timer of this.#timers) timer.dueMs += ms
  }

  /** Sets the wall clock forward, or back with a negative number. */
  jumpWall(ms: number): void {
    this.#wallMs += ms
  }

  #pass(ms: number): void {
    this.#wallMs += ms
    this.#monotonicMs += ms
  }

  #nextDue(endMs: number): Timer | undefined {
    const due = this.#timers.filter((timer) => timer.dueMs <= endMs)
    return due.reduce<Timer | undefined>((first, timer) => {
      return first === undefined || timer.dueMs < first.dueMs ? timer : first
    }, undefined)
  }

  #runTurns(): void {
    while (this.#turns.length > 0) {
      const turns = this.#turns
      this.#turns = []
      for (const run of turns) run()
    }
  }
}
