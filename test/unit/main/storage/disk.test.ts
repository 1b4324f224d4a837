import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Outcome } from '../../../../core/model'
import { denyPageStores, isWritableFolder, WriteQueue } from '../../../../main/storage/disk'

test('a folder that can be created is writable, another is not', async () => {
  const base = await mkdtemp(join(tmpdir(), 'indexwatch-writable-'))
  await writeFile(join(base, 'file'), '')
  expect(isWritableFolder(join(base, 'new', 'profile'))).toBe(true)
  expect(isWritableFolder(join(base, 'file', 'profile'))).toBe(false)
  await rm(base, { recursive: true })
})

test.runIf(process.platform !== 'win32')(
  'the profile’s folder is made private, but a shared folder is not changed',
  async () => {
    const base = await mkdtemp(join(tmpdir(), 'indexwatch-modes-'))
    const modes = async (name: string, mode: number | undefined) => {
      const folder = join(base, name)
      if (mode !== undefined) await mkdir(folder)
      if (mode !== undefined) await chmod(folder, mode)
      expect(isWritableFolder(folder)).toBe(true)
      return (await stat(folder)).mode & 0o1777
    }
    expect(await modes('new', undefined)).toBe(0o700)
    expect(await modes('old', 0o755)).toBe(0o700)
    expect(await modes('everybody', 0o1777)).toBe(0o1777)
    await rm(base, { recursive: true })
  },
)

test('data stored by a page is removed, and files block its folders', async () => {
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

test('changes during a write become one more write', async () => {
  const written: string[] = []
  const saved: Outcome<null> = { ok: true, value: null }
  let endFirst: (outcome: Outcome<null>) => void = () => undefined
  const queue = new WriteQueue((text) => {
    written.push(text)
    return text === '0' ? new Promise((resolve) => (endFirst = resolve)) : Promise.resolve(saved)
  })
  const first = queue.write('0')
  await Promise.resolve()
  const later = Array.from({ length: 1_000 }, (_, at) => queue.write(String(at + 1)))
  endFirst(saved)
  expect(await Promise.all([first, ...later])).toHaveLength(1_001)
  expect(written).toEqual(['0', '1000'])
})
