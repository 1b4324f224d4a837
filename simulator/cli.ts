/**
 * `npm run simulator`: the standalone simulator. The first line on stdout is its address. Everything else goes to
 * stderr.
 */
import { addressOf } from './address'
import { findIndex } from './catalogue'
import { ReplayClock } from './clock'
import { defaultPort, helpText, readCommandLine, scenarioAfterMs, type CommandLine, type Replay } from './command-line'
import { PortError } from './listener'
import { RecordingError, type Recording } from './recording'
import { readRecording } from './recording-file'
import { startSimulator, type Simulator } from './server'

function log(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Uses the requested port. By default the default port if it is free, otherwise any other. */
async function start({ port, seed, replay }: CommandLine): Promise<Simulator> {
  const replayed = replay === undefined ? {} : await openReplay(replay)
  const settings = { seed, log, ...replayed }
  if (port !== undefined) return startSimulator({ ...settings, port })
  try {
    return await startSimulator({ ...settings, port: defaultPort })
  } catch (error) {
    if (!(error instanceof PortError && error.isTaken)) throw error
    log(`${error.message} Using another one.`)
    return startSimulator(settings)
  }
}

/** Reads the recording and sets the clock to its time. Rejects with a `RecordingError`. */
async function openReplay({ file, fromMs, speed }: Replay): Promise<{ recording: Recording; clock: ReplayClock }> {
  const { recording, startMs } = await readRecording(file, fromMs)
  const [others, known] = partition(recording.ids, (id) => findIndex(id) === undefined)
  if (known.length === 0) throw new RecordingError(`${file} has none of the indices of this service.`)
  if (others.length > 0) log(`Left out, since this service does not have them: ${others.join(', ')}.`)
  log(
    `Replaying ${known.join(', ')} from ${new Date(startMs).toISOString()} to ${new Date(recording.lastMs).toISOString()}.`,
  )
  return { recording, clock: new ReplayClock(startMs, speed) }
}

function partition<T>(list: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))]
}

function endOnSignal(simulator: Simulator): void {
  const end = () => void simulator.close().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

/** A reader may close the pipe after the first line. The service keeps running. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

async function run(): Promise<void> {
  ignoreClosedPipes()
  const commandLine = readCommandLine(process.argv.slice(2))
  if (commandLine === 'help') {
    process.stdout.write(`${helpText()}\n`)
    return
  }
  if ('problem' in commandLine) {
    log(commandLine.problem)
    process.exitCode = 2
    return
  }
  try {
    const simulator = await start(commandLine)
    endOnSignal(simulator)
    process.stdout.write(`${JSON.stringify(addressOf(simulator))}\n`)
    if (commandLine.scenario !== undefined) simulator.playScenario(commandLine.scenario, scenarioAfterMs)
    log(`Listening on port ${simulator.port}. Stop with Ctrl+C.`)
  } catch (error) {
    if (error instanceof RecordingError) log(error.message)
    else if (error instanceof PortError) log(`${error.message} Choose another with --port N, or omit it.`)
    else throw error
    process.exitCode = 1
  }
}

void run()
