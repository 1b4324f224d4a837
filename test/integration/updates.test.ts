import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppImage } from '../../main/updates/app-image'
import { createEngine } from '../../main/updates/engine'
import { Updates } from '../../main/updates/updates'
import type { PackageKind } from '../../main/updates/package-kind'
import type { UpdateState } from '../../protocol/updates'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { RecordedLog } from '../support/recorded-log'
import { temporaryFolder } from '../support/temporary-folder'
import { packageName, UpdateServer } from '../support/update-server'

const oldFile = Buffer.from('the AppImage of 0.1.0')
/** A program that does nothing, several blocks long. */
const program = (version: string) => Buffer.concat([Buffer.from('#!/bin/sh\nexit\n'), Buffer.alloc(300_000, version)])
const newFile = program('the AppImage of 0.2.0 ')

let server: UpdateServer

beforeEach(async () => {
  server = await UpdateServer.start()
})
afterEach(() => server.stop())

interface Started {
  version?: string
  kind?: PackageKind
  refusedVersion?: string
  notInstalled?: string
  url?: string
}

/** The updates of a running 0.1.0 with the real engine, and its AppImage in a folder of its own. */
function start({ version = '0.1.0', kind = 'appImage', refusedVersion, notInstalled, url = server.url }: Started = {}) {
  const folder = temporaryFolder()
  const path = join(folder, 'indexwatch-0.1.0-linux-x86_64.AppImage')
  writeFileSync(path, oldFile, { mode: 0o755 })
  vi.stubEnv('APPIMAGE', path)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const configPath = join(folder, 'app-update.yml')
  writeFileSync(configPath, 'updaterCacheDirName: indexwatch-updater\n')
  const clock = new FakeClock()
  const log = new RecordedLog()
  const image = new AppImage({
    path,
    version,
    recordPath: join(folder, 'update.json'),
    log: new RecordedLog(),
  })
  const states: UpdateState[] = []
  const quits: string[] = []
  const updates = new Updates({
    clock,
    random: () => 0.5,
    log,
    installs: kind !== 'other',
    refusedVersion,
    notInstalled,
    quit: () => quits.push('quit'),
    loadEngine: () =>
      Promise.resolve(
        createEngine({
          url: new URL(url),
          version,
          kind,
          image,
          args: [],
          log,
          configPath,
          cacheFolder: join(folder, 'cache'),
          quit: () => quits.push('quit'),
        }),
      ),
  })
  updates.events.on('changed', (state) => states.push(state))
  const pending = join(folder, 'cache', 'indexwatch-updater', 'pending')
  return {
    updates,
    clock,
    log,
    states,
    quits,
    image,
    installed: () => readFileSync(path),
    previous: () => (existsSync(`${path}.previous`) ? readFileSync(`${path}.previous`) : undefined),
    pending: () => (existsSync(pending) ? readdirSync(pending) : []),
    downloaded: () => join(pending, readdirSync(pending).find((name) => name.endsWith('.AppImage')) ?? ''),
  }
}

/** Why an update failed. Undefined if it did not. */
const problemOf = (state: UpdateState) => (state.state === 'failed' ? state.problem : undefined)

/** A text without end. */
function* blanks() {
  for (;;) yield Buffer.alloc(65_536, 32)
}

