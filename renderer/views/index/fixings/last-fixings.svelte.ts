import { staleAfterMs } from '../../../../core/freshness'
import type { DecimalText, IndexId, Publication } from '../../../../core/model'
import type { Page } from '../../../state/page'
import { askWhenLive, type Series } from '../../../state/chart.svelte'

const maxFixings = 10

/** One fixing, and what belongs to it. */
export interface Fixing extends Publication {
  /** The fixing before it; absent of the first one known. */
  before?: DecimalText
  /** What the real-time index said at that moment; absent where this computer does not know it. */
  partner?: DecimalText
}

/** The last fixings of a daily rate, newest first, with what its real-time index said then. Made while a component is made. */
export class LastFixings {
  readonly #page: Pick<Page, 'mirror' | 'api'>
  #series = $state.raw<Series>()
  #partners = $state.raw<readonly { atMs: number; value: DecimalText | undefined }[]>([])
  readonly #known = $derived.by(() => {
    const points = (this.#series?.points ?? []).slice(-maxFixings - 1).map(({ point }) => point)
    return points.map((point, at): Fixing => {
      const before = points[at - 1]?.value
      return { ...point, ...(before !== undefined && { before }) }
    })
  })

  /** Newest first, at most ten. */
  readonly rows = $derived(
    this.#known
      .slice(-maxFixings)
      .reverse()
      .map((row): Fixing => {
        const partner = this.#partners.find(({ atMs }) => atMs === row.publishedAtMs)?.value
        return partner === undefined ? row : { ...row, partner }
      }),
  )

  constructor(page: Page, id: () => IndexId, partner: () => IndexId | undefined) {
    this.#page = page
    $effect(() => {
      const { series, stop } = page.charts.open(id(), '1y')
      this.#series = series
      return stop
    })
    askWhenLive(
      () => page.mirror.state?.connections ?? [],
      () => void this.#series?.ask(),
    )
    // As text, so that what is known already is not asked for at each of the other changes.
    const timesText = $derived(
      this.#known
        .slice(-maxFixings)
        .map(({ publishedAtMs }) => publishedAtMs)
        .join(' '),
    )
    $effect(() => {
      const wanted = partner()
      const timesMs = timesText === '' ? [] : timesText.split(' ').map(Number)
      let isOver = false
      if (wanted !== undefined) {
        void Promise.all(timesMs.map((atMs) => this.#valueAt(wanted, atMs))).then((values) => {
          if (!isOver) this.#partners = timesMs.map((atMs, at) => ({ atMs, value: values[at] }))
        })
      }
      return () => (isOver = true)
    })
  }

  /** Why there are fewer than there could be. */
  get problem(): string | undefined {
    return this.#series?.failure ?? this.#series?.problem
  }

  async #valueAt(id: IndexId, atMs: number): Promise<DecimalText | undefined> {
    const { mirror, api } = this.#page
    const answer = await api.getValueAt({ indexId: id, atMs })
    const last = answer.ok && answer.value.gap === undefined ? answer.value.revisions.at(-1) : undefined
    // The last value before may be of long before, also where there was nothing to fetch in between.
    const maxAgeMs = staleAfterMs(mirror.info(id)?.maxResolution ?? 'PER_SECOND')
    return last !== undefined && atMs - last.publishedAtMs < maxAgeMs ? last.value : undefined
  }
}
