/** The part of Electron's `powerMonitor` that is used. */
export interface PowerMonitor {
  on(event: 'suspend' | 'resume', listener: () => void): unknown
}

interface Clocks {
  wallMs(): number
  monotonicMs(): number
}

/**
 * Calls `onWake` once after each sleep with its duration. During sleep the monotonic clock stops and the wall clock
 * continues, so their difference is the sleep. Desktops may report sleep and waking several times. Only the first of
 * each counts.
 */
export function watchPower(monitor: PowerMonitor, clocks: Clocks, onWake: (sleptMs: number) => void): void {
  let before: { wallMs: number; monotonicMs: number } | undefined
  monitor.on('suspend', () => {
    before ??= { wallMs: clocks.wallMs(), monotonicMs: clocks.monotonicMs() }
  })
  monitor.on('resume', () => {
    if (before === undefined) return
    const wallMs = clocks.wallMs() - before.wallMs
    const monotonicMs = clocks.monotonicMs() - before.monotonicMs
    before = undefined
    onWake(Math.max(0, wallMs - monotonicMs))
  })
}
