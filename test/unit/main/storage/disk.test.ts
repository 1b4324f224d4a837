import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { denyPageStores, isWritableFolder } from '../../../../main/storage/disk'

test('a folder that can be made is writable, one that cannot is not', async () => {
  const base = await mkdtemp(join(tmpdir(), 'indexwatch-writable-'))
  await writeFile(join(base, 'file'), '')
  expect(isWritableFolder(join(base, 'new', 'profile'))).toBe(true)
  expect(isWritableFolder(join(base, 'file', 'profile'))).toBe(false)
  await rm(base, { recursive: true })
})

test('what a page has stored is removed, and a file is where it would be stored again', async () => {
  const base = await mkdtemp(join(tmpdir(), 'indexwatch-stores-'))
  await mkdir(join(base, 'IndexedDB'))
  await writeFile(join(base, 'IndexedDB', 'planted'), 'planted')
  for (let start = 0; start < 2; start++) {
    denyPageStores(base)
    for (const name of ['IndexedDB', 'File System', 'WebStorage', 'Service Worker'])
      expect(await stat(join(base, name))).toMatchObject({ size: 0 })
    await expect(mkdir(join(base, 'IndexedDB'), { recursive: true })).rejects.toThrow('EEXIST')
  }
  await rm(base, { recursive: true })
})
