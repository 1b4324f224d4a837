import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { childProgram } from '../../../support/child-programs'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

/** Starts a writer and kills it `afterMs` after it has begun to write. */
async function writeAndKill(path: string, manner: 'atomic' | 'plain', afterMs: number): Promise<void> {
  const writer = spawn(process.execPath, [childProgram('killed-writer'), path, manner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(writer, 'exit')
  await once(writer.stdout, 'data')
  await pause(afterMs)
  writer.kill('SIGKILL')
  await gone
}

function fileAt(path: string): AtomicJsonFile {
  return new AtomicJsonFile({ path, clock: new FakeClock(), maxBytes: 2 ** 20 })
}

test(
  'a writer killed at any moment leaves a whole version, and the next start tidies up',
  { timeout: 30_000 },
  async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'data.json')
    for (let round = 0; round < 8; round++) {
      await writeAndKill(path, 'atomic', round * 3)
      const read = await fileAt(path).read()
      if (read.kind !== 'ok') throw new Error(`round ${round}: ${read.kind}`)
      const { count, again } = read.value as { count: number; again: number }
      expect(again).toBe(count)
      expect(readdirSync(folder).toSorted()).toEqual(['data.json', 'data.json.bak'])
    }
  },
)

test('a writer that writes in place leaves half a file, and that is seen', { timeout: 30_000 }, async () => {
  const path = join(temporaryFolder(), 'data.json')
  await writeAndKill(path, 'plain', 0)
  expect(await fileAt(path).read()).toMatchObject({ kind: 'lost' })
})
