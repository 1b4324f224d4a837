import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { childProgram } from '../../../support/child-programs'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

/** Starts a process that writes in `folder` and kills itself during the write. Returns its output. */
function writeAndDie(folder: string, manner: 'atomic' | 'inPlace'): string {
  const { signal, stdout } = spawnSync(process.execPath, [childProgram('killed-writer'), folder, manner], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(signal).toBe('SIGKILL')
  return stdout
}

function fileAt(path: string): AtomicJsonFile {
  return new AtomicJsonFile({ path, clock: new FakeClock(), maxBytes: 2 ** 20, keepsCopy: true })
}

test('a writer killed at any moment leaves a whole version, and the next start tidies up', async () => {
  const root = temporaryFolder()
  const operations = Number(writeAndDie(root, 'atomic'))
  const left: number[] = []
  let leftoverCount = 0
  for (let stoppedAt = 1; stoppedAt <= operations; stoppedAt++) {
    const folder = join(root, `${stoppedAt}`)
    const others = () => readdirSync(folder).filter((name) => !['data.json', 'data.json.bak'].includes(name))
    leftoverCount += others().length
    const read = await fileAt(join(folder, 'data.json')).read()
    if (read.kind !== 'ok') throw new Error(`operation ${stoppedAt}: ${read.kind}`)
    const { count, again } = read.value as { count: number; again: number }
    expect(again).toBe(count)
    left.push(count)
    expect(others()).toEqual([])
  }
  // Up to some operation the old version is left, after it the new one.
  expect([left.at(0), left.at(-1), left]).toEqual([1, 2, left.toSorted()])
  expect(leftoverCount).toBeGreaterThan(4)
})

test('a writer that writes in place leaves half a file, and that is seen', async () => {
  const folder = temporaryFolder()
  writeAndDie(folder, 'inPlace')
  expect(await fileAt(join(folder, 'data.json')).read()).toMatchObject({ kind: 'lost' })
})
