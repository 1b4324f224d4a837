import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SystemClock } from '../../main/base/clock'
import { AtomicJsonFile } from '../../main/storage/atomic-file'
import { childProgram } from '../support/child-programs'
import { isDeep } from '../support/examples'
import type { StoredThing } from '../support/failing-disk.child'
import {
  buildFailingCalls,
  failingCodes,
  failingKinds,
  faultVariables,
  heldDiskVariables,
  type DiskFault,
  type FailingKind,
} from '../support/failing-calls'
import { openHistory } from '../support/open-history'
import { temporaryFolder } from '../support/temporary-folder'

/** The numbers stored before anything fails. */
const stored = 2
const last = 4
const workshop = mkdtempSync(join(tmpdir(), 'indexwatch-test-'))
afterAll(() => rmSync(workshop, { recursive: true, force: true }))
const library = buildFailingCalls(workshop)
const before = join(workshop, 'before')
mkdirSync(before)

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
}

/** Starts a process that stores numbers. Returns the last number of each kind that it reported as stored. */
async function store(folder: string, numbers: { first: number; last: number }, fault: DiskFault) {
  const countPath = join(workshop, `count-${fault.kind}`)
  const program = [childProgram('failing-disk'), folder, `${numbers.first}`, `${numbers.last}`]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    timeout: 100_000,
    env: {
      ...process.env,
      ...faultVariables(library, folder, fault),
      ...(fault.at === 0 ? { FAIL_COUNT: countPath } : {}),
    },
  })
  const answered = { settings: numbers.first - 1, keys: numbers.first - 1, history: range(1, numbers.first - 1) }
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const [thing, text] = line.split(' ') as [StoredThing, string]
    if (thing === 'history') answered.history.push(Number(text))
    else answered[thing] = Number(text)
  }
  return { answered, calls: fault.at === 0 ? Number(readFileSync(countPath, 'utf8')) : 0 }
}

const noFault = (kind: FailingKind): DiskFault => ({ kind, code: 'EIO', at: 0, times: 0 })
await store(before, { first: 1, last: stored }, noFault('open'))

/** What a process without faults finds there. */
async function found(folder: string) {
  const read = async (name: string, keepsCopy: boolean) => {
    const file = new AtomicJsonFile({ path: join(folder, name), clock: new SystemClock(), maxBytes: 65_536, keepsCopy })
    const content = await file.read()
    return content.kind === 'ok' ? (content.value as { number: number }).number : content.kind
  }
  const opened = await openHistory({ folder })
  const values = await opened.texts()
  await opened.history.close()
  const setAside = readdirSync(folder).filter((name) => /corrupt|damaged/.test(name))
  return { settings: await read('settings.json', true), keys: await read('secret.json', false), values, setAside }
}

describe.each(failingKinds)('a disk where “%s” fails', (kind) => {
  let calls = 0
  beforeAll(async () => {
    calls = (await store(copy(join(workshop, kind)), { first: stored + 1, last }, noFault(kind))).calls
  })

  test.each(failingCodes[kind])(
    '%s at any call loses nothing that was confirmed, and is not treated as damage',
    async (code) => {
      expect(calls).toBeGreaterThan(2)
      // Each fault takes a process, so only the deep run tries all. Here each code fails at another call.
      const codes = failingCodes[kind]
      const tried = isDeep ? range(1, calls) : [Math.ceil((calls * (codes.indexOf(code) + 0.5)) / codes.length)]
      const faults = tried.flatMap((at) =>
        (isDeep ? [1, 1_000] : [1]).map((times): DiskFault => ({ kind, code, at, times })),
      )
      // The processes mostly wait, so four run at a time.
      for (let from = 0; from < faults.length; from += 4) await Promise.all(faults.slice(from, from + 4).map(tryOne))
    },
  )
})

async function tryOne(fault: DiskFault): Promise<void> {
  const folder = copy()
  const { answered } = await store(folder, { first: stored + 1, last }, fault)
  const is = await found(folder)
  const told = JSON.stringify({ fault, answered, is })
  // A failed write may have reached the disk, as after a kill.
  for (const thing of ['settings', 'keys'] as const) expect(range(answered[thing], last), told).toContain(is[thing])
  const texts = is.values.map(Number)
  expect(texts, told).toEqual(expect.arrayContaining(answered.history))
  expect(new Set(texts).size, told).toBe(texts.length)
  expect(is.setAside, told).toEqual([])
}

function copy(folder = join(temporaryFolder(), 'profile')): string {
  cpSync(before, folder, { recursive: true })
  return folder
}

test('without a fault everything that is stored is found', async () => {
  const folder = copy()
  const { answered } = await store(folder, { first: stored + 1, last }, noFault('open'))
  expect(answered).toEqual({ settings: last, keys: last, history: range(1, last) })
  const values = range(1, last).map(String)
  expect(await found(folder)).toEqual({ settings: last, keys: last, values, setAside: [] })
})

test('settings are saved without blocking the thread, however slow the disk is', async () => {
  const folder = temporaryFolder()
  const marks = join(temporaryFolder(), 'sync')
  const { stdout } = await promisify(execFile)(process.execPath, [childProgram('held-disk'), folder, marks], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...heldDiskVariables(library, folder, marks) },
  })
  expect(stdout).toBe('saved after 2 syncs\n')
  expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toMatchObject({ theme: 'dark' })
})
