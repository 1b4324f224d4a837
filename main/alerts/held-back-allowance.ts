/** Of one rule and hour so many events that are held back are recorded one by one. */
const most = 60
const hourMs = 3_600_000

/**
 * Keeps a value that trembles at a level all night, under a mute, from filling the disk: a rule's first sixty firings
 * held back in an hour are recorded one by one, what is more is counted by its cooldown alone. Firings only: what undoes or
 * ends one is always recorded. Wall times are handed in.
 */
export class HeldBackAllowance {
  readonly #hours = new Map<string, { sinceMs: number; count: number }>()

  /** Whether one more is to be recorded. */
  takes(ruleId: string, nowMs: number): boolean {
    const hour = this.#hours.get(ruleId)
    const isOver = hour === undefined || nowMs < hour.sinceMs || nowMs - hour.sinceMs >= hourMs
    const now = isOver ? { sinceMs: nowMs, count: 0 } : hour
    now.count++
    this.#hours.set(ruleId, now)
    return now.count <= most
  }

  forget(ruleId: string): void {
    this.#hours.delete(ruleId)
  }
}
