/**
 * The steps of writing a file, at each of which the process can be killed, as by the kernel: nothing runs after it, not
 * even a `finally`. All else is Node's own.
 */
import * as fs from 'node:fs/promises'

export * from 'node:fs/promises'

let point: string | undefined
const counts = new Map<string, number>()

/** From now on the process dies at this step: its name and how often it must be reached, as in `before the rename 2`. */
export function dieAt(step: string): void {
  point = step
  counts.clear()
}

export function reached(step: string): void {
  if (point === undefined) return
  const count = (counts.get(step) ?? 0) + 1
  counts.set(step, count)
  if (point === `${step} ${count}`) process.kill(process.pid, 'SIGKILL')
}

export async function open(path: string, flags: string | number, mode?: number) {
  const isArchive = typeof flags === 'number' && (flags & fs.constants.O_APPEND) !== 0
  if (flags === 'wx') reached('before the temporary file')
  if (isArchive) reached('before the archive is opened')
  const handle = await fs.open(path, flags, mode)
  return flags === 'wx' || isArchive ? stepping(handle, isArchive) : handle
}

export async function rename(from: string, to: string): Promise<void> {
  const isCopy = to.endsWith('.bak')
  reached(isCopy ? 'before the copy is in place' : 'before the rename')
  await fs.rename(from, to)
  reached(isCopy ? 'after the copy is in place' : 'after the rename')
}

function stepping(handle: fs.FileHandle, isArchive: boolean) {
  const of = isArchive ? 'the archived lines' : 'the temporary file'
  const write = async (text: string) => {
    const half = Math.floor(text.length / 2)
    await handle.appendFile(text.slice(0, half))
    reached(`with half of ${of}`)
    await handle.appendFile(text.slice(half))
    reached(`before the sync of ${of}`)
  }
  return {
    writeFile: write,
    appendFile: write,
    sync: async () => {
      await handle.sync()
      reached(`after the sync of ${of}`)
    },
    stat: () => handle.stat(),
    truncate: (size: number) => handle.truncate(size),
    close: () => handle.close(),
  }
}
