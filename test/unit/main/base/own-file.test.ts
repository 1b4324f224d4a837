import { execFileSync } from 'node:child_process'
import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { statFile, makePrivate, readOwnFile, SpecialFile } from '../../../../main/base/own-file'
import { temporaryFolder } from '../../../support/temporary-folder'

describe.runIf(process.platform !== 'win32')('a path of the profile', () => {
  test.each([
    [
      'a pipe',
      (path: string) => {
        execFileSync('mkfifo', [path])
        return Promise.resolve()
      },
    ],
    ['a folder', (path: string) => mkdir(path)],
    ['a device', (path: string) => symlink('/dev/zero', path)],
    ['a socket', (path: string) => new Promise<void>((resolve) => createServer().unref().listen(path, resolve))],
  ])('is refused by name if it is %s', async (what, put) => {
    const path = join(temporaryFolder(), 'data.json')
    await put(path)
    expect(() => statFile(path)).toThrow(`data.json is ${what}, not a file. Move it away.`)
    expect(() => readOwnFile(path)).toThrow(SpecialFile)
  })

  test('is used if it is a file, a link to one, or nothing', () => {
    const folder = temporaryFolder()
    expect(statFile(join(folder, 'none'))).toBeUndefined()
    writeFileSync(join(folder, 'file'), 'text')
    symlinkSync(join(folder, 'file'), join(folder, 'link'))
    expect(statFile(join(folder, 'link'))?.size).toBe(4)
    expect(readOwnFile(join(folder, 'link'))).toBe('text')
  })

  test('is made private, and not created if missing', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'file')
    makePrivate(path)
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
    writeFileSync(path, '')
    chmodSync(path, 0o664)
    chmodSync(folder, 0o755)
    makePrivate(path)
    makePrivate(folder)
    expect([path, folder].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o700])
  })
})
