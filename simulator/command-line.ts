import { parseArgs } from 'node:util'
import { scenarioNames, scenarios, type ScenarioName } from './faults/scenarios'

/** The port used when none was requested and it is free. */
export const defaultPort = 17_600
/** Time before a scenario begins, so that clients can connect. */
export const scenarioAfterMs = 10_000

const usage =
  'Usage: npm run simulator -- [--port N] [--seed N] [--scenario NAME] [--tape FILE [--from T] [--speed N]] [--help]'

/** The command's options. */
export interface CommandLine {
  /** Undefined for any port. */
  readonly port?: number
  readonly seed?: number
  /** The scenario to play, if any. */
  readonly scenario?: ScenarioName
  readonly replay?: Replay
}

/** A recorded day to be played. */
export interface Replay {
  /** An export of the app as CSV or Parquet, or its database. */
  readonly file: string
  /** Epoch ms. Default: the first value of an export, or a day before the last value of a database. */
  readonly fromMs?: number
  readonly speed: number
}

/** Usage of the command, with every scenario. */
export function helpText(): string {
  const width = Math.max(...scenarioNames.map(({ length }) => length))
  const listed = scenarioNames.map((name) => `  ${name.padEnd(width)}  ${scenarios[name].summary}`)
  return `${usage}\n\nScenarios, each beginning ${scenarioAfterMs / 1_000} s after the start:\n${listed.join('\n')}`
}

/** Reads the arguments. Returns `problem`, a message for the user, if they are wrong. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | { readonly problem: string } {
  const given = parse(args)
  if (typeof given === 'string') return problem(given)
  if (given.help === true) return 'help'
  const port = wholeNumber(given.port, 65_535)
  if (port === 'bad') return problem(`--port is a number from 0 to 65535, not "${given.port ?? ''}".`)
  const seed = wholeNumber(given.seed, 0xffff_ffff)
  if (seed === 'bad') return problem(`--seed is a number from 0 to 4294967295, not "${given.seed ?? ''}".`)
  const scenario = scenarioNames.find((name) => name === given.scenario)
  if (given.scenario !== undefined && scenario === undefined) {
    return problem(`--scenario is one of ${scenarioNames.join(', ')}, not "${given.scenario}".`)
  }
  const replay = readReplay(given)
  if (typeof replay === 'string') return problem(replay)
  return {
    replay,
    port,
    seed,
    scenario,
  }
}

const maxSpeed = 1_000

function readReplay({ tape, from, speed = '1' }: Given): Replay | string | undefined {
  if (tape === undefined)
    return from === undefined && speed === '1' ? undefined : '--from and --speed need --tape FILE.'
  const fromMs = from === undefined ? undefined : Date.parse(from)
  if (Number.isNaN(fromMs)) return `--from is a time such as 2026-11-20T14:00:00Z, not "${from ?? ''}".`
  if (!/^\d{1,4}(\.\d+)?$/.test(speed) || Number(speed) <= 0 || Number(speed) > maxSpeed) {
    return `--speed is a number up to ${maxSpeed}, not "${speed}".`
  }
  return { file: tape, speed: Number(speed), fromMs }
}

const text = { type: 'string' } as const
const options = {
  port: text,
  seed: text,
  scenario: text,
  tape: text,
  from: text,
  speed: text,
  help: { type: 'boolean' },
} as const

type Given = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

function parse(args: readonly string[]): Given | string {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function problem(message: string): { readonly problem: string } {
  return { problem: `${message}\n${usage}` }
}

function wholeNumber(text: string | undefined, max: number): number | undefined | 'bad' {
  if (text === undefined) return undefined
  return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : 'bad'
}
