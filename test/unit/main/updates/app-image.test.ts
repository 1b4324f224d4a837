import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppImage, environmentOutside } from '../../../../main/updates/app-image'
import { RecordedLog } from '../../../support/recorded-log'
import { temporaryFolder } from '../../../support/temporary-folder'

/** A program that does nothing, used as an AppImage. */
const program = (version: string) => `#!/bin/sh\n# ${version}\n`

const published = (version: string, content = program(version)) => ({
  version,
  sha512: createHash('sha512').update(content).digest('base64'),
})

/** A folder with the AppImage of 0.1.0, its profile beside, and a downloaded 0.2.0. */
function installation() {
  const folder = temporaryFolder()
  const path = join(folder, 'Indexwatch.AppImage')
  const recordPath = join(folder, 'update.json')
  const downloaded = join(folder, 'downloaded')
  writeFileSync(path, program('0.1.0'), { mode: 0o755 })
  writeFileSync(downloaded, program('0.2.0'))
  const version = (of: string) => new AppImage({ path, version: of, recordPath, log: new RecordedLog() })
  const versionIn = (file: string) => /^# (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return { path, recordPath, downloaded, folder, version, versionIn, installed: () => versionIn(path) }
}

/** The same with 0.2.0 installed over it. */
function updated() {
  const all = installation()
  all.version('0.1.0').replace(all.downloaded, published('0.2.0'))
  return all
}

describe('a new version', () => {
  test('replaces the old one under its name, and can be started', () => {
    const { path, installed, downloaded, versionIn } = updated()
    expect(installed()).toBe('0.2.0')
    expect(statSync(path).mode & 0o777).toBe(0o755)
    expect(versionIn(`${path}.previous`)).toBe('0.1.0')
    expect(existsSync(downloaded)).toBe(false)
  })

  test('leaves nothing behind after a good start', () => {
    const { folder, version } = updated()
    expect(version('0.2.0').countStart()).toBe(false)
    version('0.2.0').confirmStart()
    expect(readdirSync(folder)).toEqual(['Indexwatch.AppImage'])
    for (let start = 0; start < 4; start++) expect(version('0.2.0').countStart()).toBe(false)
  })

  test('that fails to start twice is rolled back once', () => {
    const { folder, version, installed } = updated()
    expect([1, 2, 3].map(() => version('0.2.0').countStart())).toEqual([false, false, true])
    expect(installed()).toBe('0.1.0')
    expect(readdirSync(folder).sort()).toEqual(['Indexwatch.AppImage', 'update.json'])
    expect(version('0.1.0').refused).toEqual({ version: '0.2.0', isSaid: false })
    version('0.1.0').problemsShown()
    expect(version('0.1.0').refused).toEqual({ version: '0.2.0', isSaid: true })
    expect(version('0.1.0').countStart()).toBe(false)
    version('0.1.0').confirmStart()
    expect(version('0.1.0').refused).toEqual({ version: '0.2.0', isSaid: true })
  })

  test('that fails once and then starts stays', () => {
    const { version, installed } = updated()
    version('0.2.0').countStart()
    version('0.2.0').countStart()
    version('0.2.0').confirmStart()
    expect(version('0.2.0').countStart()).toBe(false)
    expect(installed()).toBe('0.2.0')
  })

  test('is not rolled back after starts that showed the window or that the user ended', () => {
    const { version, installed } = updated()
    for (let start = 0; start < 4; start++) {
      const started = version('0.2.0')
      expect(started.countStart()).toBe(false)
      started.startSucceeded()
      started.startSucceeded()
    }
    // A good start does not cancel the two that failed.
    version('0.2.0').countStart()
    const good = version('0.2.0')
    good.countStart()
    good.startSucceeded()
    expect([1, 2].map(() => version('0.2.0').countStart())).toEqual([false, true])
    expect(installed()).toBe('0.1.0')
  })

  test('may be followed by the next one', () => {
    const { folder, version, installed } = updated()
    version('0.2.0').countStart()
    version('0.2.0').confirmStart()
    const next = join(folder, 'next')
    writeFileSync(next, program('0.3.0'))
    version('0.2.0').replace(next, published('0.3.0'))
    expect([1, 2, 3].map(() => version('0.3.0').countStart())).toEqual([false, false, true])
    expect(installed()).toBe('0.2.0')
  })
})

