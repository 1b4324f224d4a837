/** Another version was installed over the running one: the next start says so, and this one asks to make way. */
import type { MessageBoxOptions } from 'electron'
import * as v from 'valibot'
import { argumentsOfRestart } from '../desktop/launch-options'

const startedSchema = v.object({ version: v.pipe(v.string(), v.regex(/^[\w.+-]{1,40}$/)) })
/** What a second start gives the running app. */
export type StartedVersion = v.InferOutput<typeof startedSchema>

/** The version of a second start; `undefined` where it does not say. */
export function startedVersion(start: unknown): string | undefined {
  const read = v.safeParse(startedSchema, start)
  return read.success ? read.output.version : undefined
}

interface Running {
  version: string
  argv: readonly string[]
  /** An AppImage is one file, and another version another file, which only its user knows. */
  isAppImage: boolean
}

interface Electron {
  relaunch(options: { args: string[] }): void
  quit(): void
}

interface Asking {
  showMessageBox(options: MessageBoxOptions): Promise<{ response: number }>
}

/** Answers what offers each other version once: to end this one and, where it can, to start that one. */
export function createNewVersion(
  { version: running, argv, isAppImage }: Running,
  electron: Electron,
  asking: Asking,
): (version: string) => Promise<void> {
  const offered = new Set([running])
  return async (version) => {
    if (offered.has(version)) return
    offered.add(version)
    const { response } = await asking.showMessageBox({
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
