import type { IndexId } from '../../../../core/model'
import type { BoundTerms } from '../../../../core/settlement/bound-window'
import { readChoice, type StoredChoice } from '../../../../core/settlement/choice'
import { presets, windowSeconds, type Preset } from '../../../../core/settlement/presets'

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

  constructor(id: IndexId) {
    this.#key = `settlement ${id}`
    this.kept = readChoice(localStorage.getItem(this.#key))
  }

  change(change: Partial<StoredChoice>): void {
    this.kept = { ...this.kept, ...change }
    localStorage.setItem(this.#key, JSON.stringify(this.kept))
  }
}
