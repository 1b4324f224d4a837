import { compareDecimals, type Decimal } from '../../../protocol/decimal'
import type { DecimalText } from '../../../protocol/model'

export interface Point {
  value: DecimalText
  decimal: Decimal
  publishedAtMs: number
}

const wasteBeforeCopy = 512

/** A queue that gives at both ends without moving what is in it. */
class Queue {
  #items: Point[] = []
  #start = 0

  get first(): Point | undefined {
    return this.#items[this.#start]
  }

  get last(): Point | undefined {
    return this.#items.length > this.#start ? this.#items.at(-1) : undefined
  }

  push(point: Point): void {
    this.#items.push(point)
  }

  dropLast(): void {
    this.#items.pop()
  }

  dropBefore(ms: number): void {
    for (let { first } = this; first !== undefined && first.publishedAtMs < ms; { first } = this) this.#start++
    if (this.#start < wasteBeforeCopy || this.#start * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#start)
    this.#start = 0
  }

  clear(): void {
    this.#items = []
    this.#start = 0
  }
}

/**
 * The values of the last so many milliseconds by publish time. Oldest, least and greatest are at hand without a search:
 * the two latter are kept in queues from which each new value drives out those it is beyond.
 */
export class MoveWindow {
  readonly #all = new Queue()
  readonly #least = new Queue()
  readonly #greatest = new Queue()
  /** What came before has been seen; from the beginning where the window began at a value that fired. */
  #seenSinceMs: number | undefined

  get oldest(): Point | undefined {
    return this.#all.first
  }

  /** Of equal values the first one. */
  get least(): Point | undefined {
    return this.#least.first
  }

  get greatest(): Point | undefined {
    return this.#greatest.first
  }

  /** Takes up a value later than all before it, and drops those no longer inside. */
  add(point: Point, withinMs: number): void {
    this.#seenSinceMs ??= point.publishedAtMs
    this.#all.push(point)
    pushBehind(this.#least, point, 1)
    pushBehind(this.#greatest, point, -1)
    for (const queue of [this.#all, this.#least, this.#greatest]) queue.dropBefore(point.publishedAtMs - withinMs)
  }

  /** How much of the window has been seen, in milliseconds. */
  seenMs(nowMs: number): number {
    return this.#seenSinceMs === undefined ? 0 : nowMs - this.#seenSinceMs
  }

  /** Begins at this value, as if covered: what moved before it has been told. */
  restart(point: Point): void {
    for (const queue of [this.#all, this.#least, this.#greatest]) {
      queue.clear()
      queue.push(point)
    }
    this.#seenSinceMs = -Infinity
  }
}

function pushBehind(queue: Queue, point: Point, order: 1 | -1): void {
  for (let { last } = queue; last !== undefined; { last } = queue) {
    if (compareDecimals(last.decimal, point.decimal) !== order) break
    queue.dropLast()
  }
  queue.push(point)
}
