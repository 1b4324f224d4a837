import { Session } from 'node:inspector'

/** Ranges of a function's text that have not run, ascending. */
type Unreached = readonly (readonly [from: number, to: number])[]

/** Coverage of the app's own code. Compares what never ran, because V8 may merge or split the blocks that ran. */
export class Coverage {
  readonly #session = new Session()
  readonly #isOurs: (url: string) => boolean
  readonly #unreached = new Map<string, Unreached>()

  /** `isOurs` is true for URLs whose code counts. */
  constructor(isOurs: (url: string) => boolean) {
    this.#isOurs = isOurs
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** The functions that reached new code since the previous call, with the ranges that have still not run. */
  takeNew(): Map<string, Unreached> {
    const found = new Map<string, Unreached>()
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result) {
        if (!this.#isOurs(url)) continue
        for (const { ranges } of functions) {
          // The first range is the function itself.
          const [whole] = ranges
          if (whole === undefined || whole.count === 0) continue
          const { startOffset, endOffset } = whole
          const key = `${url}:${startOffset}-${endOffset}`
          const before = this.#unreached.get(key) ?? [[startOffset, endOffset + 1]]
          const now = ranges
            .filter((range) => range.count === 0)
            .map((range) => [range.startOffset, range.endOffset] as const)
          const left = overlap(before, now)
          if (lengthOf(left) < lengthOf(before)) found.set(key, left)
        }
      }
    })
    return found
  }

  /** Records these ranges, so that they no longer count as new. */
  see(found: ReadonlyMap<string, Unreached>): void {
    for (const [key, left] of found) this.#unreached.set(key, left)
  }

  get functionCount(): number {
    return this.#unreached.size
  }
}

function overlap(some: Unreached, others: Unreached): Unreached {
  return some.flatMap(([from, to]) =>
    others.flatMap(([otherFrom, otherTo]) => {
      const [start, end] = [Math.max(from, otherFrom), Math.min(to, otherTo)]
      return start < end ? [[start, end] as const] : []
    }),
  )
}

function lengthOf(parts: Unreached): number {
  return parts.reduce((sum, [from, to]) => sum + to - from, 0)
}
