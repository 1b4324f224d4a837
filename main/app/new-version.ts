/** Offers to restart when another version was installed over the running one. The next start reports its version. */
import * as v from 'valibot'
import { argumentsOfRestart } from '../desktop/launch-options'
import type { MessageBoxes } from './quitting'

const startedSchema = v.object({ version: v.pipe(v.string(), v.regex(/^[\w.+-]{1,40}$/)) })
/** What a second start sends to the running app. */
export type StartedVersion = v.InferOutput<typeof startedSchema>

/** The version that a second start sent. Undefined if it sent none. */
export function startedVersion(start: unknown): string | undefined {
  const read = v.safeParse(startedSchema, start)
  return read.success ? read.output.version : undefined
}

interface Running {
  version: string
  argv: readonly string[]
  /** Another version of an AppImage is another file. Only its user knows where it is. */
  isAppImage: boolean
}

interface Electron {
  relaunch(options: { args: string[] }): void
  quit(): void
}

/** Returns a function that offers each other version once: to quit this one and, if possible, start that one. */
export function createNewVersion(
  { version: running, argv, isAppImage }: Running,
  electron: Electron,
  dialog: MessageBoxes,
): (version: string) => Promise<void> {
  const offered = new Set([running])
  return async (version) => {
    if (offered.has(version)) return
    offered.add(version)
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: 'New version',
      message: isAppImage
        ? `To use Indexwatch ${version}, quit this one and start the new file`
        : `Indexwatch ${version} is installed: restart to use it`,
      detail: `${running} is still running. Restarting takes a few seconds. Alerts that fire meanwhile arrive late (backfilled).`,
      buttons: [isAppImage ? 'Quit' : 'Restart', 'Later'],
      defaultId: 0,
      cancelId: 1,
    })
    if (response !== 0) return
    if (!isAppImage) electron.relaunch({ args: argumentsOfRestart(argv) })
    electron.quit()
  }
}
