import { open, readdir, readFile } from 'node:fs/promises'
import { formsIn } from './secret-scan'

/** Memory is read piece by piece, each with the beginning of the next, so that no form falls between two. */
const pieceBytes = 2 ** 18
const overlapBytes = 2 ** 10
const zeros = Buffer.alloc(pieceBytes + overlapBytes)

/**
 * Which processes of an app hold one of the forms in their memory, each by what Chromium calls it: `browser` for the first,
 * `zygote`, `renderer`, `utility` … for the others. On Linux, by a user who may look.
 */
export async function holdersOf(pid: number, forms: readonly string[]): Promise<string[]> {
  const holders: string[] = []
  for (const each of await processTree(pid)) {
    if (await holds(each, forms)) holders.push(await kindOf(each))
  }
  return holders
}

/** The process and all that descend from it. */
export async function processTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // It may have ended since.
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
      // Chromium has never written to most of its reserved memory.
      if (kilobytes === '0') continue
      const end = Number.parseInt(to, 16)
      for (let start = Number.parseInt(from, 16); start < end; start += pieceBytes) {
        // Some mappings cannot be read.
        const read = await memory.read(buffer, 0, Math.min(buffer.length, end - start), start).catch(() => undefined)
        const piece = buffer.subarray(0, read?.bytesRead ?? 0)
        // Most of a region was never written to, and ten searches cost more than this look.
        if (piece.equals(zeros.subarray(0, piece.length))) continue
        if (formsIn(piece, forms).length > 0) return true
      }
    }
    return false
  } finally {
    await memory.close()
  }
}
