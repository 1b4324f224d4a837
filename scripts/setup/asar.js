// @ts-check
// Writes Electron's archive format: a header in JSON that tells each file's place, then the files one after another.
// Electron itself would take a folder for its default app; electron-builder, which reads every archive it packs, would not.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const wordLength = 4

/** Numbers are little-endian words. @param {number[]} numbers */
function words(numbers) {
  const buffer = Buffer.alloc(numbers.length * wordLength)
  for (const [index, number] of numbers.entries()) buffer.writeUInt32LE(number, index * wordLength)
  return buffer
}

/**
 * Packs a folder of plain files.
 * @param {string} folder
 * @param {string} file the archive
 */
export function writeAsar(folder, file) {
  /** @type {Record<string, { size: number, offset: string }>} */
  const files = {}
  const contents = []
  let offset = 0
  for (const name of readdirSync(folder).sort()) {
    const content = readFileSync(join(folder, name))
    files[name] = { size: content.length, offset: String(offset) }
    contents.push(content)
    offset += content.length
  }
  const json = Buffer.from(JSON.stringify({ files }))
  const padded = Math.ceil(json.length / wordLength) * wordLength
  // Each part is preceded by its own length: the length of the header, the header, the JSON in it.
  const lengths = words([wordLength, padded + 2 * wordLength, padded + wordLength, json.length])
  writeFileSync(file, Buffer.concat([lengths, json, Buffer.alloc(padded - json.length), ...contents]))
}
