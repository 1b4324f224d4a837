import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'

const recordSchema = v.object({
  /** Installed, and not known yet to start. */
  pending: v.optional(
    v.object({
      from: v.string(),
      to: v.string(),
      path: v.string(),
      /** How often it was started. */
      starts: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
  ),
  /** Taken back. */
  refused: v.optional(v.object({ version: v.string(), isSaid: v.boolean() })),
})
type UpdateRecord = v.InferOutput<typeof recordSchema>

interface Options {
  /** The file that the app runs from. */
  path: string
  /** Of the running app. */
  version: string
  /** Where it is kept what was installed and how it starts. */
  recordPath: string
}

/** As many starts of a new version may end before it has run for a while. */
const maxFailedStarts = 2

/**
 * The one file that an AppImage is. A new version takes its name, so that whatever starts it finds it; the old one stays
 * beside until the new one has started well, and comes back where it does not. All is synchronous: it happens before the
 * app is there and after it has ended.
 */
export class AppImage {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  get path(): string {
    return this.#options.path
  }

  /** A version that did not start and was taken back, with whether the user has been shown so. */
  get refused(): UpdateRecord['refused'] {
    return this.#read().refused
  }

  /** Puts a downloaded file in the place of the running one, whole or not at all. Throws where the disk refuses. */
  replace(downloaded: string, version: string): void {
    const { path, version: from } = this.#options
    const staged = `${path}.new`
    moveFile(downloaded, staged)
    chmodSync(staged, 0o755)
    rmSync(this.#previous, { force: true })
    keepCopy(path, this.#previous)
    this.#write({ pending: { from, to: version, path, starts: 0 } })
    renameSync(staged, path)
  }

  /**
   * Notes that this version starts. Answers `true` where it has failed too often since it was installed: the previous
   * file is back in its place, to be started instead.
   */
  noteStart(): boolean {
    const { path, version } = this.#options
    const record = this.#read()
    const { pending } = record
    if (pending?.path !== path) return false
    if (pending.to !== version) {
      // The new file was never put in place, or its user has put the old one back.
      this.#forget()
      return false
    }
    if (pending.starts >= maxFailedStarts && existsSync(this.#previous)) {
      renameSync(this.#previous, path)
      this.#write({ refused: { version, isSaid: false } })
      return true
    }
    this.#write({ ...record, pending: { ...pending, starts: pending.starts + 1 } })
    return false
  }

  /** This version runs well: the previous one is not needed any more. */
  confirmStart(): void {
    const { pending } = this.#read()
    if (pending?.path === this.#options.path && pending.to === this.#options.version) this.#forget()
  }

  /** The user has been shown that a version was taken back. */
  refusalShown(): void {
    const { refused } = this.#read()
    if (refused !== undefined) this.#write({ refused: { ...refused, isSaid: true } })
  }

  get #previous(): string {
    return `${this.#options.path}.previous`
  }

  #forget(): void {
    rmSync(this.#previous, { force: true })
    rmSync(`${this.#options.path}.new`, { force: true })
    rmSync(this.#options.recordPath, { force: true })
  }

  #read(): UpdateRecord {
    const { recordPath } = this.#options
    if (!existsSync(recordPath)) return {}
    try {
      const read = v.safeParse(recordSchema, JSON.parse(readFileSync(recordPath, 'utf8')))
      return read.success ? read.output : {}
    } catch {
      // Damaged: nothing is known, so nothing is taken back.
      return {}
    }
  }

  #write(record: UpdateRecord): void {
    const staged = `${this.#options.recordPath}.new`
    writeFileSync(staged, JSON.stringify(record))
    syncFile(staged)
    renameSync(staged, this.#options.recordPath)
  }
}

function moveFile(from: string, to: string): void {
  rmSync(to, { force: true })
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EXDEV') throw error
    // The download lies on another disk.
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    rmSync(from, { force: true })
  }
  syncFile(to)
}

function keepCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Not every file system has links.
    copyFileSync(from, to)
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What an AppImage's start adds to the environment of its program: of the old one's, which is gone by then. */
const ofOldStart = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

/**
 * Starts a program once this process has ended, which holds the profile until then. Electron's own restart would run from
 * the AppImage's old file system.
 */
export function startAfterEnd(program: string, args: readonly string[]): void {
  const wait = 'pid=$1; shift; while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done; exec "$@"'
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOldStart.has(name)))
  spawn('/bin/sh', ['-c', wait, 'sh', String(process.pid), program, ...args], {
    cwd: dirname(program),
    detached: true,
    env,
    stdio: 'ignore',
  }).unref()
}
