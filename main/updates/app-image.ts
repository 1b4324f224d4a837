import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { delimiter, dirname } from 'node:path'
import * as v from 'valibot'
import { startDetachedShell } from '../base/detached-shell'
import type { Log } from '../base/log'
import { errorCode, statFile, readOwnFile } from '../base/own-file'
import { syncFile, syncFolder } from '../base/sync-file'
import { readPublished } from './downloaded-file'
import { updateProblem } from './update-problem'

const recordSchema = v.object({
  /** Installed, but not confirmed to start yet. */
  pending: v.optional(
    v.object({
      from: v.string(),
      to: v.string(),
      path: v.string(),
      /** Starts that failed, including the current one until it is confirmed. */
      starts: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
  ),
  /** Rolled back. */
  refused: v.optional(v.object({ version: v.string(), isSaid: v.boolean() })),
  /** Could not be installed, and why. Kept until it was shown to the user. */
  failed: v.optional(v.object({ version: v.string(), why: v.string() })),
})
type UpdateRecord = v.InferOutput<typeof recordSchema>

interface Options {
  /** The file that the app runs from. */
  path: string
  /** Version of the running app. */
  version: string
  /** File that records what was installed and how it starts. */
  recordPath: string
  log: Log
}

/** A new version may end this often before its window appears. */
const maxFailedStarts = 2

/**
 * The file of the running AppImage, and its replacement. A new version takes its name, so that everything that starts
 * it still finds it. The old file is kept beside it until the new version has started, and is restored if it does not.
 * Everything is synchronous, because it runs before the app exists and after it has ended. Only `replace` throws: a
 * disk error must not prevent a start or an exit.
 */
export class AppImage {
  readonly #options: Options
  /** Identity of the file that the app runs from. The user may replace the file. */
  readonly #started: string | undefined
  /** A start counts as failed until the app confirms it. */
  #isUnconfirmed = false

  constructor(options: Options) {
    this.#options = options
    this.#started = identityOf(options.path)
  }

  get path(): string {
    return this.#options.path
  }

  /** A version that was rolled back because it did not start, and whether the user was told. */
  get refused(): UpdateRecord['refused'] {
    return this.#read().refused
  }

  /** A version that could not be installed, and why, until `problemsShown`. */
  get failed(): UpdateRecord['failed'] {
    const { failed } = this.#read()
    // The user has installed it by hand.
    return failed?.version === this.#options.version ? undefined : failed
  }

  /**
   * Replaces the running file by a downloaded one, completely or not at all. Throws if the disk refuses, another file
   * has taken the place, the published hash does not match, or the new file does not start. `failed` then has the
   * reason.
   */
  replace(downloaded: string, { version, sha512 }: { version: string; sha512: string }): void {
    const { path, version: from } = this.#options
    const { refused } = this.#read()
    const staged = `${path}.new`
    try {
      if (identityOf(path) !== this.#started) throw new Error('another file was put in the place of the running one')
      copyPublished(downloaded, staged, sha512)
      tryStart(staged)
      rmSync(this.#previous, { force: true })
      keepCopy(path, this.#previous)
      this.#write({ pending: { from, to: version, path, starts: 0 } })
      renameSync(staged, path)
      syncFolder(dirname(path))
      rmSync(downloaded, { force: true })
    } catch (error) {
      this.#try(() => {
        rmSync(staged, { force: true })
        const failed = { version, why: updateProblem(error, 'install') }
        // A version that does not start is not downloaded again.
        const nowRefused = error instanceof DoesNotStart ? { version, isSaid: true } : refused
        this.#write({ refused: nowRefused, failed })
      })
      throw error
    }
  }

  /**
   * Counts a start of this version. Returns true if it has failed too often since it was installed: the previous file
   * is restored and must be started instead.
   */
  countStart(): boolean {
    let isTakenBack = false
    this.#try(() => {
      const { path, version } = this.#options
      const record = this.#read()
      const { pending } = record
      if (pending?.path !== path) return
      // The new file was never installed, or the user has restored the old one.
      if (pending.from === version) this.#forget()
      else if (pending.starts >= maxFailedStarts && existsSync(this.#previous)) {
        renameSync(this.#previous, path)
        syncFolder(dirname(path))
        this.#write({ refused: { version, isSaid: false } })
        isTakenBack = true
      } else {
        this.#write({ ...record, pending: { ...pending, starts: pending.starts + 1 } })
        this.#isUnconfirmed = true
      }
    })
    return isTakenBack
  }

  /** Call when this start counts as successful, however it ends: the window is there, or the user quits. */
  startSucceeded(): void {
    if (!this.#isUnconfirmed) return
    this.#isUnconfirmed = false
    this.#try(() => {
      const record = this.#read()
      const { pending } = record
      if (pending !== undefined)
        this.#write({ ...record, pending: { ...pending, starts: Math.max(0, pending.starts - 1) } })
    })
  }

  /** Call when this version works. The previous one is deleted. */
  confirmStart(): void {
    this.#try(() => {
      const { pending } = this.#read()
      // The version in the list may differ from the file's own.
      if (pending?.path === this.#options.path && pending.from !== this.#options.version) this.#forget()
    })
  }

  /** Call when the user has seen that a version was rolled back or not installed. */
  problemsShown(): void {
    this.#try(() => {
      const { failed, ...record } = this.#read()
      const { refused } = record
      if (failed === undefined && refused?.isSaid !== false) return
      if (refused === undefined && record.pending === undefined) rmSync(this.#options.recordPath, { force: true })
      else this.#write({ ...record, refused: refused && { ...refused, isSaid: true } })
    })
  }

  #try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#options.log.error('The record of the update could not be kept', { error: String(error) })
    }
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
      const read = v.safeParse(recordSchema, JSON.parse(readOwnFile(recordPath)))
      return read.success ? read.output : {}
    } catch {
      // A damaged record is ignored, so nothing is rolled back.
      return {}
    }
  }

  #write(record: UpdateRecord): void {
    const staged = `${this.#options.recordPath}.new`
    statFile(staged)
    writeFileSync(staged, JSON.stringify(record))
    syncFile(staged)
    renameSync(staged, this.#options.recordPath)
    syncFolder(dirname(staged))
  }
}

