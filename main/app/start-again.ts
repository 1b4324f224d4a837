import { app } from 'electron'
import { startAfterEnd } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'

/** Starts the app with these arguments when this process has ended. The caller ends it. */
export function startAgain(args: readonly string[]): void {
  const image = appImagePath(process)
  if (image === undefined) app.relaunch({ args: [...args] })
  else startAfterEnd(image, args)
}
