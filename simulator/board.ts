import type { RequestedResolution } from '../protocol/model'
import { catalogue } from './catalogue'
import type { CatalogueEntry } from './catalogue'
import type { Publications, Published } from './publications'

function isNewer(one: Published, other: Published): boolean {
  return one.time === other.time ? (one.amendTime ?? 0) >= (other.amendTime ?? 0) : one.time > other.time
}

const onSecond = ({ time }: Published): boolean => time % 1_000 === 0

/**
 * What the service knows at a moment: the market's publications, except for indices that a test publishes by hand.
 * Those carry what was published by hand and nothing else from then on.
 */
export class Board {
  readonly #publications: Publications
  readonly #entries = new Map(catalogue.map((entry) => [entry.id, entry]))
  readonly #byHand = new Map<string, Published[]>()

  constructor(publications: Publications) {
    this.#publications = publications
  }

  get entries(): readonly CatalogueEntry[] {
    return [...this.#entries.values()]
  }

  find(id: string): CatalogueEntry | undefined {
    return this.#entries.get(id)
  }

  isByHand(id: string): boolean {
    return this.#byHand.has(id)
  }

  publishByHand(id: string, published: Published): void {
    this.#byHand.set(id, [...(this.#byHand.get(id) ?? []), published])
  }

  /** The latest value, by time and then by amendment; on second boundaries unless every tick is asked for. */
  latest(entry: CatalogueEntry, nowMs: number, resolution: RequestedResolution): Published | undefined {
    const byHand = this.#byHand.get(entry.id)
    if (byHand === undefined) return this.#publications.latest(entry, nowMs, resolution)
    return this.#shown(byHand, resolution).reduce<Published | undefined>(
      (best, next) => (best === undefined || isNewer(next, best) ? next : best),
      undefined,
    )
  }

  /** One hour or one year of values, ascending, amendments in their places. */
  history(entry: CatalogueEntry, nowMs: number, resolution: RequestedResolution): Published[] {
    const byHand = this.#byHand.get(entry.id)
    if (byHand === undefined) return this.#publications.history(entry, nowMs, resolution)
    const byTime = new Map<number, Published>()
    for (const next of this.#shown(byHand, resolution)) {
      const known = byTime.get(next.time)
      if (known === undefined || isNewer(next, known)) byTime.set(next.time, next)
    }
    return [...byTime.values()].sort((one, other) => one.time - other.time)
  }

  #shown(published: readonly Published[], resolution: RequestedResolution): Published[] {
    return resolution === 'PER_200MS' ? [...published] : published.filter(onSecond)
  }
}