/** Distinguishes files of the same name. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino} ${stat.mtimeMs} ${stat.size}`
}

/** Copies while checking, so that the file that starts is the file that was checked. Throws like `readPublished`. */
function copyPublished(from: string, to: string, sha512: string): void {
  rmSync(to, { force: true })
  const file = openSync(to, 'wx', 0o755)
  try {
    readPublished(from, sha512, (piece) => {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at)
    })
    // The mode above is reduced by the user's mask.
    fchmodSync(file, 0o755)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

class DoesNotStart extends Error {
  readonly code = 'ERR_DOES_NOT_START'
}

/** Many times what a start takes on a slow machine. */
const trialTimeoutMs = 30_000

/**
 * Runs the new file with `--version`. A file that cannot run at all could not count its failed starts later. Throws if
 * it does not succeed.
 */
function tryStart(path: string): void {
  // Without this, a start by root would end before it prints anything.
  const asRoot = process.argv.includes('--no-sandbox') ? ['--no-sandbox'] : []
  const { status, error } = spawnSync(path, ['--version', '--ozone-platform=headless', ...asRoot], {
    env: environmentOutside(process.env),
    stdio: 'ignore',
    timeout: trialTimeoutMs,
    killSignal: 'SIGKILL',
  })
  if (error !== undefined && errorCode(error) === 'ETIMEDOUT') throw error
  if (status !== 0) throw new DoesNotStart(`the new file does not start: ${error?.message ?? `code ${status}`}`)
}

function keepCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Not every file system has hard links.
    copyFileSync(from, to)
  }
}

/** Variables that an AppImage's start adds. They belong to the old start, whose folder is gone. */
const ofOldStart = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

/**
 * The environment without what the AppImage's start added. Its folder is deleted when it ends. Another user could
 * create one of that name to have his programs and libraries run.
 */
export function environmentOutside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = env['APPDIR'] ?? ''
  const isOutside = (part: string) => folder === '' || (part !== folder && !part.startsWith(`${folder}/`))
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => !ofOldStart.has(name))
      .flatMap(([name, value = '']) => {
        const parts = value.split(delimiter).filter(isOutside)
        return parts.length === 0 ? [] : [[name, parts.join(delimiter)]]
      }),
  )
}

/**
 * Starts a program after this process has ended, which holds the profile until then. Electron's relaunch would run from
 * the old mounted AppImage.
 */
export function startAfterEnd(program: string, args: readonly string[]): void {
  const wait = 'pid=$1; shift; while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done; exec "$@"'
  const env = environmentOutside(process.env)
  const cwd = dirname(program)
  startDetachedShell(wait, { args: [String(process.pid), program, ...args], env, cwd, input: 'ignore' })
}
