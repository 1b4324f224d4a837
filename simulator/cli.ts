/** `npm run simulator`: the simulator alone. Its first line on stdout says where it is; all else goes to stderr. */
import { addressOf } from './address'
import { defaultPort, helpText, readCommandLine, scenarioAfterMs, type CommandLine } from './command-line'
import { PortError } from './listener'
import { startSimulator, type Simulator } from './server'

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Without a port asked for, the usual one if it is free and else another. */
async function start({ port, seed }: CommandLine): Promise<Simulator> {
  const settings = { ...(seed !== undefined && { seed }), log: say }
  if (port !== undefined) return startSimulator({ ...settings, port })
  try {
    return await startSimulator({ ...settings, port: defaultPort })
  } catch (error) {
    if (!(error instanceof PortError && error.isTaken)) throw error
    say(`${error.message} Another one is taken.`)
    return startSimulator(settings)
  }
}

function endOnSignal(simulator: Simulator): void {
  const end = () => {
    void simulator.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

/** Whoever reads the first line may hang up after it; the service goes on. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

async function run(): Promise<void> {
  outliveReaders()
  const commandLine = readCommandLine(process.argv.slice(2))
  if (commandLine === 'help') {
    process.stdout.write(`${helpText()}\n`)
    return
  }
  if ('problem' in commandLine) {
    say(commandLine.problem)
    process.exitCode = 2
    return
  }
  try {
    const simulator = await start(commandLine)
    endOnSignal(simulator)
    process.stdout.write(`${JSON.stringify(addressOf(simulator))}\n`)
    if (commandLine.scenario !== undefined) simulator.playScenario(commandLine.scenario, scenarioAfterMs)
    say(`Listening on port ${simulator.port}. End with Ctrl+C.`)
  } catch (error) {
    if (!(error instanceof PortError)) throw error
    say(`${error.message} Choose another with --port N, or leave it out.`)
    process.exitCode = 1
  }
}

void run()
