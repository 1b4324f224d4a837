/** Messages in the window about how the app started. */
import type { TimeRange } from '../../core/ranges'
import { timeText } from '../base/user-time'
import type { LaunchOptions } from '../desktop/launch-options'
import type { AppImage } from '../updates/app-image'
import { notInstalled } from './own-updates'

const notPersisted = 'Nothing will be saved: the data folder is not writable. Check its permissions.'

const readOnly = 'Read-only: another computer uses this profile and checks your alerts. Changes here are not saved.'

const noXWayland =
  'XWayland does not answer, so Indexwatch runs on Wayland and cannot place the ticker. Check the session, or turn off XWayland in Settings.'

export const keyNotKept =
  'INDEXWATCH_KEY_SECRET was lost in the crash. Quit Indexwatch and start it with that variable again.'

interface Start {
  launch: LaunchOptions
  canSave: boolean
  lacksXWayland: boolean
  image: AppImage | undefined
}

export function startNotices({ launch, canSave, lacksXWayland, image }: Start): string[] {
  const { refused } = image ?? {}
  const profile = launch.profileUse === 'readOnly' ? readOnly : canSave ? undefined : notPersisted
  const rolledBack = `Indexwatch ${refused?.version} failed to start twice, so the previous version was restored. The next version will be installed when it is published.`
  return [
    profile,
    lacksXWayland ? noXWayland : undefined,
    refused?.isSaid === false ? rolledBack : undefined,
    notInstalled(image),
  ].filter((notice) => notice !== undefined)
}

/** `isExact` if the time of a crash is known to the second. */
export function unwatchedNotice({ fromMs, toMs }: TimeRange, isExact: boolean, timeZone: string): string {
  const [from, to] = [fromMs, toMs].map((ms) =>
    timeText(ms, toMs, { precision: isExact ? 'second' : 'minute', timeZone }),
  )
  return `Indexwatch stopped unexpectedly and missed ${from}–${to}. It is now fetching those values and checking your alerts.`
}

export function noRestartsNotice(nowMs: number, waitMs: number, timeZone: string): string {
  const until = timeText(nowMs + waitMs, nowMs, { timeZone })
  return `Indexwatch stopped unexpectedly three times in five minutes. Until ${until} it does not restart after a crash.`
}
