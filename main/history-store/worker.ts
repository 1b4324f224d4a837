/** The database thread. It opens the database, serves one message at a time, and tidies up in between. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { ok, failure, type Outcome } from '../../core/model'
import { statFile, makePrivate } from '../base/own-file'
import type { QuickQuery } from './queries'
import { makeBackup } from './backup'
import type { Queries, HistoryBounds } from './contract'
import { databaseCode, databaseProblem, isDamage } from './problems'
import {
  checkIntegrity,
  checkVersion,
  openDatabase,
  openForReading,
  prepareSchema,
  schemaVersion,
  UnfitDatabase,
  useJournal,
  type HistoryDatabase,
} from './schema'
import { HistoryTables } from './tables'
import {
  backupPathOf,
  type BackupTask,
  lockPathOf,
  type HistoryAccessMode,
  type ThreadReply,
  type ThreadRequest,
  type ThreadTask,
} from './thread'
import type { Steps } from './tidying'

const tidyEveryMs = 10 * 60_000
const tidySoonMs = 1_000
/** Pause between two steps of tidying, in which messages are served. */
const stepPauseMs = 20

/** A migrated read-only copy of a file that cannot be written to. It is deleted when this thread ends. */
function openCopy(path: string): HistoryDatabase {
  let folder: string | undefined
  try {
    const suffixes = ['', '-wal'].filter((each) => existsSync(path + each))
    const bytes = suffixes.reduce((sum, suffix) => sum + statSync(path + suffix).size, 0)
    const { bavail, bsize } = statfsSync(tmpdir())
    if (bytes > bavail * bsize) throw new Error(`it has ${bytes} bytes and ${bavail * bsize} are free there`)
    folder = mkdtempSync(join(tmpdir(), 'indexwatch-history-'))
    const copy = join(folder, 'tape.db')
    for (const suffix of suffixes) {
      copyFileSync(path + suffix, copy + suffix)
      chmodSync(copy + suffix, 0o600)
    }
    const database = openDatabase(copy)
    prepareSchema(database, () => undefined)
    // After this the connection needs no files beside the database, and the folder can be removed.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA query_only = 1')
    return database
  } catch (error) {
    if (isDamage(error)) throw error
    throw new UnfitDatabase('uncopied', `It cannot be written to, nor copied to ${tmpdir()}: ${String(error)}.`)
  } finally {
    if (folder !== undefined) removeFolder(folder)
  }
}

/** Creates the file if it is missing, readable only by its owner, before SQLite opens it. */
function openPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  makePrivate(path)
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Windows cannot remove an open file. Its disk cleanup removes the folder later.
  }
}

/** Serves the history at a path to the main thread. */
class Server {
  readonly #path: string
  readonly #say: (reply: ThreadReply) => void
  /** Held open while this thread lives. It keeps other processes out. */
  #lock: HistoryDatabase | undefined
  #store: HistoryTables | undefined
  #access: HistoryAccessMode = 'readWrite'
  #bounds: HistoryBounds
  #timer: NodeJS.Timeout | undefined

  constructor(path: string, bounds: HistoryBounds, say: (reply: ThreadReply) => void) {
    this.#path = path
    this.#bounds = bounds
    this.#say = say
  }

