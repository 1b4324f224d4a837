import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { CrashCommand, CrashManner, CrashSaying } from '../support/crashing-alerts.child'
import { startMs } from '../support/open-alerts'
import { levelDraft } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

const support = join(import.meta.dirname, '../support')
const imports = ['typescript-resolution.js', 'crashing-files.js'].flatMap((name) => {
  return ['--import', pathToFileURL(join(support, name)).href]
})

interface Run {
  signal: string | null
  notified: number[]
  inbox: Extract<CrashSaying, { inbox: unknown }>['inbox']
  notices: string[]
}

/** Has the engine work on this folder until it is through with the commands, or killed. */
async function run(folder: string, commands: readonly CrashCommand[], manner: CrashManner = 'sound'): Promise<Run> {
  const child = spawn(process.execPath, [...imports, join(support, 'crashing-alerts.child.ts'), folder, manner], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit') as Promise<[number | null, string | null]>
  // What is written after the child is dead goes nowhere.
  child.stdin.on('error', () => undefined)
  child.stdin.end(commands.map((command) => `${JSON.stringify(command)}\n`).join(''))
  const said = await text(child.stdout)
  const [, signal] = await gone
  const sayings = said.split('\n').filter((line) => line !== '')
  const all = sayings.map((line) => JSON.parse(line) as CrashSaying)
  const last = all.find((saying) => 'inbox' in saying)
  const notified = all.flatMap((saying) => ('notified' in saying ? [saying.notified] : []))
  return { signal, notified, inbox: last?.inbox.toReversed() ?? [], notices: last?.notices ?? [] }
}

/** One value a second. */
function values(firstAt: number, ...texts: string[]): CrashCommand[] {
  return texts.map((value, at) => ({ do: 'value', value, publishedAtMs: startMs + (firstAt + at) * 1_000 }))
}

interface Scenario {
  before: CrashCommand[]
  /** During which the process is killed. */
  deadly: CrashCommand[]
  /** With the same value, and later ones. */
  after: CrashCommand[]
  /** Seconds of the values that fire: each once in the inbox, however it went. */
  fires: number[]
}

const firing: Scenario = {
  before: [{ do: 'create', draft: levelDraft('100') }, ...values(0, '99')],
  deadly: values(1, '101'),
  after: values(1, '101', '102', '99', '103'),
  fires: [1],
}

const crossing = levelDraft('100', { condition: 'crosses' })
const archiving: Scenario = {
  before: [
    { do: 'create', draft: { ...crossing, repeat: { mode: 'everyCrossing' } } },
    ...values(0, '99', '101', '99', '101', '99'),
  ],
  deadly: values(5, '101'),
  after: values(5, '101', '99'),
  fires: [1, 2, 3, 4, 5, 6],
}

/** Seconds of a hold that needs three: killed while it goes on, and while it completes. */
const held: CrashCommand = { do: 'create', draft: { ...levelDraft('100'), holdMs: 3_000 } }
const holding: Scenario = {
  before: [held, ...values(0, '99', '101', '101')],
  deadly: values(3, '101'),
  after: values(3, '101', '101', '101'),
  fires: [4],
}
const completing: Scenario = {
  before: [held, ...values(0, '99', '101', '101', '101')],
  deadly: values(4, '101'),
  after: values(4, '101', '101', '99', '101'),
  fires: [4],
}

const matrix: string[] = []

/** Each point is a process of its own: the ordinary run takes every other one, `npm run test:deep` all. */
function chosen<Point>(points: readonly Point[]): Point[] {
  return points.filter((_, at) => at % 2 === 0 || process.env['INDEXWATCH_PROPERTY_RUNS'] !== undefined)
}

/** Kills the engine at a step of the scenario and lets it go on; answers every way in which the model is not met. */
async function faultsOf(scenario: Scenario, step: string, stored: 'before' | 'after', manner?: CrashManner) {
  const folder = temporaryFolder()
  const { before, deadly, after, fires } = scenario
  const first = await run(folder, [...before, { do: 'dieAt', step }, ...deadly], manner)
  const second = await run(folder, after, manner)
  const secondOf = (ms: number | undefined) => ((ms ?? 0) - startMs) / 1_000
  const notified = [...first.notified, ...second.notified].map(secondOf)
  const events = second.inbox.filter(({ kind }) => kind === 'fired')
  const faults: string[] = []
  if (first.signal !== 'SIGKILL') faults.push('the step was not reached')
  if (second.signal !== null) faults.push(`the second run ended by ${second.signal}`)
  const found = events.map(({ publishedAtMs }) => secondOf(publishedAtMs))
  if (found.join() !== fires.join()) faults.push(`in the inbox: ${found.join()}`)
  if (new Set(second.inbox.map(({ number }) => number)).size !== second.inbox.length) faults.push('a number twice')
  if (second.notices.length > 0) faults.push(second.notices.join(' '))
  for (const fire of fires) {
    const count = notified.filter((each) => each === fire).length
    const isDeadly = deadly.some((command) => 'publishedAtMs' in command && secondOf(command.publishedAtMs) === fire)
    // Stored and then killed: whether it was notified, nobody knows, and it is not notified again.
    const min = isDeadly && stored === 'after' ? 0 : 1
    if (count < min || count > 1) faults.push(`notifications of the value at ${fire} s: ${count}`)
    if (count === 0 && events.find((_, at) => found[at] === fire)?.delivery !== 'unknown') faults.push('lost silently')
  }
  const words = faults.length === 0 ? 'ok' : faults.join('; ')
  matrix.push(`${step}${manner === undefined ? '' : ` (${manner})`} | ${events.length} | ${notified.length} | ${words}`)
  return faults
}

afterAll(() => {
  for (const line of ['step | events | notifications | ok', ...matrix]) console.log(`crash-point matrix: ${line}`)
})

describe(
  'an engine killed while it fires, and started again with the same and later values',
  { timeout: 30_000 },
  () => {
    test.each(
      chosen([
        ['before the temporary file 1', 'before'],
        ['with half of the temporary file 1', 'before'],
        ['before the sync of the temporary file 1', 'before'],
        ['after the sync of the temporary file 1', 'before'],
        ['before the copy is in place 1', 'before'],
        ['after the copy is in place 1', 'before'],
        ['before the rename 1', 'before'],
        ['after the rename 1', 'after'],
        ['notified 1', 'after'],
        ['before the temporary file 2', 'after'],
        ['before the rename 2', 'after'],
        ['after the rename 2', 'after'],
      ] as const),
    )('%s: the event is in the inbox once, and notified once at most', async (step, stored) => {
      expect(await faultsOf(firing, step, stored)).toEqual([])
    })

    test('is found out where it notifies before it stores', async () => {
      expect(await faultsOf(firing, 'before the rename 1', 'before', 'notifiesFirst')).toEqual([
        'notifications of the value at 1 s: 2',
      ])
    })
  },
)

describe(
  'an engine killed while a condition holds, and started again with the same and later values',
  { timeout: 30_000 },
  () => {
    test.each(['before the temporary file 1', 'before the rename 1', 'after the rename 1'])(
      '%s of its progress: it fires once, when it has held long enough',
      async (step) => {
        expect(await faultsOf(holding, step, 'before')).toEqual([])
      },
    )

    test.each(
      chosen([
        ['before the temporary file 1', 'before'],
        ['before the rename 1', 'before'],
        ['after the rename 1', 'after'],
        ['notified 1', 'after'],
      ] as const),
    )('%s of its end: it fires once, when it has held long enough', async (step, stored) => {
      expect(await faultsOf(completing, step, stored)).toEqual([])
    })
  },
)

describe('an engine killed while events go to the archive, and started again', { timeout: 30_000 }, () => {
  test.each(
    chosen([
      ['before the archive is opened 1', 'before'],
      ['with half of the archived lines 1', 'before'],
      ['before the sync of the archived lines 1', 'before'],
      ['after the sync of the archived lines 1', 'before'],
      ['before the temporary file 1', 'before'],
      ['before the rename 1', 'before'],
      ['after the rename 1', 'after'],
      ['notified 1', 'after'],
      ['after the rename 2', 'after'],
    ] as const),
  )('%s: every event is in the inbox once', async (step, stored) => {
    expect(await faultsOf(archiving, step, stored)).toEqual([])
  })

  test('is found out where events leave the file before they are in the archive', async () => {
    expect(await faultsOf(archiving, 'after the rename 1', 'after', 'dropsFirst')).toContain('in the inbox: 4,5,6')
  })
})
