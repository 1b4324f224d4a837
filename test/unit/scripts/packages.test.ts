import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCertificate } from 'app-builder-lib/out/codeSign/codesign.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkLibrary } from '../../../scripts/packaging/database-library.js'
import { changelogs } from '../../../scripts/packaging/documents.js'
import { startablePackages } from '../../../scripts/packaging/opened-package.js'
import { unsetEmptySecrets, unsignedNotes } from '../../../scripts/packaging/signing.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const add = (...names: string[]) =>
  Promise.all(
    names.map((name) => mkdir(join(folder, 'app.asar.unpacked', 'node_modules', '@libsql', name), { recursive: true })),
  )

test.each([
  ['darwin', 'x64', 'darwin-x64'],
  ['darwin', 'arm64', 'darwin-arm64'],
  ['linux', 'x64', 'linux-x64-gnu'],
  ['linux', 'arm64', 'linux-arm64-gnu'],
  ['win32', 'x64', 'win32-x64-msvc'],
])('an app for %s on %s is packed with %s', async (platform, arch, library) => {
  await add(library)
  expect(() => checkLibrary(folder, platform, arch)).not.toThrow()
})

test('an app with the library of another processor, with two, or with none is refused', async () => {
  expect(() => checkLibrary(folder, 'darwin', 'x64')).toThrow('needs @libsql/darwin-x64 and has none')
  await add('darwin-arm64')
  expect(() => checkLibrary(folder, 'darwin', 'x64')).toThrow('needs @libsql/darwin-x64 and has @libsql/darwin-arm64')
  await add('darwin-x64')
  expect(() => checkLibrary(folder, 'darwin', 'x64')).toThrow('has @libsql/darwin-arm64, @libsql/darwin-x64')
})

test('electron-builder takes an empty secret for a path, so it gets none', async () => {
  const given = { CSC_LINK: '', CSC_KEY_PASSWORD: '', APPLE_API_KEY_ID: '', APPLE_API_KEY: 'key.p8', OTHER: '' }
  await expect(importCertificate(given.CSC_LINK, {} as never, folder)).rejects.toThrow('not a file')
  expect(unsetEmptySecrets(given)).toEqual({
    CSC_LINK: undefined,
    CSC_KEY_PASSWORD: undefined,
    APPLE_API_KEY_ID: undefined,
  })
})

test('the release notes name the systems whose packages are not signed', () => {
  expect(unsignedNotes({ windows: true, macos: true })).toBe('')
  expect(unsignedNotes({ windows: false, macos: true })).toContain('The packages for Windows are not signed.')
  expect(unsignedNotes({ windows: false, macos: false })).toContain(
    'The packages for Windows and macOS are not signed.',
  )
})

test('a computer starts the packages of its own processor', async () => {
  const names = [
    ...['linux-amd64.deb', 'linux-arm64.deb', 'linux-x86_64.rpm', 'linux-aarch64.rpm', 'linux-x64.tar.gz'],
    ...['mac-x64.dmg', 'mac-arm64.zip', 'win-x64.exe', 'win-x64.zip', 'mac-x64.dmg.blockmap', 'sbom.cdx.json'],
  ]
  for (const name of names) await writeFile(join(folder, `indexwatch-1.0.0-${name}`), '')
  await writeFile(join(folder, 'latest.yml'), '')
  const endings = (arch: string) =>
    startablePackages(folder, arch)
      .map((path) => path.replace(/^.*-1\.0\.0-/, ''))
      .toSorted()
  expect(endings('arm64')).toEqual(['linux-aarch64.rpm', 'linux-arm64.deb', 'mac-arm64.zip'])
  expect(endings('x64')).toEqual([
    ...['linux-amd64.deb', 'linux-x64.tar.gz', 'linux-x86_64.rpm', 'mac-x64.dmg', 'win-x64.exe', 'win-x64.zip'],
  ])
})

test('the changelogs of packages have the form of Debian and of rpm', () => {
  const app = { version: '1.2.0', author: 'A <a@b.example>' }
  const { deb, rpm } = changelogs(app, new Date('2026-11-05'))
  expect(deb).toMatch(
    /^indexwatch \(1\.2\.0\) stable; urgency=medium\n\n {2}\* .+\n\n -- A <a@b\.example> {2}Thu, 05 Nov 2026 /,
  )
  expect(rpm).toMatch(/^\* Thu Nov 05 2026 A <a@b\.example> - 1\.2\.0-1\n- /)
})
