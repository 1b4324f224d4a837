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
import { errorCode, lookAtFile, readOwnFile } from '../base/own-file'
import { syncFile, syncFolder } from '../base/sync-file'
import { readPublished } from './downloaded-file'
import { updateProblem } from './update-problem'

const recordSchema = v.object({
  /** Installed, and not known yet to start. */
  pending: v.optional(
    v.object({
      from: v.string(),
      to: v.string(),
      path: v.string(),
      /** How many of its starts have failed, or may yet. */
      starts: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
  ),
  /** Taken back. */
  refused: v.optional(v.object({ version: v.string(), isSaid: v.boolean() })),
  /** Could not be put in place, and why; until the user has been shown so. */
  failed: v.optional(v.object({ version: v.string(), why: v.string() })),
})
type UpdateRecord = v.InferOutput<typeof recordSchema>

interface Options {
  /** The file that the app runs from. */
  path: string
  /** Of the running app. */
  version: string
  /** Where it is kept what was installed and how it starts. */
  recordPath: string
  log: Log
}

/** So many starts of a new version may end by themselves before its window is there. */
const maxFailedStarts = 2

/**
 * The one file that an AppImage is. A new version takes its name, so that whatever starts it finds it; the old one stays
 * beside until the new one has started well, and comes back where it does not. All is synchronous: it happens before the
 * app is there and after it has ended. Nothing here but `replace` throws: a disk that refuses ends no start and no exit.
 */
export class AppImage {
  readonly #options: Options
  /** Which file the app runs from: its user may put another one there meanwhile. */
  readonly #started: string | undefined
  /** This start counts as one that failed until something speaks for it. */
  #isInDoubt = false

  constructor(options: Options) {
    this.#options = options
    this.#started = identityOf(options.path)
  }

  get path(): string {
    return this.#options.path
  }

  /** A version that did not start and was taken back, with whether the user has been shown so. */
  get refused(): UpdateRecord['refused'] {
    return this.#read().refused
  }

  /** A version that could not be put in place, and why in plain words, until `problemsShown`. */
  get failed(): UpdateRecord['failed'] {
    const { failed } = this.#read()
    // Its user has put it there meanwhile.
    return failed?.version === this.#options.version ? undefined : failed
  }

  /**
   * Puts a downloaded file in the place of the running one, whole or not at all. Throws where the disk refuses, where
   * another file lies there by now, where the downloaded file has not its published hash any more, and where it does not
   * start; `failed` says so from then on.
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
        // One that does not start is not downloaded again.
        const nowRefused = error instanceof DoesNotStart ? { version, isSaid: true } : refused
        this.#write({ refused: nowRefused, failed })
      })
      throw error
    }
  }

  /**
   * Notes that this version starts. Answers `true` where it has failed too often since it was installed: the previous
   * file is back in its place, to be started instead.
   */
  noteStart(): boolean {
    let isTakenBack = false
    this.#try(() => {
      const { path, version } = this.#options
      const record = this.#read()
      const { pending } = record
      if (pending?.path !== path) return
      // The new file was never put in place, or its user has put the old one back.
      if (pending.from === version) this.#forget()
      else if (pending.starts >= maxFailedStarts && existsSync(this.#previous)) {
        renameSync(this.#previous, path)
        syncFolder(dirname(path))
        this.#write({ refused: { version, isSaid: false } })
        isTakenBack = true
      } else {
        this.#write({ ...record, pending: { ...pending, starts: pending.starts + 1 } })
        this.#isInDoubt = true
      }
    })
    return isTakenBack
  }

  /** This start has not failed, however it ends: its window is there, or its user ends it. */
  startDidNotFail(): void {
    if (!this.#isInDoubt) return
    this.#isInDoubt = false
    this.#try(() => {
      const record = this.#read()
      const { pending } = record
      if (pending !== undefined)
        this.#write({ ...record, pending: { ...pending, starts: Math.max(0, pending.starts - 1) } })
    })
  }

  /** This version runs well: the previous one is not needed any more. */
  confirmStart(): void {
    this.#try(() => {
      const { pending } = this.#read()
      // The list may call the version otherwise than the file calls itself.
      if (pending?.path === this.#options.path && pending.from !== this.#options.version) this.#forget()
    })
  }

  /** The user has been shown that a version was taken back or could not be put in place. */
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
      // Damaged: nothing is known, so nothing is taken back.
      return {}
    }
  }

  #write(record: UpdateRecord): void {
    const staged = `${this.#options.recordPath}.new`
    lookAtFile(staged)
    writeFileSync(staged, JSON.stringify(record))
    syncFile(staged)
    renameSync(staged, this.#options.recordPath)
    syncFolder(dirname(staged))
  }
}

/** Another file of the same name has another one. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino} ${stat.mtimeMs} ${stat.size}`
}

/** Copies while it checks, so that what is started is what was checked. Throws as `readPublished` does. */
function copyPublished(from: string, to: string, sha512: string): void {
  rmSync(to, { force: true })
  const file = openSync(to, 'wx', 0o755)
  try {
    readPublished(from, sha512, (piece) => {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at)
    })
    // The mode above is without what the user's mask takes away.
    fchmodSync(file, 0o755)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

class DoesNotStart extends Error {
  readonly code = 'ERR_DOES_NOT_START'
}

/** What a start takes on a slow machine, many times over. */
const trialTimeoutMs = 30_000

/**
 * Has the new file say its version. One that cannot run at all could not count its own failed starts later. Throws where it
 * does not say it.
 */
function tryStart(path: string): void {
  // Without a sandbox root's starts end before they say anything.
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
    // Not every file system has links.
    copyFileSync(from, to)
  }
}

/** What an AppImage's start adds to the environment of its program: of the old one's, which is gone by then. */
const ofOldStart = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

/**
 * The environment as it was before the AppImage's start. Its folder is gone when it ends, and whoever makes one of that
 * name would have his programs and libraries run.
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
 * Starts a program once this process has ended, which holds the profile until then. Electron's own restart would run from
 * the AppImage's old file system.
 */
export function startAfterEnd(program: string, args: readonly string[]): void {
  const wait = 'pid=$1; shift; while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done; exec "$@"'
  const env = environmentOutside(process.env)
  const cwd = dirname(program)
  startDetachedShell(wait, { args: [String(process.pid), program, ...args], env, cwd, input: 'ignore' })
}
