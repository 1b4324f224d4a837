import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appImagePath, packageKind } from '../../../../main/updates/package-kind'
import { temporaryFolder } from '../../../support/temporary-folder'

const mounted = '/tmp/.mount_indexwABC'
const own = { platform: 'linux' as const, execPath: `${mounted}/indexwatch` }

test("an AppImage is recognised by its variables and this program's place in it", () => {
  const env = { APPIMAGE: '/home/kim/Indexwatch.AppImage', APPDIR: mounted }
  expect(appImagePath({ ...own, env })).toBe('/home/kim/Indexwatch.AppImage')
  // Started from a terminal that is an AppImage, which set the variables.
  expect(appImagePath({ ...own, env, execPath: '/opt/Indexwatch/indexwatch' })).toBeUndefined()
  expect(appImagePath({ ...own, env, execPath: `${mounted}2/indexwatch` })).toBeUndefined()
  expect(appImagePath({ ...own, env: { APPIMAGE: 'Indexwatch.AppImage', APPDIR: mounted } })).toBeUndefined()
  expect(appImagePath({ ...own, env: { APPIMAGE: '/home/kim/Indexwatch.AppImage' } })).toBeUndefined()
  expect(appImagePath({ ...own, env, platform: 'darwin' })).toBeUndefined()
})

test('only a package that its user can replace updates itself', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'Indexwatch.AppImage')
  const env = { APPIMAGE: path, APPDIR: mounted }
  expect(packageKind({ ...own, env })).toBe('other')
  writeFileSync(path, '')
  expect(packageKind({ ...own, env })).toBe('appImage')
  expect(packageKind({ ...own, env: {} })).toBe('other')
  expect(packageKind({ ...own, env: {}, platform: 'darwin' })).toBe('mac')
})

test('on Windows the installer leaves an uninstaller, the zip does not', () => {
  const folder = join(temporaryFolder(), 'Indexwatch')
  mkdirSync(folder)
  const running = { platform: 'win32' as const, env: {}, execPath: join(folder, 'Indexwatch.exe') }
  expect(packageKind(running)).toBe('other')
  writeFileSync(join(folder, 'Uninstall Indexwatch.exe'), '')
  expect(packageKind(running)).toBe('nsis')
})
