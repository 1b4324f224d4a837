import { parseArgs } from 'node:util'

/** The port the command takes when it is free and none was asked for. */
export const defaultPort = 17_600

const usage = 'Usage: npm run simulator -- [--port N] [--seed N]'

/** What the command was asked for. */
export interface CommandLine {
  /** Absent when any will do. */
  readonly port?: number
  readonly seed?: number
}

/** Reads the arguments; a text is what to tell the user instead. */
export function readCommandLine(args: readonly string[]): CommandLine | string {
  let given: { port?: string; seed?: string }
  try {
    const options = { port: { type: 'string' }, seed: { type: 'string' } } as const
    given = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`
  }
  const port = wholeNumber(given.port, 65_535)
  if (port === 'bad') return `--port is a number from 0 to 65535, not "${given.port ?? ''}".\n${usage}`
  const seed = wholeNumber(given.seed, 0xffff_ffff)
  if (seed === 'bad') return `--seed is a number from 0 to 4294967295, not "${given.seed ?? ''}".\n${usage}`
  return { ...(port !== undefined && { port }), ...(seed !== undefined && { seed }) }
}

function wholeNumber(text: string | undefined, most: number): number | undefined | 'bad' {
  if (text === undefined) return undefined
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : 'bad'
}
