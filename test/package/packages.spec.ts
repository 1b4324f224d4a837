import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { createPackageWithOptions, extractAll, listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '@playwright/test'
import { user, type CleanSystem } from '../support/clean-system'
import { ended, family, listening, OpenDesktop, outputOf } from '../support/installed-app'
import { packageOf, refusal, systemForDeb, testBuildFolder, title } from '../support/test-build'

const run = promisify(execFile)
const resources = join(testBuildFolder, 'linux-unpacked', 'resources')
const ordinary = ['setpriv', '--reuid', '1000', '--regid', '1000', '--clear-groups']

test('every package says that it is a test build', async () => {
  for (const kind of ['deb', 'rpm', 'tar.gz', 'AppImage'] as const)
    expect(await packageOf(kind)).toContain('-TEST-BUILD-')
})

test('app.asar has at most 3.5 MB, and nothing that only developers use', async () => {
  const archive = join(resources, 'app.asar')
  const { size } = await stat(archive)
  console.log(`app.asar ${size} bytes`)
  expect(size).toBeLessThan(3_500_000)
  const names = listPackage(archive, { isPack: false })
  expect(names).toContain('/out/main/index.js')
  expect(names.filter((name) => /-cli\.js$|\.map$|licenses\.json$|musl/.test(name))).toEqual([])
  expect(await readdir(resources)).not.toContain('default_app.asar')
})

test('the fuses are set as the configuration says', async () => {
  const wire = await getCurrentFuseWire(join(testBuildFolder, 'linux-unpacked', 'indexwatch'))
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ]
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ]
  for (const fuse of on) expect(wire[fuse], FuseV1Options[fuse]).toBe(FuseState.ENABLE)
  for (const fuse of off) expect(wire[fuse], FuseV1Options[fuse]).toBe(FuseState.DISABLE)
})

