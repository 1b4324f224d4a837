/** `npm run simulator -- [--port N] [--seed N]`: the demo service alone. Its first line on stdout is one JSON object. */
import { parseArgs } from 'node:util'
import { endpointOf } from './endpoint'
import { startSimulator } from './server'
import type { Simulator } from './server'

const usualPort = 17_600
const usage = 'usage: npm run simulator -- [--port N] [--seed N]'

const tell = (line: string) => process.stderr.write(`[simulator] ${line}\n`)

class UsageError extends Error {}

function readNumber(name: string, text: string | undefined, largest: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text) && Number(text) <= largest) return Number(text)
  throw new UsageError(`--${name} takes a whole number from 0 to ${largest}, not ${JSON.stringify(text)}`)
}

function readFlags(): { port: number | undefined; seed: number | undefined } {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, seed: { type: 'string' } } })
    return { port: readNumber('port', values.port, 65_535), seed: readNumber('seed', values.seed, 0xffff_ffff) }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

const isPortTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

/** A port that was asked for is taken or nothing is; the usual one gives way to a free one. */
async function start(port: number | undefined, seed: number | undefined): Promise<Simulator> {
  const options = { log: tell, ...(seed === undefined ? {} : { seed }) }
  try {
    return await startSimulator({ ...options, port: port ?? usualPort })
  } catch (error) {
    if (!isPortTaken(error) || port !== undefined) throw error
    tell(`port ${usualPort} is in use; taking another one`)
    return startSimulator(options)
  }
}

async function main(): Promise<void> {
  const { port, seed } = readFlags()
  const simulator = await start(port, seed).catch((error: unknown) => {
    if (isPortTaken(error)) throw new Error(`port ${port ?? usualPort} is in use: give another with --port`)
    throw error
  })
  // Whoever started it may go away; that is no reason to fall over.
  process.stdout.on('error', () => undefined)
  process.stdout.write(`${JSON.stringify(endpointOf(simulator))}\n`)
  tell(`listening on port ${simulator.port}; Ctrl-C ends it`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.close().then(() => process.exit(0)))
  }
}

main().catch((error: unknown) => {
  tell((error as Error).message)
  if (error instanceof UsageError) tell(usage)
  process.exit(error instanceof UsageError ? 2 : 1)
})
