// @ts-check
// Electron's fuses: switches in the executable itself, one ASCII byte each, behind a marker. After the marker come the
// layout's version, the number of fuses and the fuses.
import { open } from 'node:fs/promises'

const marker = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
const layoutVersion = 1
const chunkSize = 8 << 20
const removed = 'r'

/** Positions in layout 1; the two that set-up changes. */
const positions = { enableNodeCliInspectArguments: 3, loadBrowserProcessSpecificV8Snapshot: 6 }

/** @typedef {keyof typeof positions} FuseName */

/** @param {import('node:fs/promises').FileHandle} handle @returns {Promise<number[]>} every place of the marker */
async function findMarkers(handle) {
  const { size } = await handle.stat()
  const chunk = Buffer.alloc(chunkSize + marker.length - 1)
  const found = []
  for (let start = 0; start < size; start += chunkSize) {
    // Chunks overlap by one byte less than the marker, so that none is missed at a border or counted twice.
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start)
    const text = chunk.subarray(0, bytesRead)
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) found.push(start + at)
  }
  return found
}

/**
 * Sets fuses in an executable for one platform.
 * @param {string} file
 * @param {Partial<Record<FuseName, boolean>>} wanted
 * @throws {Error} when the file has not exactly one set of fuses of the known layout, or lacks a wanted one; it is then unchanged
 */
export async function setFuses(file, wanted) {
  const handle = await open(file, 'r+')
  try {
    const [at, ...more] = await findMarkers(handle)
    if (at === undefined) throw new Error('the executable has no fuses')
    if (more.length > 0) throw new Error('the executable has more than one set of fuses')
    const head = Buffer.alloc(2)
    await handle.read(head, 0, 2, at + marker.length)
    const [version, count] = head
    if (version !== layoutVersion)
      throw new Error(`the executable's fuses have layout ${version}, not ${layoutVersion}`)
    const fuses = Buffer.alloc(count ?? 0)
    const fusesAt = at + marker.length + head.length
    await handle.read(fuses, 0, fuses.length, fusesAt)
    for (const [name, on] of Object.entries(wanted)) {
      const position = positions[/** @type {FuseName} */ (name)]
      if (position >= fuses.length || String.fromCharCode(fuses[position] ?? 0) === removed)
        throw new Error(`the executable has no fuse ${name}`)
      fuses.write(on ? '1' : '0', position, 'latin1')
    }
    await handle.write(fuses, 0, fuses.length, fusesAt)
  } finally {
    await handle.close()
  }
}
