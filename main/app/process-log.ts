/** The log of a process. It also records the error that ends the process. */
import { app } from 'electron'
import type { SystemClock } from '../base/clock'
import { createLog, isProblemLine, redactor, Ring, type Log } from '../base/log'
import { logFolder } from '../desktop/folders'
import { LogFile } from '../storage/log-file'

/** Number of log lines in the diagnostics. */
const maxProblems = 200

export function guardProcess(log: Log): void {
  // By default Electron shows a dialog and waits.
  const fatal = (error: unknown) => {
    log.error('Ended by a fault', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    app.exit(1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  // Writing fails if the terminal was closed.
  const ignore = () => undefined
  process.stdout.on('error', ignore)
  process.stderr.on('error', ignore)
}

/**
 * Writes to the terminal, and after `openFile` also to the log file. A second start must not write into the first one's
 * file.
 */
export function createProcessLog(clock: SystemClock, secrets: ReadonlySet<string>) {
  const problems = new Ring<string>(maxProblems)
  const files: LogFile[] = []
  const log = createLog({
    write: (line) => {
      process.stderr.write(`${line}\n`)
      if (isProblemLine(line)) problems.add(line)
      for (const file of files) file.write(line)
    },
    redact: redactor(() => [...secrets]),
    clock,
  })
  guardProcess(log)
  const onProblem = (message: string) => void process.stderr.write(`${message}\n`)
  return {
    log,
    problems: () => problems.all(),
    openFile: () => void files.push(new LogFile({ folder: logFolder(), onProblem })),
  }
}
