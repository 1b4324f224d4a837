import { compareDecimals, parseDecimal, type Decimal } from '../decimal'
import type { DecimalText, Publication } from '../model'

export interface Point {
  value: DecimalText
  decimal: Decimal
  publishedAtMs: number
}

const wasteBeforeCopy = 512

/** A double-ended queue that never moves its items. */
class Queue<Item extends { publishedAtMs: number }> {
  #items: Item[] = []
  #start = 0

  get first(): Item | undefined {
    return this.#items[this.#start]
  }

  get last(): Item | undefined {
    return this.#items.length > this.#start ? this.#items.at(-1) : undefined
  }

  push(item: Item): void {
    this.#items.push(item)
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
 * The values of a time window by published time, with its oldest, lowest and highest. The lowest and highest are found
 * without a search: each new value removes those it is beyond from their queues. The list of all values is shared by
 * the rules of an index, because a day of one-second values has 86,400.
 */
export class MoveWindow {
  readonly #all = new Queue<Publication>()
  readonly #min = new Queue<Point>()
  readonly #max = new Queue<Point>()
  #oldest: Point | undefined

  get oldest(): Point | undefined {
    const { first } = this.#all
    if (first?.publishedAtMs !== this.#oldest?.publishedAtMs) this.#oldest = first && pointOf(first)
    return this.#oldest
  }

  /** The first one of equal values. */
  get min(): Point | undefined {
    return this.#min.first
  }

  get max(): Point | undefined {
    return this.#max.first
  }

  /** Adds a value later than all others, with its parsed point. Drops values that left the window. */
  add(publication: Publication, point: Point, withinMs: number): void {
    this.#all.push(publication)
    pushBehind(this.#min, point, 1)
    pushBehind(this.#max, point, -1)
    for (const queue of [this.#all, this.#min, this.#max]) queue.dropBefore(point.publishedAtMs - withinMs)
  }

  /** Starts the window at this value, after a firing. */
  restart(point: Point): void {
    this.#all.clear()
    this.#all.push({ value: point.value, publishedAtMs: point.publishedAtMs })
    for (const queue of [this.#min, this.#max]) {
      queue.clear()
      queue.push(point)
    }
  }
}

/** Undefined if the value is not a number. */
export function pointOf({ value, publishedAtMs }: Publication): Point | undefined {
  const decimal = parseDecimal(value)
  return decimal === undefined ? undefined : { value, decimal, publishedAtMs }
}

function pushBehind(queue: Queue<Point>, point: Point, order: 1 | -1): void {
  for (let { last } = queue; last !== undefined; { last } = queue) {
    if (compareDecimals(last.decimal, point.decimal) !== order) break
    queue.dropLast()
  }
  queue.push(point)
}
