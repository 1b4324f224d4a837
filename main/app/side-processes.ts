/** What this program does when it is not the app: query the keyring for the app, serve an assistant, or export. */
import { createReadStream } from 'node:fs'
import { app } from 'electron'
import { SystemClock } from '../base/clock'
import { createLog } from '../base/log'
import { commandArguments } from '../desktop/launch-options'
import { refusedSwitchMessage } from '../desktop/refused-start'
import { answerForApp } from '../storage/keyring'
import { guardProcess } from './process-log'
import { badStartCode, printError, refusedSwitch } from './start'

/** On Windows Electron's `process.stdin` is empty, because programs with a window have no input there. */
const standardInput = () => (process.platform === 'win32' ? createReadStream('', { fd: 0 }) : process.stdin)

/** Queries the keyring in a process of its own, because a slow keyring would block the app. */
export function askKeyring(): void {
  const isForeign = refusedSwitch(process.getuid?.() === 0) !== undefined
  guardProcess(createLog({ write: () => undefined, redact: () => '', clock: new SystemClock() }))
  void (isForeign ? Promise.resolve() : answerForApp(standardInput(), process.stdout)).finally(() => app.exit(0))
}

/**
 * Serves an assistant over stdio. Electron does not finish starting while this file loads. So it needs no window system
 * and does not claim the profile of the running app.
 */
export async function serveAssistant(): Promise<void> {
  if (endsForSwitch()) return
  const clock = new SystemClock()
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  // Loaded only here, because the app does not need it.
  const assistant = await import('../access/assistant-process')
  await assistant.serveAssistant({
    folder: app.getPath('userData'),
    version: app.getVersion(),
    clock,
    log,
    input: standardInput(),
    output: process.stdout,
  })
  app.exit(0)
}

/** Exports values to a file. Like the server of an assistant, it needs no window system and no profile. */
export async function exportValues(): Promise<void> {
  if (endsForSwitch()) return
  const { runExport } = await import('../history/export-command')
  const start = { program: 'indexwatch export', from: process.cwd() }
  app.exit(await runExport(commandArguments(process.argv), start))
}

/** Ends a start with a switch that an installed app refuses. */
function endsForSwitch(): boolean {
  const foreign = refusedSwitch(process.getuid?.() === 0)
  if (foreign === undefined) return false
  printError(refusedSwitchMessage(foreign, process.env))
  app.exit(badStartCode)
  return true
}
