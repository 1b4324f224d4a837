import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnfinishedFiles } from '../../main/storage/unfinished-files'
import { childProgram } from '../support/child-programs'
import { buildFailingCalls, heldDiskVariables } from '../support/failing-calls'
import { openHistory } from '../support/open-history'
import { valueOf } from '../support/value-of'
import { historyStartMs, storedValue } from '../support/history-thread'
import { temporaryFolder } from '../support/temporary-folder'

test('the temporary file of a killed export is removed at the next start', async () => {
  const [profile, folder] = [temporaryFolder(), temporaryFolder()]
  const { history } = await openHistory({ folder: profile })
  valueOf(await history.commit({ values: [storedValue(0, '1')] }))
  const marks = join(temporaryFolder(), 'sync')
  const from = new Date(historyStartMs - 1_000).toISOString()
  const to = new Date(historyStartMs + 60_000).toISOString()
  const child = spawn(
    process.execPath,
    [
      childProgram('export-cli'),
      ...['--ids', 'BRTI', '--from', from, '--to', to],
      ...['--out', join(folder, 'values.csv'), '--user-data-dir', profile],
    ],
    { env: { ...process.env, ...heldDiskVariables(buildFailingCalls(temporaryFolder()), folder, marks) } },
  )
  let output = ''
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString()
  })
  // Everything is written, but the sync does not return.
  await expect.poll(() => readdirSync(folder), { message: output, timeout: 100_000 }).toHaveLength(1)
  await expect.poll(() => readdirSync(join(marks, '..')), { timeout: 100_000 }).toContain('sync.begun.1')
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^values\.csv\.[0-9a-f]{12}\.tmp$/)])
  await new UnfinishedFiles(profile).sweep()
  expect(readdirSync(folder)).toEqual([])
})
