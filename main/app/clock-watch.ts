import { uptime } from 'node:os'
import type { Clock } from '../base/clock'
import { roughSpan } from '../connections/service-time'

const lookEveryMs = 30_000
/** By less a clock is set again and again, to keep it right. */
const minJumpMs = 60_000

interface Options {
  clock: Clock
  /** How long the computer has been on, with time asleep. Setting the clock does not change it. */
  uptimeMs?: () => number
  /** A sentence the user should read once. */
  onNotice: (message: string) => void
}

/** Says each time that this computer's clock is set while the app runs, once. The answer ends it. */
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
