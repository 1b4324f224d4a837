import { compareDecimals, parseDecimal, type Decimal } from '../decimal'
import type { DecimalText, Publication } from '../model'

export interface Point {
  value: DecimalText
  decimal: Decimal
  publishedAtMs: number
}

const wasteBeforeCopy = 512

/** A queue that gives at both ends without moving what is in it. */
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
 * The values of the last so many milliseconds by publish time. Oldest, lowest and highest are found without a search:
 * the latter two are kept in queues from which each new value drives out those it is beyond. All others are kept as they
 * were published, which rules of one index share: a day of an index that publishes every second is 86,400 of them.
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

  /** Of equal values the first one. */
  get min(): Point | undefined {
    return this.#min.first
  }

  get max(): Point | undefined {
    return this.#max.first
  }

  /** Takes up a value later than all before it, read as this point, and drops those no longer inside. */
  add(publication: Publication, point: Point, withinMs: number): void {
    this.#all.push(publication)
    pushBehind(this.#min, point, 1)
    pushBehind(this.#max, point, -1)
    for (const queue of [this.#all, this.#min, this.#max]) queue.dropBefore(point.publishedAtMs - withinMs)
  }

  /** Begins at this value: what moved before it has fired. */
  restart(point: Point): void {
    this.#all.clear()
    this.#all.push({ value: point.value, publishedAtMs: point.publishedAtMs })
    for (const queue of [this.#min, this.#max]) {
      queue.clear()
      queue.push(point)
    }
  }
}

/** `undefined` for what is no number. */
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
