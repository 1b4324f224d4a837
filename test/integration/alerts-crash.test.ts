import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { childProgram } from '../support/child-programs'
import type { CrashCommand, CrashSaying } from '../support/crashing-alerts.child'
import { startMs } from '../support/open-alerts'
import { levelDraft } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

/** Has the engine follow these, until it is through or kills itself before a numbered statement. */
function run(path: string, commands: readonly CrashCommand[], { dieAt = 0, manner = 'sound' } = {}) {
  const args = [childProgram('crashing-alerts'), path, `${dieAt}`, manner]
  const { signal, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    input: commands.map((command) => `${JSON.stringify(command)}\n`).join(''),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const sayings = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CrashSaying]))
  const last = sayings.find((saying) => 'inbox' in saying)
  const notified = sayings.flatMap((saying) => ('notified' in saying ? [saying.notified] : []))
  return { signal, notified, statements: last?.statements ?? 0, inbox: last?.inbox ?? [] }
}

const at = (second: number, value: string) => ({ value, publishedAtMs: startMs + second * 1_000 })
const value = (second: number, text: string): CrashCommand => ({ do: 'value', publication: at(second, text) })

interface Scenario {
  before: CrashCommand[]
  /** During which the process is killed. */
  deadly: CrashCommand
  /** What the service sends again, and what it sends then. */
  after: CrashCommand[]
  /** Seconds of the value that fires. */
  fires: number
}

const create: CrashCommand = { do: 'create', draft: levelDraft('110') }
const firing: Scenario = {
  before: [create, value(0, '100')],
  deadly: value(1, '111'),
  after: [value(1, '111'), value(2, '112')],
  fires: 1,
}
const missed: CrashCommand = { do: 'learn', publications: [at(1, '101'), at(2, '125'), at(3, '102')] }
const learning: Scenario = {
  before: [create, value(0, '100'), value(9, '103')],
  deadly: missed,
  after: [missed, value(10, '104')],
  fires: 2,
}

const matrix: string[] = []

/** Kills it before each statement and lets it go on; answers every way in which the model is not met. */
function faultsOf(name: string, { before, deadly, after, fires }: Scenario, manner?: string): string[] {
  const commands: CrashCommand[] = [...before, { do: 'count' }, deadly]
  const whole = run(join(temporaryFolder(), 'tape.db'), commands)
  const faults: string[] = []
  const isDeep = process.env['INDEXWATCH_PROPERTY_RUNS'] !== undefined
  let tried = 0
  for (let dieAt = 1; dieAt <= whole.statements; dieAt++) {
    // Each is two processes: the ordinary run takes every third.
    if (!isDeep && dieAt % 3 !== 1) continue
    tried++
    const path = join(temporaryFolder(), 'tape.db')
    const first = run(path, commands, { dieAt, ...(manner !== undefined && { manner }) })
    const second = run(path, after)
    const fault = (words: string) => faults.push(`${name}, statement ${dieAt}: ${words}`)
    if (first.signal !== 'SIGKILL') fault('was not reached')
    const found = second.inbox.filter(({ kind }) => kind === 'fired' || kind === 'lateFromHistory')
    const secondsIn = found.map(({ publishedAtMs = 0 }) => (publishedAtMs - startMs) / 1_000)
    if (secondsIn.join() !== `${fires}`) fault(`in the inbox: ${secondsIn.join()}`)
    const count = [...first.notified, ...second.notified].length
    if (count > 1) fault(`notified ${count} times`)
    if (count === 0 && found[0]?.delivery !== 'unknown') fault('lost silently')
  }
  matrix.push(`${name}: ${whole.statements} statements, killed before ${tried}: ${faults.length} faults`)
  expect(whole.statements).toBeGreaterThan(5)
  return faults
}

afterAll(() => {
  for (const line of matrix) console.log(`crash points: ${line}`)
})

describe('an engine killed before any statement, and started again with the same and later values', () => {
  test.each([
    ['a firing', firing],
    ['a catch-up', learning],
  ])(
    '%s: the event is in the inbox once, and notified once at most',
    (name, scenario) => {
      expect(faultsOf(name, scenario)).toEqual([])
    },
    120_000,
  )

  test('is found out where it notifies before it stores', () => {
    expect(faultsOf('notified first', firing, 'notifiesFirst')).not.toEqual([])
  }, 120_000)
})
