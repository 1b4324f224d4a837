import type { IndexId } from '../../../../core/model'
import type { BoundTerms } from '../../../../core/settlement/bound-window'
import type { WindowTerms } from '../../../../core/settlement/mean-window'
import { readChoice, type StoredChoice } from '../../../../core/settlement/choice'
import { windowSeconds } from '../../../../core/formula-id'
import { presets, type Preset } from '../../../../core/settlement/presets'

const known = Object.create(null) as Record<IndexId, SettlementChoice>

/** The choice for an index. Chart and settlement share it. */
export function choiceOf(id: IndexId): SettlementChoice {
  return (known[id] ??= new SettlementChoice(id))
}

/** What the user chose for the settlement of one index. Kept over restarts. */
export class SettlementChoice {
  readonly #key: string
  kept: StoredChoice = $state.raw(readChoice(null))
  readonly preset = $derived<Preset>(presets[this.kept.preset])
  /** Undefined while the typed length is none. */
  readonly terms = $derived.by((): BoundTerms | undefined => {
    const { preset, seconds, countsEvery, includesClose, leavesOutCarried } = this.kept
    const typed = /^\d{1,4}$/.test(seconds.trim()) ? Number(seconds) : 0
    const length = preset === 'free' ? typed : this.preset.seconds
    if (length < windowSeconds.min || length > windowSeconds.max) return undefined
    const stepMs = countsEvery ? 200 : 1_000
    return { seconds: length, method: this.preset.method, stepMs, includesClose, leavesOutCarried }
  })
  /** The window whose mean is a line of the chart. A chart has whole seconds. Undefined if there is no line. */
  readonly lineTerms = $derived.by((): WindowTerms | undefined => {
    const { terms } = this
    if (!this.kept.isOnChart || terms?.method !== 'mean') return undefined
    return { seconds: terms.seconds, stepMs: 1_000, leavesOutCarried: terms.leavesOutCarried }
  })

  constructor(id: IndexId) {
    this.#key = `settlement ${id}`
    this.refresh()
  }

  /** Another window may have changed it. */
  refresh(): void {
    this.kept = readChoice(localStorage.getItem(this.#key))
  }

  change(change: Partial<StoredChoice>): void {
    this.kept = { ...this.kept, ...change }
    localStorage.setItem(this.#key, JSON.stringify(this.kept))
  }
}
