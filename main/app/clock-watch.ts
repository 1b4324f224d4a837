import { uptime } from 'node:os'
import type { Clock } from '../base/clock'
import { roughSpan } from '../connections/service-time'

const lookEveryMs = 30_000
/** Time synchronisation adjusts a clock by less than this. */
const minJumpMs = 60_000

interface Options {
  clock: Clock
  /** Time since the computer started, including sleep. Setting the clock does not change it. */
  uptimeMs?: () => number
  /** Called with a message to show once. */
  onNotice: (message: string) => void
}

/** Reports once each time this computer's clock is set while the app runs. Returns its stop function. */
export function watchClock({ clock, uptimeMs = () => uptime() * 1_000, onNotice }: Options): () => void {
  const aheadMs = () => clock.wallMs() - uptimeMs()
  let before = aheadMs()
  let cancel = clock.after(lookEveryMs, look)
  function look(): void {
    const jumpMs = aheadMs() - before
    before += jumpMs
    if (Math.abs(jumpMs) >= minJumpMs) onNotice(jumpNotice(jumpMs))
    cancel = clock.after(lookEveryMs, look)
  }
  return () => cancel()
}

function jumpNotice(jumpMs: number): string {
  const way = jumpMs > 0 ? 'forward' : 'back'
  return `This computer's clock was set ${way} by ${roughSpan(Math.abs(jumpMs))}. The history uses the provider’s times and is not affected.`
}
