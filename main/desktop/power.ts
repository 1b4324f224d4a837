/** What is used of Electron's `powerMonitor`. */
export interface PowerMonitor {
  on(event: 'suspend' | 'resume', listener: () => void): unknown
}

interface Clocks {
  wallMs(): number
  monotonicMs(): number
}

/**
 * Calls `onWake` once for each time the machine slept, with how long. The monotonic clock stands still during sleep, the
 * wall clock does not: the difference is the sleep. Desktops announce sleep and waking more than once; only the first of
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