test.describe('the smoke test of a release', () => {
  const smoke = async (place: string) => {
    const args = ['-a', 'node', join('scripts', 'smoke.js'), place]
    const started = run('xvfb-run', args, { cwd: join(testBuildFolder, '..', '..') })
    return started.then(
      ({ stderr }) => stderr,
      (error: unknown) => (error as { stderr: string }).stderr,
    )
  }

  test('passes each package: a value is in the window, stored and judged', async () => {
    const passed = (await smoke(testBuildFolder)).match(/^smoke .* in the window, stored and judged/gm) ?? []
    for (const kind of ['.deb:', '.rpm:', '.tar.gz:', '.AppImage:']) expect(passed.join('\n')).toContain(kind)
  })

  test('fails an app whose native module is missing, and says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'indexwatch-broken-'))
    try {
      await run('cp', ['-a', join(testBuildFolder, 'linux-unpacked'), folder])
      const libraries = join(folder, 'linux-unpacked', 'resources', 'app.asar.unpacked', 'node_modules', '@libsql')
      await rm(libraries, { recursive: true })
      const said = await smoke(folder)
      expect(said).toContain('alerts are not judged: Alerts are off: the history cannot be opened')
      expect(said).not.toMatch(/^smoke /m)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

test.describe('the deb on a Debian without a desktop', () => {
  // Each test continues from the state of the previous one.
  test.describe.configure({ mode: 'serial' })
  let desktop: OpenDesktop
  let system: CleanSystem
  let app: ChildProcessWithoutNullStreams | undefined
  let said: () => string
  let before: Set<string>
  let deb: string
  /** Time at which a new user starts to install the package. */
  let installedFrom: number

  /** Files of the system, without apt's records and the user's files. */
  const files = async () => {
    const { stdout } = await run('find', [system.root, '-xdev', '-not', '-type', 'd'], { maxBuffer: 1e8 })
    const noted = /^\/(?:home|root|tmp|run|proc|sys|dev|var\/(?:cache|lib\/(?:apt|dpkg)|log)|etc\/ld\.so\.cache)/
    const names = stdout.split('\n').map((path) => path.slice(system.root.length))
    return new Set(names.filter((path) => path !== '' && !noted.test(path)))
  }
  const start = (...args: string[]) => {
    const env = { ...desktop.variables, XDG_CURRENT_DESKTOP: 'XFCE' }
    return system.start(['/usr/bin/indexwatch', ...args], { env })
  }
  /** The first live value in the tray's tooltip, as the user sees it. */
  const live = async () => {
    const lines = (await desktop.peer.trayTooltip()).split('\n')
    return lines.find((line) => /^\S+ [\d,.]+ .*at /.test(line) && !line.includes('('))
  }

  test.beforeAll(async () => {
    deb = await packageOf('deb')
    desktop = await OpenDesktop.create()
    system = await systemForDeb(desktop.folder)
  })
  test.afterAll(async () => {
    app?.kill('SIGKILL')
    await desktop.stop()
    await system.dispose()
  })

  test('is installed by apt with only its declared dependencies', async () => {
    before = await files()
    installedFrom = performance.now()
    await system.install(deb)
    console.log(`apt took ${Math.round(performance.now() - installedFrom)} ms`)
    const added = [...(await files())].filter((path) => !before.has(path))
    for (const path of [
      '/usr/bin/indexwatch',
      '/usr/share/applications/org.indexwatch.Indexwatch.desktop',
      '/usr/share/doc/indexwatch/copyright',
      '/usr/share/doc/indexwatch/NOTICE.txt',
      '/usr/share/man/man1/indexwatch.1.gz',
      '/usr/share/doc/indexwatch/changelog.gz',
      '/usr/share/icons/hicolor/scalable/apps/indexwatch.svg',
      '/usr/share/bash-completion/completions/indexwatch',
      '/usr/share/zsh/vendor-completions/_indexwatch',
      '/usr/share/fish/vendor_completions.d/indexwatch.fish',
      '/usr/lib/systemd/user/indexwatch.service',
      '/usr/share/doc/indexwatch/examples/prometheus-rules.yml',
      '/usr/share/doc/indexwatch/examples/grafana-dashboard.json',
      '/usr/share/metainfo/org.indexwatch.Indexwatch.metainfo.xml',
      '/opt/Indexwatch/LICENSE.txt',
      '/opt/Indexwatch/LICENSE.electron.txt',
      ...[16, 24, 32, 48, 64, 96, 128, 256, 512].map(
        (size) => `/usr/share/icons/hicolor/${size}x${size}/apps/indexwatch.png`,
      ),
    ])
      expect(added).toContain(path)
    const root = (path: string) => join(system.root, path)
    await run('desktop-file-validate', [root('/usr/share/applications/org.indexwatch.Indexwatch.desktop')])
    await run('appstreamcli', [
      'validate',
      '--no-net',
      root('/usr/share/metainfo/org.indexwatch.Indexwatch.metainfo.xml'),
    ])
    const metainfo = await readFile(root('/usr/share/metainfo/org.indexwatch.Indexwatch.metainfo.xml'), 'utf8')
    const [, launchable = ''] = /<launchable type="desktop-id">(.+)<\/launchable>/.exec(metainfo) ?? []
    expect(added).toContain(`/usr/share/applications/${launchable}`)
    const notice = await readFile(root('/usr/share/doc/indexwatch/NOTICE.txt'), 'utf8')
    for (const name of ['@fontsource-variable/inter', 'libsql', 'svelte', 'zod']) expect(notice).toContain(`${name} `)
    expect(notice).toContain('SIL OPEN FONT LICENSE')
    expect(await system.run(['indexwatch', '--version'], { as: user })).toContain(`${title} 0.1.0-test`)
  })

  test('shows its window, a live value and its tray to an ordinary user, sandboxed', async () => {
    const startedAt = performance.now()
    app = start()
    said = outputOf(app)
    await desktop.window(title)
    await desktop.painted()
    await desktop.peer.nextTrayItem()
    await expect.poll(live).toBeDefined()
    console.log(`${String(await live())}, ${Math.round(performance.now() - startedAt)} ms after the start`)
    console.log(`the new user: ${Math.round(performance.now() - installedFrom)} ms from apt install to a live value`)
    const processes = await family(app.pid ?? 0)
    const renderers = [...processes].filter(([, command]) => command.includes('--type=renderer'))
    expect(renderers.length).toBeGreaterThan(0)
    for (const [pid, command] of renderers) {
      expect(command).not.toContain('--no-sandbox')
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      expect(status).toMatch(/^Seccomp:\s+2$/m)
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
      // A different user namespace belongs to the sandbox. The same one means that the set-uid helper was used.
      const namespace = async (id: number | 'self') => (await run('readlink', [`/proc/${id}/ns/user`])).stdout
      console.log(
        `renderer: Seccomp 2, ${(await namespace(pid)) === (await namespace('self')) ? 'set-uid helper' : 'user namespace'}`,
      )
    }
  })

  test('listens only on the demo service’s port, which requires its key', async () => {
    const open = await listening((await family(app?.pid ?? 0)).keys())
    console.log(`listening: ${open.join(', ')}`)
    expect(open).toHaveLength(1)
    expect(open[0]).toMatch(/^tcp 0100007F:/)
    const port = Number.parseInt(open[0]?.split(':')[1] ?? '', 16)
    for (const path of ['/', '/ws/v4', '/api/v1/values', '/mcp']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(401)
    }
  })

  test('keeps received values when it is killed at once', async () => {
    for (const pid of (await family(app?.pid ?? 0)).keys()) {
      // The other processes end with the first one.
      await run('kill', ['-KILL', String(pid)]).catch(() => undefined)
    }
    if (app !== undefined) await ended(app)
    const history = new DatabaseSync(join(system.root, 'home', user, '.config', 'Indexwatch', 'tape-demo.db'))
    const kept = history.prepare('SELECT count(DISTINCT series) AS indices, count(*) AS kept FROM value').get()
    history.close()
    console.log(
      `in the history after the kill: ${String(kept?.['kept'])} values of ${String(kept?.['indices'])} indices`,
    )
    expect(kept?.['indices']).toBeGreaterThan(5)
    app = start()
    said = outputOf(app)
    await desktop.peer.nextTrayItem()
    await expect.poll(live).toBeDefined()
  })

  test('offers a newer version installed while it runs, and Restart starts it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'indexwatch-newer-'))
    try {
      const root = join(folder, 'root')
      await run('dpkg-deb', ['-R', deb, root])
      const archive = join(root, 'opt', 'Indexwatch', 'resources', 'app.asar')
      extractAll(archive, join(folder, 'app'))
      const description = join(folder, 'app', 'package.json')
      const changed = (await readFile(description, 'utf8')).replace('0.1.0-test', '0.2.0-test')
      await writeFile(description, changed)
      await createPackageWithOptions(join(folder, 'app'), archive, { unpack: '**/@libsql/**' })
      const control = join(root, 'DEBIAN', 'control')
      await writeFile(control, (await readFile(control, 'utf8')).replace('0.1.0~test', '0.2.0~test'))
      const newer = join(folder, 'newer.deb')
      await run('dpkg-deb', ['-Zgzip', '-z1', '--root-owner-group', '--build', root, newer])
      await system.install(newer)
      // The running app keeps working although its files were replaced.
      await expect.poll(live).toBeDefined()
      const second = start()
      await ended(second)
      await desktop.window('New version')
      await desktop.peer.nextTrayItem()
      await desktop.press('New version', 'Return')
      await desktop.peer.nextTrayItem()
      await expect.poll(live).toBeDefined()
      const log = join(system.root, 'home', user, '.config', 'Indexwatch', 'logs')
      const [name = ''] = await readdir(log)
      expect(await readFile(join(log, name), 'utf8')).toContain('version="0.2.0-test"')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('an older version can be reinstalled, and shows the values that the newer one kept', async () => {
    await desktop.peer.clickMenu('Quit')
    await system.install(deb, '--allow-downgrades')
    expect(await system.run(['indexwatch', '--version'], { as: user })).toContain(`${title} 0.1.0-test`)
    app = start()
    said = outputOf(app)
    await desktop.peer.nextTrayItem()
    await expect.poll(live).toBeDefined()
    expect(said()).not.toContain('could not be')
  })

  test('exports values without a display, while the app runs', async () => {
    const command = [
      'indexwatch',
      'export',
      '--demo',
      '--ids',
      'BRTI',
      '--from',
      'yesterday',
      '--out',
      '/tmp/values.csv',
    ]
    expect(await system.run(command, { as: user })).toMatch(/\d rows written to \/tmp\/values\.csv/)
    expect(await system.run(['head', '-n', '1', '/tmp/values.csv'])).toContain('id,value,published')
  })

  test('refuses an unknown switch in a dialog', async () => {
    const refused = start('--remote-debugging-port=9222')
    const output = outputOf(refused)
    await expect.poll(output).toContain('--remote-debugging-port=9222 is not allowed.')
    const processes = await family(refused.pid ?? 0)
    expect(await listening(processes.keys())).toEqual([])
    await desktop.window(refusal)
    await desktop.press(refusal, 'Return')
    expect(await ended(refused)).toBe(2)
  })

  test('leaves nothing behind when it is purged', async () => {
    await desktop.peer.clickMenu('Quit')
    if (app !== undefined) await ended(app)
    await system.run(['apt-get', 'purge', '--yes', 'indexwatch'])
    const left = [...(await files())].filter((path) => !before.has(path))
    console.log(`left after the purge: ${left.join(', ') || 'nothing'}`)
    expect(left).toEqual([])
  })
})

/** Starts a program as an ordinary user. `mayProtect` says whether the user may create user namespaces. */
async function startAs(
  desktop: OpenDesktop,
  command: string[],
  { mayProtect = true, variables = {} }: { mayProtect?: boolean; variables?: Record<string, string> } = {},
): Promise<ChildProcessWithoutNullStreams> {
  const { PATH = '' } = process.env
  const env = { PATH, LANG: 'C.UTF-8', HOME: join(desktop.folder, 'home'), ...desktop.variables, ...variables }
  if (mayProtect) {
    // Makes /dev/fuse usable by every user, as udev does.
    const shared = 'mknod -m 666 "$0" c 10 229 2>/dev/null; mount --bind "$0" /dev/fuse; exec "$@"'
    const device = join(desktop.folder, 'fuse')
    return spawn('unshare', ['--mount', 'sh', '-c', shared, device, ...ordinary, ...command], { env })
  }
  const inside = 'read go; exec sh -c \'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"\' sh "$@"'
  const child = spawn('unshare', ['--user', 'sh', '-c', inside, 'sh', ...ordinary, ...command], { env })
  // Succeeds once the child has its namespace.
  await expect
    .poll(() =>
      writeFile(`/proc/${String(child.pid)}/uid_map`, '0 0 65536').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await writeFile(`/proc/${String(child.pid)}/gid_map`, '0 0 65536')
  child.stdin.write('\n')
  return child
}

/** Expects that a start without a sandbox shows a dialog and ends when it is closed. Returns the output. */
async function expectRefusal(desktop: OpenDesktop, app: ChildProcessWithoutNullStreams): Promise<string> {
  const said = outputOf(app)
  await expect.poll(said, { timeout: 60_000 }).toContain('Install the deb or the rpm package')
  await desktop.window(refusal)
  await desktop.press(refusal, 'Return')
  expect(await ended(app)).toBe(2)
  return said()
}

test.describe('the AppImage', () => {
  let desktop: OpenDesktop
  let file: string

  test.beforeAll(async () => {
    desktop = await OpenDesktop.create()
    file = join(desktop.folder, 'Indexwatch.AppImage')
    await copyFile(await packageOf('AppImage'), file)
    await chmod(file, 0o755)
  })
  test.afterAll(async () => {
    await desktop.stop()
  })

  for (const [name, variables, isMounted] of [
    ['mounted by FUSE', {}, true],
    ['unpacked, without FUSE', { APPIMAGE_EXTRACT_AND_RUN: '1' }, false],
  ] as const) {
    test(`runs ${name}`, async () => {
      const app = await startAs(desktop, [file], { variables })
      const said = outputOf(app)
      await desktop.window(title)
      await desktop.peer.nextTrayItem()
      const mounts = await readFile(`/proc/${String(app.pid)}/mounts`, 'utf8')
      expect(mounts.includes('squashfuse')).toBe(isMounted)
      expect([...(await family(app.pid ?? 0)).values()].join('\n')).not.toContain('--no-sandbox')
      await desktop.peer.clickMenu('Quit')
      expect(await ended(app), said()).toBe(0)
    })
  }

  test('says in a dialog what to do if the system blocks the sandbox', async () => {
    const variables = { APPIMAGE_EXTRACT_AND_RUN: '1' }
    await expectRefusal(desktop, await startAs(desktop, [file], { mayProtect: false, variables }))
  })
})

test.describe('the tar.gz', () => {
  test.describe.configure({ mode: 'serial' })
  let desktop: OpenDesktop
  let folder: string

  const expectWindow = async (app: ChildProcessWithoutNullStreams) => {
    const said = outputOf(app)
    await desktop.window(title)
    await desktop.peer.nextTrayItem()
    expect([...(await family(app.pid ?? 0)).values()].join('\n')).not.toContain('--no-sandbox')
    await desktop.peer.clickMenu('Quit')
    expect(await ended(app), said()).toBe(0)
  }

  test.beforeAll(async () => {
    desktop = await OpenDesktop.create()
    folder = join(desktop.folder, 'unpacked')
    await mkdir(folder)
    const owned = ['--no-same-owner', '--strip-components=1']
    await run('tar', ['--extract', `--file=${await packageOf('tar.gz')}`, `--directory=${folder}`, ...owned])
    await run('chown', ['-R', '1000:1000', folder])
  })
  test.afterAll(async () => {
    await desktop.stop()
  })

  test('has the man page, the completion of shells, the unit and the examples', async () => {
    const names = (await readdir(join(folder, 'share'), { recursive: true })).toSorted()
    expect(names).toEqual([
      ...['completion.bash', 'completion.fish', 'completion.zsh', 'desk', 'desk/desk.conf'],
      ...['indexwatch.1', 'indexwatch.service'],
      ...['monitoring', 'monitoring/grafana-dashboard.json', 'monitoring/prometheus-rules.yml'],
    ])
  })

  test('runs where it was unpacked', async () => {
    await expectWindow(await startAs(desktop, [join(folder, 'start-indexwatch')]))
  })

  test('runs after the steps in the dialog', async () => {
    const start = () => startAs(desktop, [join(folder, 'start-indexwatch')], { mayProtect: false })
    const said = await expectRefusal(desktop, await start())
    const [, remedy = ''] = /“(chown root .+)”/.exec(said) ?? []
    await run('sh', ['-c', remedy])
    await expectWindow(await start())
  })
})