test("recognises a version whose own name differs from the list's", () => {
  const { folder, version, installed } = updated()
  expect([1, 2, 3].map(() => version('0.2.0-1').countStart())).toEqual([false, false, true])
  expect(installed()).toBe('0.1.0')
  const { version: other, folder: otherFolder } = updated()
  other('0.2.0-1').countStart()
  other('0.2.0-1').confirmStart()
  expect([readdirSync(folder).sort(), readdirSync(otherFolder)]).toEqual([
    ['Indexwatch.AppImage', 'update.json'],
    ['Indexwatch.AppImage'],
  ])
})

test('does not replace a file that the user changed', () => {
  const { path, downloaded, version, installed } = installation()
  const running = version('0.1.0')
  rmSync(path)
  writeFileSync(path, program('0.3.0 of the user'))
  expect(() => running.replace(downloaded, published('0.2.0'))).toThrow('another file')
  expect(installed()).toBe('0.3.0 of the user')
})

test('an unwritable record prevents no start and no exit', () => {
  const { recordPath, version, installed } = updated()
  // A folder of that name exists.
  mkdirSync(join(`${recordPath}.new`, 'x'), { recursive: true })
  expect(version('0.2.0').countStart()).toBe(false)
  mkdirSync(join(`${recordPath}.x`))
  version('0.2.0').confirmStart()
  expect(installed()).toBe('0.2.0')
})

test('a process started outside an AppImage has nothing of its folder in its environment', () => {
  const folder = '/tmp/.mount_indexw'
  const env = {
    APPDIR: folder,
    APPIMAGE: '/home/u/Indexwatch.AppImage',
    PATH: `${folder}:${folder}/usr/sbin:/usr/bin:/bin`,
    LD_LIBRARY_PATH: `${folder}/usr/lib`,
    XDG_DATA_DIRS: `${folder}/usr/share:/usr/share`,
    HOME: '/home/u',
  }
  const outside = { PATH: '/usr/bin:/bin', XDG_DATA_DIRS: '/usr/share', HOME: '/home/u' }
  expect(environmentOutside(env)).toEqual(outside)
  expect(environmentOutside(outside)).toEqual(outside)
})

describe('unknown states are left alone', () => {
  test('of a start without an update', () => {
    const { folder, version } = installation()
    expect(version('0.1.0').countStart()).toBe(false)
    version('0.1.0').confirmStart()
    expect(readdirSync(folder).sort()).toEqual(['Indexwatch.AppImage', 'downloaded'])
  })

  test('of another file of the same version', () => {
    const { folder, recordPath, version, installed } = updated()
    const other = join(folder, 'Other.AppImage')
    writeFileSync(other, '0.2.0')
    const elsewhere = new AppImage({ path: other, version: '0.2.0', recordPath, log: new RecordedLog() })
    expect([1, 2, 3].map(() => elsewhere.countStart())).toEqual([false, false, false])
    elsewhere.confirmStart()
    expect(installed()).toBe('0.2.0')
    expect([1, 2, 3].map(() => version('0.2.0').countStart())).toEqual([false, false, true])
  })

  test('of the old version, restored by its user', () => {
    const { path, folder, version } = updated()
    writeFileSync(path, '0.1.0')
    expect(version('0.1.0').countStart()).toBe(false)
    expect(readdirSync(folder)).toEqual(['Indexwatch.AppImage'])
  })

  test.each(['', '{', '[]', '{"pending":{"starts":-1}}'])('of a record that reads %j', (text) => {
    const { recordPath, version, installed } = updated()
    writeFileSync(recordPath, text)
    for (let start = 0; start < 4; start++) expect(version('0.2.0').countStart()).toBe(false)
    expect(installed()).toBe('0.2.0')
  })
})

test('a failed replacement keeps the old file, and is reported until seen', () => {
  const { path, recordPath, downloaded, version, installed } = installation()
  // A folder of that name exists.
  mkdirSync(join(`${path}.previous`, 'x'), { recursive: true })
  expect(() => version('0.1.0').replace(downloaded, published('0.2.0'))).toThrow()
  expect(existsSync(`${path}.new`)).toBe(false)
  expect(installed()).toBe('0.1.0')
  const next = version('0.1.0')
  expect(next.countStart()).toBe(false)
  expect(next.failed).toEqual({ version: '0.2.0', why: 'The new file could not replace the old one.' })
  // Nothing to report if the user has installed it.
  expect(version('0.2.0').failed).toBeUndefined()
  next.problemsShown()
  expect(version('0.1.0').failed).toBeUndefined()
  expect(existsSync(recordPath)).toBe(false)
})
