import { constants } from 'node:fs'
import { access, copyFile, lstat, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { ok, failure, type Failure, type Outcome, type Problem } from '../../core/model'
import { withTimeout, type Clock } from '../base/clock'
import type { Log } from '../base/log'
import { errorCode, statFile, placeAside, SpecialFile } from '../base/own-file'
import { SerialTasks } from '../base/serial-tasks'
import type { HistoryBounds, HistoryTrouble } from './contract'
import {
  backupPathOf,
  lockPathOf,
  type HistoryAccessMode,
  type ThreadReply,
  type ThreadRequest,
  type ThreadTask,
} from './thread'

interface Options {
  path: string
  clock: Clock
  log: Log
  bounds: () => HistoryBounds
  startThread: (task: ThreadTask) => Worker
  /** A sentence to show the user once. */
  onNotice: (message: string) => void
  /** `trouble` may have changed: the database was opened, could not be opened, or cannot be written to. */
  onChange: () => void
  /** The database was missing and had no backup. A new one was created. */
  onLost: () => void
}

interface Waiting {
  request: ThreadRequest
  answer: (outcome: Outcome<unknown>) => void
  /** How many threads ended without answering this request. */
  endings: number
}

type State = 'opening' | 'open' | 'refused' | 'closed'

/** A request during which two threads ended is not sent to a third. */
const maxEndings = 2
/** Delay before retrying a database that cannot be opened or written to. It doubles each time up to the maximum. */
const retry = { firstMs: 1_000, maxMs: { refused: 15_000, open: 120_000 } }
const backups = { everyMs: 86_400_000, checkMs: 3_600_000, firstMs: 60_000 }
const closeTimeoutMs = 1_500

/**
 * Keeps one database open in a thread. It restarts the thread, repeats unanswered requests, replaces a damaged database
 * with its backup, and makes the backup once a day.
 */
export class HistorySupervisor {
  readonly #options: Options
  readonly #waiting = new Map<number, Waiting>()
  #state: State = 'opening'
  #access: HistoryAccessMode = 'readWrite'
  #thread: Worker | undefined
  #count = 0
  #refusal: Problem | undefined
  #retryMs = retry.firstMs
  #cancelRetry: (() => void) | undefined
  /** The thread was told to end so that another one reopens the database. */
  #isReopening = false
  /** Called when the first attempt to open has succeeded or failed. */
  #onSettled: (() => void)[] = []
  #cancelBackup: (() => void) | undefined
  /** Monotonic time. Undefined until the backup's age has been read. */
  #backupDueMs: number | undefined
  readonly #backups = new SerialTasks()
  #hasReportedNoBackup = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Why the database cannot be opened or written to. Undefined while it can, and before the first attempt. */
  get trouble(): HistoryTrouble | undefined {
    if (this.#refusal !== undefined) return { isOpen: false, problem: this.#refusal }
    return this.#access === 'readWrite' ? undefined : { isOpen: true, problem: notWritable[this.#access].problem }
  }

  /** Resolves when the database is open or cannot be opened. */
  async open(): Promise<void> {
    const settled = new Promise<void>((resolve) => this.#onSettled.push(resolve))
    if (await isGone(this.#options.path)) void this.#repair('An earlier run had this file.', 'missing')
    else this.#start(false)
    await settled
  }

  /**
   * Sends a request to the thread. While the database is opening the request waits. After a failed attempt it is
   * refused.
   */
  ask(request: ThreadRequest): Promise<Outcome<unknown>> {
    if (this.#state === 'closed') return Promise.resolve(failure('notReady', 'The history is closed.'))
    if (this.#refusal !== undefined) return Promise.resolve({ ok: false, problem: this.#refusal })
    return new Promise((answer) => {
      const number = ++this.#count
      const waiting = { request, answer, endings: 0 }
      this.#waiting.set(number, waiting)
      if (this.#state === 'open') this.#post(number, waiting)
    })
  }

  /** Resolves when all earlier requests are answered and the database is closed. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#cancelBackup?.()
    this.#cancelRetry?.()
    const thread = this.#thread
    if (this.#state !== 'open' || thread === undefined) {
      this.#end(failure('notReady', 'The history is closed.').problem)
      await thread?.terminate()
      return
    }
    const ended = new Promise<void>((resolve) => thread.once('exit', resolve))
    void this.ask({ do: 'close' })
    this.#state = 'closed'
    await withTimeout(ended, { clock: this.#options.clock, timeoutMs: closeTimeoutMs }, () => undefined)
    this.#end(failure('notReady', 'The history is closed.').problem)
    await thread.terminate()
  }

  #start(isToBeChecked: boolean): void {
    const { path, bounds, startThread } = this.#options
    this.#state = 'opening'
    const thread = startThread({ task: 'serve', path, bounds: bounds(), isToBeChecked })
    this.#thread = thread
    thread.on('message', (reply: ThreadReply) => {
      if (thread === this.#thread) this.#take(reply)
    })
    thread.on('error', (error) => this.#options.log.error('The thread of the history failed', { error: String(error) }))
    thread.on('exit', () => {
      if (thread === this.#thread) this.#ended()
    })
  }

  #take(reply: ThreadReply): void {
    switch (reply.kind) {
      case 'opened':
        this.#opened(reply.access)
        return
      case 'refused':
        if (reply.reason === 'damaged') void this.#repair(reply.problem.message, 'damaged')
        else void this.#refuse(reply.problem)
        return
      case 'damaged':
        void this.#repair(reply.message, 'damaged')
        return
      case 'tidyingFailed':
        this.#options.log.warn('The history could not be tidied up', { problem: reply.message })
        return
      case 'answer': {
        const waiting = this.#waiting.get(reply.number)
        this.#waiting.delete(reply.number)
        waiting?.answer(reply.outcome)
        // Data that the user cleared must leave the backup too.
        if (waiting?.request.do === 'query' && waiting.request.name === 'clearBefore') void this.#backUp()
        return
      }
      case 'backup':
    }
  }

  #opened(access: HistoryAccessMode): void {
    const wasAccess = this.#access
    this.#state = 'open'
    this.#access = access
    this.#refusal = undefined
    this.#options.log.info('The history is open', { file: this.#name, access })
    if (access !== wasAccess && access === 'readOnly') this.#options.onNotice(readOnlyNotice(this.#name))
    for (const [number, waiting] of this.#waiting) this.#post(number, waiting)
    this.#settle()
    this.#options.onChange()
    if (access !== 'readWrite') this.#retryLater()
    else {
      this.#retryMs = retry.firstMs
      this.#planBackup(backups.firstMs)
    }
  }

  #retryLater(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = this.#options.clock.after(this.#retryMs, () => void this.#tryAgain())
    // Reading may require a copy of the database, so the retries are spaced out.
    this.#retryMs = Math.min(this.#retryMs * 2, retry.maxMs[this.#state === 'open' ? 'open' : 'refused'])
  }

  async #tryAgain(): Promise<void> {
    if (this.#state === 'refused') {
      this.#start(false)
      return
    }
    // Reopening may require a copy of the database, so it is tried only if the file is writable.
    const isWritable = await canWrite(this.#options.path)
    if (this.#state !== 'open') return
    if (!isWritable) {
      this.#retryLater()
      return
    }
    void this.ask({ do: 'close' })
    this.#isReopening = true
    this.#state = 'opening'
  }

  #post(number: number, { request, endings }: Waiting): void {
    const isRepeat = endings > 0
    const sent = request.do === 'commit' && isRepeat ? { ...request, isRepeat } : request
    this.#thread?.postMessage({ number, request: sent })
  }

  /** Starts another thread after one ended unexpectedly, and repeats its unanswered requests. */
  #ended(): void {
    this.#thread = undefined
    if (this.#state === 'closed') return
    if (this.#isReopening) {
      this.#isReopening = false
      this.#start(false)
      return
    }
    const wasOpen = this.#state === 'open'
    for (const [number, waiting] of this.#waiting) {
      if (wasOpen) waiting.endings++
      if (waiting.endings < maxEndings) continue
      this.#waiting.delete(number)
      waiting.answer(failure('internal', 'The history could not answer. The log says more.'))
    }
    // A thread that failed while opening would fail again.
    if (wasOpen) this.#start(false)
    else void this.#refuse(failure('internal', 'The thread of the history ended while it opened.').problem)
  }

  /** Refuses requests while the database cannot be opened, and keeps retrying. */
  async #refuse(reported: Problem): Promise<void> {
    const { path, log, onChange } = this.#options
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
    // SQLite reports a disk error if it cannot create the files beside the database.
    const isFull = reported.code === 'notSaved' && (await hasNoRoom(path))
    const problem = isFull ? failure('diskFull', 'The disk is full.').problem : reported
    if (this.#state === 'closed') return
    this.#state = 'refused'
    if (this.#refusal?.message !== problem.message) {
      log.error('The history could not be opened', { problem: problem.message })
    }
    this.#refusal = problem
    for (const [number, waiting] of this.#waiting) {
      this.#waiting.delete(number)
      waiting.answer({ ok: false, problem })
    }
    this.#settle()
    onChange()
    this.#retryLater()
  }

  /** Sets a damaged database aside, restores the backup, and repeats the unanswered requests. */
  async #repair(damage: string, fault: 'damaged' | 'missing'): Promise<void> {
    const { path, clock, log, onNotice, onLost } = this.#options
    const thread = this.#thread
    this.#thread = undefined
    this.#state = 'opening'
    log.error(`The history is ${fault}`, { damage })
    // The files are released only when the thread has ended.
    await thread?.terminate()
    try {
      const kept = fault === 'missing' ? '' : ` The damaged file is kept as ${await setAside(path, clock.wallMs())}.`
      const backup = await takeBackup(path)
      const was = `The history ${this.#name} was ${fault}`
      onNotice((backup.ok ? restoredNotice(was, backup.value) : lostNotice(was, backup.problem)) + kept)
      if (!backup.ok) onLost()
    } catch (error) {
      await this.#refuse(failure('unreadable', `It is damaged and could not be set aside: ${String(error)}`).problem)
      return
    }
    if (!this.#isClosed) this.#start(true)
  }

  get #isClosed(): boolean {
    return this.#state === 'closed'
  }

  get #name(): string {
    return basename(this.#options.path)
  }

  #settle(): void {
    for (const done of this.#onSettled) done()
    this.#onSettled = []
  }

  #end(problem: Problem): void {
    this.#state = 'closed'
    for (const { answer } of this.#waiting.values()) answer({ ok: false, problem })
    this.#waiting.clear()
    this.#settle()
  }

  #planBackup(delayMs: number): void {
    this.#cancelBackup?.()
    this.#cancelBackup = this.#options.clock.after(
      delayMs,
      () =>
        void this.#backUpWhenDue().finally(() => {
          if (this.#state === 'open') this.#planBackup(backups.checkMs)
        }),
    )
  }

  async #backUpWhenDue(): Promise<void> {
    const { path, clock } = this.#options
    const made = await stat(backupPathOf(path)).catch(() => undefined)
    // The wall clock is used only here, at the start. A clock that is changed later neither triggers nor blocks a
    // backup.
    const agoMs = made === undefined ? backups.everyMs : Math.abs(clock.wallMs() - made.mtimeMs)
    this.#backupDueMs ??= clock.monotonicMs() + Math.max(0, backups.everyMs - agoMs)
    if (made === undefined || clock.monotonicMs() >= this.#backupDueMs) await this.#backUp()
  }

  #backUp(): Promise<void> {
    return this.#backups.run(() => this.#runBackup())
  }

  /** Runs in its own thread, because no caller waits for it. */
  async #runBackup(): Promise<void> {
    const { path, bounds, clock, startThread } = this.#options
    const backupPath = backupPathOf(path)
    const thread = startThread({ task: 'backup', path, backupPath, bounds: bounds() })
    await new Promise<void>((resolve) => {
      thread.on('message', (reply: ThreadReply) => {
        if (reply.kind !== 'backup') return
        const { outcome } = reply
        if (!outcome.ok) this.#reportNoBackup(noBackupNotice(this.#name, outcome.problem))
        else {
          this.#backupDueMs = clock.monotonicMs() + backups.everyMs
          if (!outcome.value) this.#reportNoBackup(keptBackupNotice(this.#name, basename(backupPath)))
        }
      })
      thread.on('error', (error) => this.#options.log.warn('The thread of the backup failed', { error: String(error) }))
      thread.once('exit', resolve)
    })
  }

  #reportNoBackup(message: string): void {
    this.#options.log.warn('The history has no new backup', { reason: message })
    if (!this.#hasReportedNoBackup) this.#options.onNotice(message)
    this.#hasReportedNoBackup = true
  }
}

/** Renames the database and returns its new name. Throws the system's error. */
async function setAside(path: string, nowMs: number): Promise<string> {
  const aside = await placeAside(path, 'damaged', nowMs)
  await rename(path, aside)
  // The journal belongs to the damaged database and is needed to repair it. SQLite would apply it to the restored
  // backup and damage that.
  for (const suffix of ['-wal', '-journal']) {
    await rename(path + suffix, aside + suffix).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  await rm(`${path}-shm`, { force: true })
  return basename(aside)
}

/** Moves the backup to the place of the database. Returns when the backup was made. */
async function takeBackup(path: string): Promise<Outcome<number>> {
  const backup = backupPathOf(path)
  const made = await stat(backup).catch(() => undefined)
  if (made === undefined) return failure('unreadable', 'There was no good backup.')
  if (!made.isFile()) return failure('unreadable', new SpecialFile(backup, made).message)
  const part = `${path}.part`
  statFile(part)
  await rm(part, { force: true })
  await copyFile(backup, part, constants.COPYFILE_EXCL)
  await rename(part, path)
  // If the backup is damaged too, the next attempt creates a new database.
  await rename(backup, `${backup}.used`)
  return ok(made.mtimeMs)
}

/**
 * True if a database existed here in an earlier run and is missing now. A link whose target does not exist does not
 * count.
 */
async function isGone(path: string): Promise<boolean> {
  const isThere = (name: string) => stat(name).then(Boolean, () => false)
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined) return found.isFile() && found.size === 0 && (await isThere(backupPathOf(path)))
  return (await isThere(backupPathOf(path))) || (await isThere(lockPathOf(path)))
}

/** SQLite creates a file of 32 KiB beside a database that it opens. */
const minRoomBytes = 65_536

async function hasNoRoom(path: string): Promise<boolean> {
  const room = await statfs(path).catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize < minRoomBytes
}

/** True if the database file and its folder are writable. */
async function canWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK)
    await access(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

const notWritable = {
  newer: failure('newerVersion', 'The history was written by a newer version. Update Indexwatch.'),
  readOnly: failure('readOnly', 'The history cannot be written to.'),
} satisfies Record<Exclude<HistoryAccessMode, 'readWrite'>, Failure>

function restoredNotice(was: string, madeAtMs: number): string {
  const made = new Date(madeAtMs).toISOString().slice(0, 16).replace('T', ' ')
  return `${was}. Its backup of ${made} UTC is in use. Check your alerts.`
}

function lostNotice(was: string, { message }: Problem): string {
  return `${was}. ${message} Indexwatch began a new history. Create your alerts again.`
}

function keptBackupNotice(name: string, backup: string): string {
  return `The history ${name} has less than half the values of its backup. The backup ${backup} was not overwritten. To use it, quit Indexwatch and replace ${name} with it.`
}

function noBackupNotice(name: string, { message }: Problem): string {
  return `The history ${name} has no new backup. ${message}`
}

function readOnlyNotice(name: string): string {
  return `The history ${name} is not writable, so nothing is recorded. Check the disk and the file’s permissions.`
}