describe('a newer version', () => {
  test('is downloaded, shown with its notes and installed at the end', async () => {
    server.publish({ version: '0.2.0', file: newFile, notes: '## New\r\n- **Bold** <b>text</b>\u202e\n' })
    const { updates, states, installed, previous, image } = start()
    await updates.check()
    const found = { version: '0.2.0', notes: 'New\n- **Bold** <b>text</b>' }
    expect(updates.state).toEqual({ state: 'ready', found })
    expect(states.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])).toEqual([
      'checking',
      'downloading',
      'ready',
    ])
    expect(installed()).toEqual(oldFile)
    updates.installAtEnd()
    expect(installed()).toEqual(newFile)
    expect(previous()).toEqual(oldFile)
    expect(image.refused).toBeUndefined()
  })

  test('is checked for some minutes after the start and daily, and downloaded once', async () => {
    const { updates, clock } = start()
    updates.start()
    clock.advance(119_000)
    expect(server.asked).toEqual([])
    clock.advance(2_000)
    await eventually(() => expect(updates.state.state).toBe('failed'))
    server.publish({ version: '0.2.0', file: newFile })
    clock.advance(86_400_000)
    await eventually(() => expect(updates.state.state).toBe('ready'))
    server.asked.length = 0
    clock.advance(86_400_000 + 3_600_000)
    await eventually(() => expect(server.asked).toEqual(['/app/latest-linux.yml']))
    await updates.check()
    expect(updates.state.state).toBe('ready')
    updates.dispose()
    expect(clock.pending).toBe(0)
  })

  test('that is ready gives way to the next one, and is dropped if withdrawn', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates, installed, states } = start()
    await updates.check()
    const newest = program('the AppImage of 0.3.0 ')
    server.publish({ version: '0.3.0', file: newest })
    await updates.check()
    expect(updates.state).toMatchObject({ state: 'ready', found: { version: '0.3.0' } })
    await server.stop()
    states.length = 0
    await updates.check()
    // The check fails, and the ready version is still installed.
    expect(states).toEqual([])
    updates.installAtEnd()
    expect(installed()).toEqual(newest)

    server = await UpdateServer.start()
    const other = start()
    server.publish({ version: '0.2.0', file: newFile })
    await other.updates.check()
    server.publish({ version: '0.1.0', file: oldFile })
    await other.updates.check()
    expect(other.updates.state.state).toBe('current')
    other.updates.installAtEnd()
    expect(other.installed()).toEqual(oldFile)
  })

  test('is only shown if the user must update the package', async () => {
    server.publish({ version: '0.2.0', file: newFile, notes: 'New' })
    const { updates, installed } = start({ kind: 'other' })
    await updates.check()
    expect(updates.state).toEqual({ state: 'available', found: { version: '0.2.0', notes: 'New' } })
    expect(server.asked).toEqual(['/app/latest-linux.yml'])
    await server.stop()
    await updates.check()
    const found = { version: '0.2.0', notes: 'New' }
    expect(updates.state).toMatchObject({
      state: 'available',
      found,
      failed: { problem: expect.stringMatching(/could not be reached/) as string },
    })
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
  })

  test('whose installation failed at the last exit is reported until the next check', async () => {
    const { updates } = start({ notInstalled: 'Not enough disk space.' })
    expect(updates.state).toEqual({ state: 'failed', problem: 'Not enough disk space.' })
    server.publish({ version: '0.2.0', file: newFile })
    await updates.check()
    expect(updates.state.state).toBe('ready')
  })

  test('is not installed again after a rollback', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates } = start({ refusedVersion: '0.2.0' })
    await updates.check()
    expect(problemOf(updates.state)).toMatch(/^Version 0\.2\.0 did not start on this computer/)
    server.publish({ version: '0.2.1', file: newFile })
    await updates.check()
    expect(updates.state).toMatchObject({ state: 'ready', found: { version: '0.2.1' } })
  })

  test('is requested without identifying the user', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates } = start()
    await updates.check()
    expect(server.headers).not.toHaveLength(0)
    for (const headers of server.headers) {
      expect(headers['user-agent']).toBe('Indexwatch')
      const others = new Set(['accept', 'cache-control', 'connection', 'host', 'range', 'user-agent'])
      expect(Object.keys(headers).filter((name) => !others.has(name))).toEqual([])
    }
  })

  test('restarts the app only when it is ready', async () => {
    const { updates, quits } = start()
    updates.restart()
    expect(quits).toEqual([])
    server.publish({ version: '0.2.0', file: newFile })
    await updates.check()
    updates.restart()
    expect(quits).toEqual(['quit'])
  })
})

