import { constants } from 'node:fs'
import { access, copyFile, lstat, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { ok, failure, type Failure, type Outcome, type Problem } from '../../core/model'
import { within, type Clock } from '../base/clock'
import type { Log } from '../base/log'
import { errorCode, lookAtFile, placeAside, SpecialFile } from '../base/own-file'
import { Turns } from '../base/turns'
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
  /** A sentence the user should read once. */
  onNotice: (message: string) => void
  /** It is open now, or cannot be opened, or cannot be written to: `trouble` says which. */
  onChange: () => void
  /** A new database was begun in the place of one that is gone, which had no backup. */
  onLost: () => void
}

interface Waiting {
  request: ThreadRequest
  answer: (outcome: Outcome<unknown>) => void
  /** How many threads have ended with this unanswered. */
  endings: number
}

type State = 'opening' | 'open' | 'refused' | 'closed'

/** A request that two threads did not survive is not put to a third. */
const maxEndings = 2
/** Until a database that cannot be opened, or written to, is tried again: twice as long each time. */
const retry = { firstMs: 1_000, maxMs: { refused: 15_000, open: 120_000 } }
const backups = { everyMs: 86_400_000, checkMs: 3_600_000, firstMs: 60_000 }
const closeTimeoutMs = 1_500

/**
 * Keeps one database open in a thread: starts the thread, starts it again when it ends by itself, asks again what it had
 * not answered, sets a damaged database aside and takes its backup, and makes that backup once a day.
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
  /** The thread is asked to end, so that another one opens the database anew. */
  #isReopening = false
  /** Runs once the first attempt to open has ended, either way. */
  #onSettled: (() => void)[] = []
  #cancelBackup: (() => void) | undefined
  /** By the monotonic clock; not known before the first look at the backup. */
  #backupDueMs: number | undefined
  readonly #backups = new Turns()
  #hasSaidNoBackup = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Why the database cannot be opened, or nothing written to it; `undefined` while it can, and until it was tried. */
  get trouble(): HistoryTrouble | undefined {
    if (this.#refusal !== undefined) return { isOpen: false, problem: this.#refusal }
    return this.#access === 'readWrite' ? undefined : { isOpen: true, problem: notWritable[this.#access].problem }
  }

  /** Done when the database is open, or cannot be opened. */
  async open(): Promise<void> {
    const settled = new Promise<void>((resolve) => this.#onSettled.push(resolve))
    if (await isGone(this.#options.path)) void this.#repair('An earlier run had this file.', 'missing')
    else this.#start(false)
    await settled
  }

  /** Asks the thread; what is asked while it opens is asked then, unless it could not be opened before. */
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

  /** Done when everything asked before is answered and the database is closed. */
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
    await within(ended, { clock: this.#options.clock, timeoutMs: closeTimeoutMs }, () => undefined)
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
        // What the user has cleared is to be gone from the backup too.
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
    // To be read it may have been copied: that is not done all the time.
    this.#retryMs = Math.min(this.#retryMs * 2, retry.maxMs[this.#state === 'open' ? 'open' : 'refused'])
  }

  async #tryAgain(): Promise<void> {
    if (this.#state === 'refused') {
      this.#start(false)
      return
    }
    // Opening it may take a copy of it: only where there is hope.
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

  /** The thread ended by itself: another one takes its place, and what it had not answered. */
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
    // One that cannot even start would not start the next time either.
    if (wasOpen) this.#start(false)
    else void this.#refuse(failure('internal', 'The thread of the history ended while it opened.').problem)
  }

  /** It cannot be opened as things are, and is tried again for as long as it takes. */
  async #refuse(reported: Problem): Promise<void> {
    const { path, log, onChange } = this.#options
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
    // What SQLite cannot put beside the database it calls an error of the disk.
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

  /** Sets a damaged database aside, puts the backup in its place, and goes on with what was asked. */
  async #repair(damage: string, fault: 'damaged' | 'missing'): Promise<void> {
    const { path, clock, log, onNotice, onLost } = this.#options
    const thread = this.#thread
    this.#thread = undefined
    this.#state = 'opening'
    log.error(`The history is ${fault}`, { damage })
    // Only then does nobody hold the files any more.
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
    // By the computer's clock at the start alone: one that is set later makes no backup due, and keeps none from being made.
    const agoMs = made === undefined ? backups.everyMs : Math.abs(clock.wallMs() - made.mtimeMs)
    this.#backupDueMs ??= clock.monotonicMs() + Math.max(0, backups.everyMs - agoMs)
    if (made === undefined || clock.monotonicMs() >= this.#backupDueMs) await this.#backUp()
  }

  #backUp(): Promise<void> {
    return this.#backups.run(() => this.#runBackup())
  }

  /** In a thread of its own: nobody waits for it. */
  async #runBackup(): Promise<void> {
    const { path, bounds, clock, startThread } = this.#options
    const backupPath = backupPathOf(path)
    const thread = startThread({ task: 'backup', path, backupPath, bounds: bounds() })
    await new Promise<void>((resolve) => {
      thread.on('message', (reply: ThreadReply) => {
        if (reply.kind !== 'backup') return
        const { outcome } = reply
        if (!outcome.ok) this.#sayNoBackup(noBackupNotice(this.#name, outcome.problem))
        else {
          this.#backupDueMs = clock.monotonicMs() + backups.everyMs
          if (!outcome.value) this.#sayNoBackup(keptBackupNotice(this.#name, basename(backupPath)))
        }
      })
      thread.on('error', (error) => this.#options.log.warn('The thread of the backup failed', { error: String(error) }))
      thread.once('exit', resolve)
    })
  }

  #sayNoBackup(message: string): void {
    this.#options.log.warn('The history has no new backup', { reason: message })
    if (!this.#hasSaidNoBackup) this.#options.onNotice(message)
    this.#hasSaidNoBackup = true
  }
}

/** Moves the database out of the way, and answers the name it has there. Throws the system's error. */
async function setAside(path: string, nowMs: number): Promise<string> {
  const aside = await placeAside(path, 'damaged', nowMs)
  await rename(path, aside)
  // The journal belongs to it: whoever repairs it by hand needs both, and written into the backup it would damage that.
  for (const end of ['-wal', '-journal']) {
    await rename(path + end, aside + end).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  await rm(`${path}-shm`, { force: true })
  return basename(aside)
}

/** Puts the backup in the place of the database; the backup itself is used up. Answers when it was made. */
async function takeBackup(path: string): Promise<Outcome<number>> {
  const backup = backupPathOf(path)
  const made = await stat(backup).catch(() => undefined)
  if (made === undefined) return failure('unreadable', 'There was no good backup.')
  if (!made.isFile()) return failure('unreadable', new SpecialFile(backup, made).message)
  const part = `${path}.part`
  lookAtFile(part)
  await rm(part, { force: true })
  await copyFile(backup, part, constants.COPYFILE_EXCL)
  await rename(part, path)
  // Should it be damaged as well, the next attempt begins a new one.
  await rename(backup, `${backup}.used`)
  return ok(made.mtimeMs)
}

/** Whether an earlier run had a database there. A link to where nothing is yet is no such thing. */
async function isGone(path: string): Promise<boolean> {
  const isThere = (name: string) => stat(name).then(Boolean, () => false)
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined) return found.isFile() && found.size === 0 && (await isThere(backupPathOf(path)))
  return (await isThere(backupPathOf(path))) || (await isThere(lockPathOf(path)))
}

/** SQLite puts 32 KiB beside a database that it opens. */
const minRoomBytes = 65_536

async function hasNoRoom(path: string): Promise<boolean> {
  const room = await statfs(path).catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize < minRoomBytes
}

/** Whether a database there can be written to: its file, and the folder for what lies beside it. */
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
