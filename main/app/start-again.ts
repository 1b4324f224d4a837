import { app } from 'electron'
import { startAfterEnd } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'

/** Has the app started with these arguments as soon as this process has ended, which is left to the caller. */
export function startAgain(args: readonly string[]): void {
  const image = appImagePath(process)
  if (image === undefined) app.relaunch({ args: [...args] })
  else startAfterEnd(image, args)
}
