/** What the programs of `npm run bench`, `fuzz`, `kill` and `soak` share. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Reads the command line. On a mistake, exits with the message of the error and the usage. */
export function readOrExit<const C extends ParseArgsConfig, T>(
  config: C,
  usage: string,
  read: (parsed: ReturnType<typeof parseArgs<C>>) => T,
): T {
  try {
    return read(parseArgs(config))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    process.exit(2)
  }
}

/** Prints a line with its time. */
export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
}
