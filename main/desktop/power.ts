import { powerMonitor } from 'electron'
import { SleepWatch, type Clocks } from './sleep-watch'

/** Calls `onWake` once for each time the machine slept, with how long. To be used once Electron is ready. */
export function watchPower(clocks: Clocks, onWake: (sleptMs: number) => void): void {
  const watch = new SleepWatch(clocks, onWake)
  powerMonitor.on('suspend', () => {
    watch.suspended()
  })
  powerMonitor.on('resume', () => {
    watch.resumed()
  })
}
