import { open, readdir, readFile } from 'node:fs/promises'
import { formsIn } from './secret-scan'

/** Memory is read in overlapping pieces, so that no form is split. */
const pieceBytes = 2 ** 18
const overlapBytes = 2 ** 10
const zeros = Buffer.alloc(pieceBytes + overlapBytes)

/**
 * The app's processes that have one of the forms in memory, by Chromium's names: `browser` for the first, then
 * `zygote`, `renderer`, `utility` and so on. Linux only, and needs permission to read their memory.
 */
export async function holdersOf(pid: number, forms: readonly string[]): Promise<string[]> {
  const holders: string[] = []
  for (const each of await processTree(pid)) {
    if (await holds(each, forms)) holders.push(await kindOf(each))
  }
  return holders
}

/** A process and all its descendants. */
export async function processTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The process may have ended since.
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    parents.set(Number(name), Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]))
  }
  const tree = [pid]
  for (const member of tree) {
    for (const [child, parent] of parents) if (parent === member) tree.push(child)
  }
  return tree
}

async function kindOf(pid: number): Promise<string> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
  return /--type=([\w-]+)/.exec(commandLine)?.[1] ?? 'browser'
}

async function holds(pid: number, forms: readonly string[]): Promise<boolean> {
  const regions = await readFile(`/proc/${pid}/smaps`, 'utf8')
  const buffer = Buffer.alloc(zeros.length)
  const memory = await open(`/proc/${pid}/mem`, 'r')
  try {
    for (const [, from = '', to = '', kilobytes] of regions.matchAll(/^([\da-f]+)-([\da-f]+) rw[^]*?^Rss:\s+(\d+)/gm)) {
      // Most reserved memory of Chromium was never written to.
      if (kilobytes === '0') continue
      const end = Number.parseInt(to, 16)
      for (let start = Number.parseInt(from, 16); start < end; start += pieceBytes) {
        // Some mappings cannot be read.
        const read = await memory.read(buffer, 0, Math.min(buffer.length, end - start), start).catch(() => undefined)
        const piece = buffer.subarray(0, read?.bytesRead ?? 0)
        // Most of a region was never written to. This comparison is cheaper than ten searches.
        if (piece.equals(zeros.subarray(0, piece.length))) continue
        if (formsIn(piece, forms).length > 0) return true
      }
    }
    return false
  } finally {
    await memory.close()
  }
}
