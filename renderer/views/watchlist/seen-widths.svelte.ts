import { textPx } from '../../ui/text-width'
import type { WidestTexts } from './columns'

/**
 * The widest texts that were on screen while the list is open. They only grow: a shorter value must not move the table.
 * Each row reports its own texts, so a tick costs one row and not the whole list.
 */
export class SeenWidths {
  #widest = $state.raw<WidestTexts>({ index: 0, name: 0, value: 0, change: 0, percent: 0, published: 0, basis: 0 })
  #hasCached = $state(false)

  get widest(): WidestTexts {
    return this.#widest
  }

  /** Whether a value was ever marked as cached: the word keeps its room. */
  get hasCached(): boolean {
    return this.#hasCached
  }

  see(column: keyof WidestTexts, text: string): void {
    const px = textPx(text)
    if (px > this.#widest[column]) this.#widest = { ...this.#widest, [column]: px }
  }

  seeCached(): void {
    this.#hasCached = true
  }
}
