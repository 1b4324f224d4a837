import { parseArgs } from 'node:util'
import { scenarioNames, scenarios, type ScenarioName } from './faults/scenarios'

/** The port the command takes when it is free and none was asked for. */
export const defaultPort = 17_600
/** How long all is well before a scenario begins: time enough to connect. */
export const scenarioAfterMs = 10_000

const usage = 'Usage: npm run simulator -- [--port N] [--seed N] [--scenario NAME] [--help]'

/** What the command was asked for. */
export interface CommandLine {
  /** Absent when any will do. */
  readonly port?: number
  readonly seed?: number
  /** What is to go wrong, if anything. */
  readonly scenario?: ScenarioName
}

/** How to call the command, with every scenario. */
export function helpText(): string {
  const widest = Math.max(...scenarioNames.map(({ length }) => length))
  const listed = scenarioNames.map((name) => `  ${name.padEnd(widest)}  ${scenarios[name].summary}`)
  return `${usage}\n\nScenarios, each beginning ${scenarioAfterMs / 1_000} s after the start:\n${listed.join('\n')}`
}

/** Reads the arguments; a text is what to tell the user instead. */
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
  return {
    ...(port !== undefined && { port }),
    ...(seed !== undefined && { seed }),
    ...(scenario !== undefined && { scenario }),
  }
}

interface Given {
  readonly port?: string
  readonly seed?: string
  readonly scenario?: string
  readonly help?: boolean
}

function parse(args: readonly string[]): Given | string {
  const text = { type: 'string' } as const
  const options = { port: text, seed: text, scenario: text, help: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function problem(said: string): { readonly problem: string } {
  return { problem: `${said}\n${usage}` }
}

function wholeNumber(text: string | undefined, most: number): number | undefined | 'bad' {
  if (text === undefined) return undefined
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : 'bad'
}
