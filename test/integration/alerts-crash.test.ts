import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { childProgram } from '../support/child-programs'
import { isDeep } from '../support/examples'
import type { CrashCommand, CrashSaying } from '../support/crashing-alerts.child'
import { startMs } from '../support/open-alerts'
import { levelDraft } from '../support/sample-alerts'
import { temporaryFolder } from '../support/temporary-folder'

/** Runs the commands with the engine in a process, until they are done or it kills itself before statement `dieAt`. */
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
  const { statements = 0, ruleCount = 0, inbox = [] } = last ?? {}
  return { signal, notified, statements, ruleCount, inbox }
}

const at = (second: number, value: string) => ({ value, publishedAtMs: startMs + second * 1_000 })
const value = (second: number, text: string): CrashCommand => ({ do: 'value', publication: at(second, text) })

interface Scenario {
  before: CrashCommand[]
  /** The command during which the process is killed. */
  deadly: CrashCommand
  /** The values that the service sends again, and the next ones. */
  after: CrashCommand[]
  /** Time of the value that fires, in seconds. */
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

/** The number of statements, and those before which the process is killed. Each takes two processes. */
function crashPointsOf({ before, deadly }: Scenario) {
  // Needed before any test runs.
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-test-'))
  const { statements } = run(join(folder, 'tape.db'), [...before, { do: 'count' }, deadly])
  rmSync(folder, { recursive: true })
  const all = Array.from({ length: statements }, (_, at) => at + 1)
  return { statements, tried: isDeep ? all : all.filter((dieAt) => dieAt % 7 === 1) }
}

/** Kills the process before a statement and continues in another. Returns every difference from the model. */
function faultsOf({ before, deadly, after, fires }: Scenario, dieAt: number, manner?: string): string[] {
  const path = join(temporaryFolder(), 'tape.db')
  const commands: CrashCommand[] = [...before, { do: 'count' }, deadly]
  const first = run(path, commands, { dieAt, ...(manner !== undefined && { manner }) })
  const second = run(path, after)
  const found = second.inbox.filter(({ kind }) => kind === 'fired' || kind === 'lateFromHistory')
  const secondsIn = found.map(({ publishedAtMs = 0 }) => (publishedAtMs - startMs) / 1_000)
  const count = [...first.notified, ...second.notified].length
  return [
    ...(first.signal === 'SIGKILL' ? [] : ['was not reached']),
    ...(secondsIn.join() === `${fires}` ? [] : [`in the inbox: ${secondsIn.join()}`]),
    ...(count > 1 ? [`notified ${count} times`] : []),
    ...(count === 0 && found[0]?.delivery !== 'unknown' ? ['lost silently'] : []),
  ]
}

describe('an import of many rules in an engine that is killed while another rule fires', () => {
  const count = isDeep ? 2_900 : 300
  const drafts = Array.from({ length: count }, (_, index) => levelDraft(`${index + 1_000}`))
  const before: CrashCommand[] = [create, value(0, '100'), { do: 'count' }]
  const importing: CrashCommand = { do: 'import', drafts, publication: at(1, '111') }

  test('before any statement: the next start has all rules or none', () => {
    const { statements, ruleCount } = run(join(temporaryFolder(), 'tape.db'), [...before, importing])
    expect([ruleCount, statements > count]).toEqual([count + 1, true])
    const tried = (isDeep ? [0.2, 0.6] : [0.6]).map((share) => Math.ceil(share * statements))
    const found = [...tried, statements].map((dieAt) => {
      const path = join(temporaryFolder(), 'tape.db')
      const { signal } = run(path, [...before, importing], { dieAt })
      const next = run(path, [value(1, '111'), value(2, '112')])
      const fired = next.inbox.filter(({ kind }) => kind === 'fired' || kind === 'lateFromHistory')
      return { signal, ruleCount: next.ruleCount, firings: fired.length }
    })
    // Deliveries are stored last. The number of their statements depends on timing, so the last one may not be reached.
    for (const { signal } of found.slice(0, tried.length)) expect(signal).toBe('SIGKILL')
    for (const { ruleCount: left, firings } of found) {
      expect(firings).toBe(1)
      expect([1, count + 1]).toContain(left)
    }
  })
})

describe('an engine killed before a statement and restarted with the same and later values', () => {
  const ofFiring = crashPointsOf(firing)

  describe.each([
    ['a firing', firing, ofFiring],
    ['a catch-up', learning, crashPointsOf(learning)],
  ])('of %s', (name, scenario, { statements, tried }) => {
    let soundCount = 0

    test('takes more than five statements', () => expect(statements).toBeGreaterThan(5))

    test.each(tried)('before statement %i: the event is in the inbox once, and notified at most once', (dieAt) => {
      // The number of statements for deliveries depends on timing, so the last one may not be reached.
      const isLast = dieAt === statements
      expect(faultsOf(scenario, dieAt).filter((fault) => !isLast || fault !== 'was not reached')).toEqual([])
      soundCount++
    })

    afterAll(() =>
      console.log(
        `crash points: ${name}: ${statements} statements, killed before ${tried.length}: ${soundCount} sound`,
      ),
    )
  })

  test('detects an engine that notifies before it stores', () =>
    expect(ofFiring.tried.some((dieAt) => faultsOf(firing, dieAt, 'notifiesFirst').length > 0)).toBe(true))
})