  /** `isToBeChecked` forces an integrity check. A database that was not closed properly is always checked. */
  open(isToBeChecked: boolean): void {
    try {
      if (!this.#takeLock()) {
        const message = 'Another process uses it. End that process, then try again.'
        this.#say({ kind: 'refused', reason: 'inUse', problem: failure('inUse', message).problem })
        return
      }
      this.#store = new HistoryTables(this.#openDatabase(isToBeChecked))
      makePrivate(backupPathOf(this.#path))
    } catch (error) {
      const reason = isDamage(error) ? 'damaged' : 'disk'
      this.#say({ kind: 'refused', reason, problem: databaseProblem(error) })
      return
    }
    this.#store.setBounds(this.#bounds)
    if (this.#access === 'readWrite') this.#tidyAfter(tidyEveryMs / 10)
    this.#say({ kind: 'opened', access: this.#access })
  }

  take(number: number, request: ThreadRequest): void {
    try {
      const value = this.#answer(number, request)
      if (value !== undefined) this.#say({ kind: 'answer', number, outcome: ok(value) })
    } catch (error) {
      if (isDamage(error)) this.#say({ kind: 'damaged', number, message: String(error) })
      else this.#say({ kind: 'answer', number, outcome: { ok: false, problem: databaseProblem(error) } })
    }
  }

  /** Undefined if the answer is sent later. */
  #answer(number: number, request: ThreadRequest): unknown {
    const store = this.#store
    if (store === undefined) throw new Error('The history is not open.')
    if (request.do === 'close') {
      clearTimeout(this.#timer)
      this.#store = undefined
      if (this.#access === 'readWrite') store.close()
      this.#lock?.close()
      return null
    }
    if (request.do === 'commit') return store.commit(request.batches, request.isRepeat)
    const { name, params } = request
    if (name === 'setBounds') {
      this.#bounds = params as HistoryBounds
      store.setBounds(this.#bounds)
      this.#tidyAfter(tidySoonMs)
      return null
    }
    if (name === 'clearBefore') {
      this.#clear(store, number, params as Queries['clearBefore']['params'])
      return undefined
    }
    return store.query(name, params as Queries[QuickQuery]['params'])
  }

  #clear(store: HistoryTables, number: number, { beforeMs }: Queries['clearBefore']['params']): void {
    this.#follow(store, store.clear(beforeMs), (error) => {
      if (error !== undefined && isDamage(error)) this.#say({ kind: 'damaged', number, message: error.message })
      else if (error !== undefined) {
        this.#say({ kind: 'answer', number, outcome: { ok: false, problem: databaseProblem(error) } })
      } else this.take(number, { do: 'query', name: 'size', params: null })
    })
  }

  #tidyAfter(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const store = this.#store
      if (store === undefined) return
      this.#follow(store, store.tidy(Date.now()), (error) => {
        if (error !== undefined) this.#say({ kind: 'tidyingFailed', message: error.message })
        if (this.#store === store) this.#tidyAfter(tidyEveryMs)
      })
    }, delayMs)
  }

  /** Runs the steps with pauses between them. `done` receives the error that stopped them, if any. */
  #follow(store: HistoryTables, steps: Steps, done: (error?: Error) => void): void {
    if (this.#store !== store) return
    try {
      if (steps.next().done === true) {
        done()
        return
      }
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
      return
    }
    setTimeout(() => this.#follow(store, steps, done), stepPauseMs)
  }

  /** Returns false if another process holds the lock. A folder that cannot be written to needs no lock. */
  #takeLock(): boolean {
    const path = lockPathOf(this.#path)
    statFile(path)
    try {
      openPrivate(path)
      const lock = openDatabase(path)
      lock.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      this.#lock = lock
      return true
    } catch (error) {
      if (databaseCode(error) === 'BUSY') return false
      if (isDamage(error)) rmSync(path, { force: true })
      return true
    }
  }

  #openDatabase(isToBeChecked: boolean): HistoryDatabase {
    const journal = statFile(`${this.#path}-wal`)
    const wasClosed = journal === undefined || journal.size === 0
    const isThere = statFile(this.#path) !== undefined
    try {
      // SQLite gives the files beside the database the same permissions.
      openPrivate(this.#path)
      makePrivate(`${this.#path}-wal`)
      makePrivate(`${this.#path}-shm`)
      const database = openDatabase(this.#path)
      checkVersion(database)
      useJournal(database)
      if (isThere && (isToBeChecked || !wasClosed)) checkIntegrity(database)
      prepareSchema(database, () => {
        makeBackup({ path: this.#path, backupPath: backupPathOf(this.#path), bounds: this.#bounds })
      })
      return database
    } catch (error) {
      if (error instanceof UnfitDatabase && error.reason === 'newer') {
        this.#access = 'newer'
        return openForReading(this.#path)
      }
      if (!isThere || !['READONLY', 'CANTOPEN', 'PERM'].includes(databaseCode(error))) throw error
      return this.#openReadOnly(!wasClosed)
    }
  }

  /**
   * Opens a file that cannot be written to. A file that needs a migration, or has a journal from a crash, is copied
   * first.
   */
  #openReadOnly(hasJournal: boolean): HistoryDatabase {
    const database = openForReading(this.#path, true)
    this.#access = 'readOnly'
    try {
      if (checkVersion(database) === schemaVersion && !hasJournal) return database
    } catch (error) {
      if (!(error instanceof UnfitDatabase) || error.reason !== 'newer') throw error
      this.#access = 'newer'
      return database
    }
    database.close()
    return openCopy(this.#path)
  }
}

function backUp(task: BackupTask): Outcome<boolean> {
  try {
    return ok(makeBackup(task))
  } catch (error) {
    return { ok: false, problem: databaseProblem(error) }
  }
}

const port = parentPort
if (port !== null) {
  const task = workerData as ThreadTask
  if (task.task === 'backup') {
    port.postMessage({ kind: 'backup', outcome: backUp(task) } satisfies ThreadReply)
  } else {
    const server = new Server(task.path, task.bounds, (reply) => port.postMessage(reply))
    server.open(task.isToBeChecked)
    port.on('message', ({ number, request }: { number: number; request: ThreadRequest }) => {
      server.take(number, request)
      // Closing the port ends the thread and releases its files.
      if (request.do === 'close') port.close()
    })
  }
}
