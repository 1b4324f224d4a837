import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/own-file'
import { temporaryEnding } from './disk'

/**
 * Records the temporary files written to the user's folders. If the process is killed, the next start finds the note in
 * the profile and removes the file. Each note is a separate file, because an export in another process needs one too.
 */
export class UnfinishedFiles {
  readonly #folder: string
  readonly #own = new Set<string>()

  constructor(profileFolder: string) {
    this.#folder = join(profileFolder, 'unfinished')
  }

  /** Keeps a note of this temporary file while `write` runs. `write` removes or renames the file. */
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

  /** Removes files that killed processes left, and returns their paths. */
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

  /** Without a note the file is still written, because it may be on another disk. */
  async #put(note: string, text: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(note, text, { mode: 0o600 })
    } catch {
      await rm(note, { force: true }).catch(() => undefined)
    }
  }
}

/**
 * True for another running process. A note with this process's own id is from an earlier process, because this one has
 * just started.
 */
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
