import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isWritableFolder } from '../../../../main/storage/disk'

test('a folder that can be made is writable, one that cannot is not', async () => {
  const base = await mkdtemp(join(tmpdir(), 'indexwatch-writable-'))
  await writeFile(join(base, 'file'), '')
  expect(isWritableFolder(join(base, 'new', 'profile'))).toBe(true)
  expect(isWritableFolder(join(base, 'file', 'profile'))).toBe(false)
  await rm(base, { recursive: true })
})
