import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readdirSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { writeFileAtomically } from '../../../../main/storage/disk'
import { FakeClock } from '../../../support/fake-clock'
import { canMount, smallDisk } from '../../../support/small-disk'

const before = 'b'.repeat(100_000)
const after = 'a'.repeat(100_000)

describe.runIf(canMount)('on a full disk', () => {
  test.each([0, 4_096, 8_192, 65_536])('with %i bytes free the file stays as it was', async (freeBytes) => {
    const { folder, fill, free } = smallDisk()
    const path = join(folder, 'data.json')
    expect(await writeFileAtomically(path, before)).toEqual({ ok: true, value: null })
    fill(freeBytes)
    const outcome = await writeFileAtomically(path, after)
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'diskFull' } })
    expect(!outcome.ok && outcome.problem.message).toMatch(/^Disk full: changes not saved\./)
    expect(readFileSync(path, 'utf8') === before).toBe(true)
    expect(readdirSync(folder).toSorted()).toEqual(['ballast', 'data.json'])
    free()
    expect(await writeFileAtomically(path, after)).toEqual({ ok: true, value: null })
    expect(readFileSync(path, 'utf8') === after).toBe(true)
  })

  test('the usual way, one write and a rename, destroys it', () => {
    const { folder, fill } = smallDisk()
    const path = join(folder, 'data.json')
    writeAndRename(path, before)
    expect(readFileSync(path, 'utf8') === before).toBe(true)
    fill(8_192)
    writeAndRename(path, after)
    expect(readFileSync(path, 'utf8')).toHaveLength(8_192)
  })

  test('a JSON file and its copy stay as they were', async () => {
    const { folder, fill } = smallDisk()
    const clock = new FakeClock()
    const file = new AtomicJsonFile({ path: join(folder, 'data.json'), clock, maxBytes: 2 ** 20, keepsCopy: true })
    await file.read()
    await file.write({ text: before })
    fill(8_192)
    expect(await file.write({ text: after })).toMatchObject({ ok: false, problem: { code: 'diskFull' } })
    expect(await file.read()).toEqual({ kind: 'ok', value: { text: before } })
    expect(JSON.parse(readFileSync(join(folder, 'data.json.bak'), 'utf8'))).toEqual({ text: before })
  })

  test('that is read-only, the reason is reported', async () => {
    const { folder } = smallDisk()
    execFileSync('mount', ['-o', 'remount,ro', folder])
    const outcome = await writeFileAtomically(join(folder, 'data.json'), before)
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'readOnly' } })
  })
})

/** What libraries for atomic writes do: they ignore how much was written. */
function writeAndRename(path: string, data: string): void {
  const handle = openSync(`${path}.tmp`, 'w')
  writeSync(handle, data)
  closeSync(handle)
  renameSync(`${path}.tmp`, path)
}