describe('the app stays unchanged', () => {
  test.each<[string, string, ...string[]]>([
    ['changed', 'sh', '-c', 'echo more >> "$0"'],
    ['emptied', 'truncate', '--size=0'],
    ['deleted', 'rm'],
    ['replaced by a pipe', 'sh', '-c', 'rm "$0"; mkfifo "$0"'],
  ])('when the downloaded file is %s before the app ends', async (_how, program, ...args) => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates, installed, image, downloaded } = start()
    await updates.check()
    execFileSync(program, [...args, downloaded()])
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(existsSync(`${image.path}.new`)).toBe(false)
    expect(image.failed?.version).toBe('0.2.0')
    expect(image.refused).toBeUndefined()
  })

  test('when the downloaded file becomes a link before the end', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates, installed, downloaded } = start()
    await updates.check()
    const elsewhere = join(temporaryFolder(), 'elsewhere')
    // It has the right hash, but could be changed at any moment.
    writeFileSync(elsewhere, newFile, { mode: 0o600 })
    const path = downloaded()
    rmSync(path)
    symlinkSync(elsewhere, path)
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o600)
  })

  test('when the new file cannot run, and does not download it again', async () => {
    server.publish({ version: '0.2.0', file: Buffer.from('#!/bin/sh\nexit 127\n') })
    const { updates, installed, image } = start()
    await updates.check()
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(image.failed?.why).toMatch(/does not start on this computer/)
    expect(image.refused).toEqual({ version: '0.2.0', isSaid: true })
  })

  test('when only a pre-release is published, unless it is one itself', async () => {
    server.publish({ version: '0.2.0-alpha', file: newFile })
    const stable = start()
    await stable.updates.check()
    expect(stable.updates.state.state).toBe('current')
    stable.updates.installAtEnd()
    expect(stable.installed()).toEqual(oldFile)
    const preview = start({ version: '0.1.0-beta.1' })
    await preview.updates.check()
    expect(preview.updates.state).toMatchObject({ state: 'ready', found: { version: '0.2.0-alpha' } })
    server.publish({ version: '0.2.0', file: newFile })
    await preview.updates.check()
    expect(preview.updates.state).toMatchObject({ state: 'ready', found: { version: '0.2.0' } })
  })

  test.each(['0.1.0', '0.0.9'])('when %s is published', async (version) => {
    server.publish({ version, file: newFile })
    const { updates, installed } = start()
    await updates.check()
    expect(updates.state).toMatchObject({ state: 'current' })
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(server.asked).toEqual(['/app/latest-linux.yml'])
  })

  test('when the file does not match its hash, and deletes it', async () => {
    server.publish({ version: '0.2.0', file: newFile, sha512: Buffer.alloc(64, 1).toString('base64') })
    const { updates, installed, pending } = start()
    await updates.check()
    expect(problemOf(updates.state)).toMatch(/does not match the published file/)
    expect(pending()).toEqual([])
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
  })

  test.each<[string, RegExp, ((response: ServerResponse) => unknown)?]>([
    ['is not there', /has no list of versions/],
    ['cannot be read', /cannot be read/, (response) => response.end('<html>Sign in</html>')],
    ['has no hash', /cannot be read/, (response) => response.end('version: 0.2.0\nfiles:\n  - url: a.AppImage\n')],
    ['has no version', /cannot be read/, (response) => response.end('version: newest\nfiles: []\n')],
    ['breaks off', /could not be reached/, (response) => response.destroy()],
    ['does not end', /could not be reached/, (response) => Readable.from(blanks()).pipe(response)],
  ])('when the list %s', async (_what, problem, answer) => {
    if (answer !== undefined) server.answer('/app/latest-linux.yml', answer)
    const { updates, installed } = start()
    await updates.check()
    expect(problemOf(updates.state)).toMatch(problem)
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
  })

  test('when the download breaks off, and downloads it at the next check', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    let cuts = 0
    const path = `/app/${packageName('0.2.0')}`
    server.answer(path, (response) => {
      cuts++
      response.writeHead(200, { 'Content-Length': newFile.byteLength })
      response.write(newFile.subarray(0, 100_000), () => response.destroy())
    })
    const { updates, installed, pending } = start()
    await updates.check()
    expect(cuts).toBe(1)
    expect(problemOf(updates.state)).toMatch(/was interrupted/)
    // The library removes the partial file a moment after it reports.
    await expect.poll(pending).toEqual([])
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    server.publish({ version: '0.2.0', file: newFile })
    await updates.check()
    updates.installAtEnd()
    expect(installed()).toEqual(newFile)
  })

  test('when the list or a redirect leads to another host', async () => {
    const other = await UpdateServer.start()
    onTestFinished(() => other.stop())
    other.publish({ version: '0.2.0', file: newFile })
    server.publish({ version: '0.2.0', file: newFile, fileUrl: `${other.url}${packageName('0.2.0')}` })
    const { updates, installed } = start()
    await updates.check()
    expect(problemOf(updates.state)).toMatch(/./)
    server.publish({ version: '0.2.0', file: newFile })
    server.answer(`/app/${packageName('0.2.0')}`, (response) => {
      response.writeHead(302, { Location: `${other.url}${packageName('0.2.0')}` }).end()
    })
    await updates.check()
    expect(problemOf(updates.state)).toMatch(/./)
    server.answer('/app/latest-linux.yml', (response) => {
      response.writeHead(302, { Location: `${other.url}latest-linux.yml` }).end()
    })
    await updates.check()
    expect(problemOf(updates.state)).toMatch(/./)
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(other.asked).toEqual([])
  })

  test('when the disk refuses the new file', async () => {
    server.publish({ version: '0.2.0', file: newFile })
    const { updates, installed, log, image } = start()
    await updates.check()
    // A folder of that name exists.
    mkdirSync(join(`${image.path}.previous`, 'x'), { recursive: true })
    updates.installAtEnd()
    expect(installed()).toEqual(oldFile)
    expect(image.failed?.why).toMatch(/could not replace the old one/)
    expect(log.texts('error')).toContain('The update could not be installed')
  })
})
