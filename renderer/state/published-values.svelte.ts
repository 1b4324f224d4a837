import type { IndexId, Publication } from '../../core/model'
import { MeanWindow, type WindowTerms } from '../../core/settlement/mean-window'
import type { Api } from './api'
import type { Mirror } from './mirror.svelte'

interface Source {
  api: Pick<Api, 'getRevisions'>
  mirror: Pick<Mirror, 'onPoints'>
}

interface Taker {
  /** Called with values in any order, some of them again. */
  take: (values: readonly Publication[]) => void
  /** Called with the reason why values may be missing. Undefined if there is none. */
  onProblem: (problem: string | undefined) => void
}

/** How far beyond the start of an open range values are asked for. */
const askedMs = 2 * 3_600_000

/**
 * Passes on all revisions of the values of a range. Those in the history come first, then those that only the provider
 * has, then each that arrives. Calling the returned function ends it.
 */
function followValues(
  { api, mirror }: Source,
  { indexId, fromMs, toMs = Infinity }: { indexId: IndexId; fromMs: number; toMs?: number },
  { take, onProblem }: Taker,
): () => void {
  let requests = 0
  const fetch = async () => {
    const number = ++requests
    const range = { indexId, fromMs, toMs: Math.min(toMs, fromMs + askedMs) }
    for (const asks of [false, true]) {
      const answer = await api.getRevisions({ ...range, asks })
      if (number !== requests) return
      if (answer.ok) take(answer.value.values)
      onProblem(answer.ok ? answer.value.problem : answer.problem.message)
    }
  }
  const stop = mirror.onPoints({
    addPoints: (ticks) => {
      const isMeant = ({ publishedAtMs }: Publication) => publishedAtMs >= fromMs && publishedAtMs <= toMs
      const own = ticks.filter((tick) => tick.indexId === indexId && isMeant(tick.point))
      if (own.length > 0) take(own.map(({ point }) => point))
    },
    refetch: () => void fetch(),
    addEvents: () => undefined,
  })
  void fetch()
  return () => {
    requests++
    stop()
  }
}

/** All known revisions of the values of an index in a range. */
export class RangeRevisions {
  /** By published and amended time. */
  readonly #known = Object.create(null) as Record<string, Publication>
  /** In any order. */
  all = $state.raw<readonly Publication[]>([])
  problem = $state<string>()

  follow(source: Source, range: { indexId: IndexId; fromMs: number; toMs: number }): () => void {
    return followValues(source, range, {
      take: (values) => {
        for (const value of values) this.#known[`${value.publishedAtMs} ${value.amendedAtMs ?? ''}`] ??= value
        this.all = Object.values(this.#known)
      },
      onProblem: (problem) => (this.problem = problem),
    })
  }
}

/** The mean of the last values of an index. It costs the same for each value, whatever the length of the window. */
export class RollingMean {
  readonly #window: MeanWindow
  /** Replaced with each value. */
  now = $state.raw<Pick<MeanWindow, 'mean' | 'counted' | 'expected' | 'carried'>>()

  constructor(terms: WindowTerms) {
    this.#window = new MeanWindow(terms)
  }

  follow(source: Source, range: { indexId: IndexId; fromMs: number }): () => void {
    return followValues(source, range, {
      take: (values) => {
        for (const value of values) this.#window.slide(value)
        const { mean, counted, expected, carried } = this.#window
        this.now = { mean, counted, expected, carried }
      },
      onProblem: () => undefined,
    })
  }
}
