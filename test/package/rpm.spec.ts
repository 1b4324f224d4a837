import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { user, type CleanSystem } from '../support/clean-system'
import { ended, OpenDesktop, outputOf } from '../support/installed-app'
import { packageOf, systemForDeb, title } from '../support/test-build'

const run = promisify(execFile)

/** Names of the libraries that Electron needs, on the systems that install an rpm. */
const librariesOf = {
  Fedora: [
    ...['gtk3', 'libnotify', 'nss', 'libXScrnSaver', 'libXtst', 'libuuid', 'libsecret', 'mesa-libgbm', 'alsa-lib'],
    ...[
      'libX11-xcb',
      'libglvnd-glx',
      'libglvnd-egl',
      'xdg-utils',
      'at-spi2-core',
      '/bin/sh',
      'glibc',
      'desktop-file-utils',
    ],
  ],
  openSUSE: [
    ...['libgtk-3-0', 'libnotify4', 'mozilla-nss', 'libXss1', 'libXtst6', 'libuuid1', 'libsecret-1-0', 'libgbm1'],
    ...[
      'libasound2',
      'libX11-xcb1',
      'Mesa-libGL1',
      'Mesa-libEGL1',
      'xdg-utils',
      'at-spi2-core',
      '/bin/sh',
      'glibc',
      'desktop-file-utils',
    ],
  ],
}

/** Builds an rpm without files that provides these names, like a system with those libraries. Returns its path. */
async function providerOf(folder: string, names: readonly string[]): Promise<string> {
  await mkdir(folder)
  const lines = ['Name: libraries', 'Version: 1', 'Release: 1', 'Summary: -', 'License: MIT', 'BuildArch: noarch']
  const spec = join(folder, 'libraries.spec')
  const body = [...lines, ...names.map((name) => `Provides: ${name}`), '%description', '-', '%files', '']
  await writeFile(spec, body.join('\n'))
  await run('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${folder}`, '--define', `_rpmdir ${folder}`, spec])
  const [name = ''] = await readdir(join(folder, 'noarch'))
  return join(folder, 'noarch', name)
}

test.describe('the rpm', () => {
  let desktop: OpenDesktop
  let system: CleanSystem
  let rpm: string

  // Debian's rpm refuses to install without this flag.
  const manage = (...args: string[]) => run('rpm', ['--root', system.root, '--force-debian', ...args])

  test.beforeAll(async () => {
    desktop = await OpenDesktop.create()
    system = await systemForDeb(desktop.folder)
    rpm = await packageOf('rpm')
  })
  test.afterAll(async () => {
    await desktop.stop()
    await system.dispose()
  })

  for (const [name, libraries] of Object.entries(librariesOf)) {
    test(`is installed with the libraries of ${name}, runs, and leaves nothing when erased`, async () => {
      const folder = join(desktop.folder, name)
      const [first = '', ...others] = libraries
      await manage('--install', '--nosignature', await providerOf(`${folder}-all-but-one`, others))
      await expect(manage('--install', '--nosignature', rpm)).rejects.toThrow(first)
      await manage('--upgrade', '--replacepkgs', '--nosignature', await providerOf(folder, libraries))
      await manage('--install', '--nosignature', rpm)
      expect(await system.run(['indexwatch', '--version'], { as: user })).toContain(`${title} 0.1.0-test`)

      const env = { ...desktop.variables, XDG_CURRENT_DESKTOP: 'XFCE' }
      const app = system.start(['/usr/bin/indexwatch'], { env })
      const said = outputOf(app)
      await desktop.window(title)
      await desktop.peer.nextTrayItem()
      await desktop.peer.clickMenu('Quit')
      expect(await ended(app), said()).toBe(0)

      const { stdout } = await manage('--query', '--list', 'indexwatch')
      const files = [...stdout.trim().split('\n'), '/etc/apparmor.d/indexwatch']
      await manage('--erase', 'indexwatch', 'libraries')
      const left = []
      for (const file of files) if (await lstat(join(system.root, file)).catch(() => undefined)) left.push(file)
      expect(left).toEqual([])
      await rm(join(system.root, 'home', user, '.config'), { recursive: true, force: true })
    })
  }
})
