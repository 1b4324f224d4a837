import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/own-file'
import { temporaryEnding } from './disk'

/**
 * Notes of the files that are being written where users want them. A process that is killed leaves such a file behind
 * anywhere; the note in the profile says where, and the next start removes it. Each note is a file of its own, so that an
 * export by another process can have one.
 */
export class UnfinishedFiles {
  readonly #folder: string
  readonly #own = new Set<string>()

  constructor(profileFolder: string) {
    this.#folder = join(profileFolder, 'unfinished')
  }

  /** Notes this temporary name as long as `write` takes, which removes or renames the file itself. */
  async during<T>(temporary: string, write: () => Promise<T>): Promise<T> {
    const name = randomUUID()
    const note = join(this.#folder, name)
    this.#own.add(name)
    await this.#put(note, `${process.pid}\n${temporary}`)
    try {
      return await write()
    } finally {
      await rm(note, { force: true }).catch(() => undefined)
    }
  }

  /** Removes what processes left that were killed. Answers the paths. */
  async sweep(): Promise<string[]> {
    const removed: string[] = []
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const note = join(this.#folder, name)
      const text = await readFile(note, 'utf8').catch(() => '')
      const [pid = '', path = ''] = text.split('\n')
      if (this.#own.has(name) || isRunning(Number(pid))) continue
      if (temporaryEnding.test(path) && (await isRegularFile(path))) {
        await rm(path, { force: true }).catch(() => undefined)
        removed.push(path)
      }
      await rm(note, { force: true }).catch(() => undefined)
    }
    return removed
  }

  /** Without a note the file is written all the same: its disk may be another one. */
  async #put(note: string, text: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(note, text, { mode: 0o600 })
    } catch {
      await rm(note, { force: true }).catch(() => undefined)
    }
  }
}

/** Another process than this one, which has just started: a note with its number is of an earlier one. */
function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function isRegularFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() === true
}
