import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const mirror = process.env['DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian'
/** Enters the system in the first argument as the user in the second. Its mounts are private and disappear with it. */
const enter = `
set -e
root=$1 user=$2 shared=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t proc proc "$root/proc"
for folder in /tmp/.X11-unix $shared; do mkdir -p "$root$folder"; mount --rbind "$folder" "$root$folder"; done
cd "$root"; mkdir -p .host; pivot_root . .host; umount -l .host
[ "$user" = root ] && exec "$@"
exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"`
/** The system's user. */
export const user = 'kim'

/** A newly installed Debian without a desktop. A package must bring or declare everything that it needs. Needs root. */
export class CleanSystem {
  readonly root: string
  /** Reached under the same path inside and outside. */
  readonly #shared: string

  private constructor(root: string, shared: string) {
    this.root = root
    this.#shared = shared
  }

  /** Creates a system with these packages and their dependencies: a copy of one that debootstrap made once. */
  static async create(shared: string, packages: readonly string[]): Promise<CleanSystem> {
    const names = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
    const kept = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'indexwatch', `debian-${names}`)
    if (!(await stat(kept).catch(() => undefined))) {
      await mkdir(dirname(kept), { recursive: true })
      const making = await mkdtemp(`${kept}-`)
      // It becomes the root of the system, which its user must enter.
      await chmod(making, 0o755)
      await run('debootstrap', ['--variant=minbase', 'bookworm', making, mirror], { maxBuffer: 1e8 })
      // The system is temporary and need not survive a power cut.
      await writeFile(join(making, 'etc', 'dpkg', 'dpkg.cfg.d', 'fast'), 'force-unsafe-io\n')
      await copyFile('/etc/resolv.conf', join(making, 'etc', 'resolv.conf'))
      const made = new CleanSystem(making, shared)
      await made.run(['useradd', '--create-home', '--uid', '1000', user])
      await made.run(['apt-get', 'update'])
      await made.run(['apt-get', 'install', '--yes', '--no-install-recommends', ...packages])
      await rename(making, kept)
    }
    const root = await mkdtemp(join(tmpdir(), 'indexwatch-debian-'))
    await run('cp', ['-a', `${kept}/.`, root])
    return new CleanSystem(root, shared)
  }

  /** Starts a program in the system, by default as its user. */
  start(
    command: string[],
    { as = user, env = {} }: { as?: string; env?: Record<string, string> } = {},
  ): ChildProcessWithoutNullStreams {
    const { PATH = '' } = process.env
    const home = as === 'root' ? '/root' : `/home/${as}`
    return spawn('unshare', ['--mount', 'sh', '-c', enter, 'enter', this.root, as, this.#shared, ...command], {
      env: { PATH: `/usr/local/sbin:/usr/sbin:/sbin:${PATH}`, HOME: home, LANG: 'C.UTF-8', ...env },
    })
  }

  /** Runs a command to its end. Returns its output. If it fails, throws an error with the output. */
  async run(command: string[], { as = 'root' } = {}): Promise<string> {
    const child = this.start(command, { as, env: { DEBIAN_FRONTEND: 'noninteractive' } })
    child.stdin.end()
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${String(code)}:\n${said.slice(-3_000)}`)
    return said
  }

  async install(file: string, ...options: string[]): Promise<string> {
    const place = join(this.root, 'root', 'package.deb')
    await copyFile(file, place)
    return this.run(['apt-get', 'install', '--yes', '--no-install-recommends', ...options, '/root/package.deb'])
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }
}
