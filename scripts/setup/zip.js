// @ts-check
// Reads zip archives: what Electron's own needs of the format, and a clear refusal of the rest. Node has no zip reader,
// and set-up runs before any package is there.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'

const endSignature = 0x06054b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50
const endLength = 22
const centralLength = 46
const localLength = 30
const longestComment = 0xffff
const stored = 0
const deflated = 8
const encryptedFlag = 1
const kindMask = 0o170000
const symbolicLink = 0o120000

/**
 * @typedef {object} ZipEntry
 * @property {string} name with slashes; a folder's ends in one
 * @property {number} mode permission bits; 0 when the archive holds none
 * @property {number} size in bytes, unpacked
 * @property {number} packedSize
 * @property {number} checksum CRC-32 of the unpacked content
 * @property {number} method
 * @property {number} headerOffset
 */

/** @param {import('node:fs/promises').FileHandle} handle @param {number} position @param {number} length */
async function readExactly(handle, position, length) {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  if (bytesRead !== length) throw new Error('the zip archive is cut short')
  return buffer
}

/** @param {import('node:fs/promises').FileHandle} handle @returns {Promise<{ count: number, size: number, offset: number }>} */
async function findDirectory(handle) {
  const { size: fileSize } = await handle.stat()
  const length = Math.min(fileSize, endLength + longestComment)
  const tail = await readExactly(handle, fileSize - length, length)
  for (let at = length - endLength; at >= 0; at--) {
    // The signature may also occur in a comment; the true record's comment reaches exactly to the end of the file.
    if (tail.readUInt32LE(at) !== endSignature || at + endLength + tail.readUInt16LE(at + 20) !== length) continue
    const [count, size, offset] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    if (tail.readUInt16LE(at + 4) !== 0) throw new Error('zip archives in several parts are not supported')
    if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff) throw new Error('zip64 is not supported')
    return { count, size, offset }
  }
  throw new Error('not a zip archive')
}

/** @param {string} name */
function refuseUnsafe(name) {
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || name.split('/').includes('..'))
    throw new Error(`the zip archive names a path outside itself: ${name}`)
}

/** @param {Buffer} directory @param {number} at @returns {{ entry: ZipEntry, next: number }} */
function readEntry(directory, at) {
  if (directory.length < at + centralLength || directory.readUInt32LE(at) !== centralSignature)
    throw new Error('the zip archive has a damaged directory')
  const nameEnd = at + centralLength + directory.readUInt16LE(at + 28)
  const name = directory.toString('utf8', at + centralLength, nameEnd)
  const unixMode = directory.readUInt16LE(at + 40)
  const method = directory.readUInt16LE(at + 10)
  const sizes = { packedSize: directory.readUInt32LE(at + 20), size: directory.readUInt32LE(at + 24) }
  const headerOffset = directory.readUInt32LE(at + 42)
  refuseUnsafe(name)
  if (directory.readUInt16LE(at + 8) & encryptedFlag) throw new Error(`${name} is encrypted`)
  if (method !== stored && method !== deflated) throw new Error(`${name} is packed by an unknown method (${method})`)
  if ((unixMode & kindMask) === symbolicLink) throw new Error(`${name} is a symbolic link`)
  if ([...Object.values(sizes), headerOffset].includes(0xffffffff)) throw new Error('zip64 is not supported')
  return {
    entry: { name, mode: unixMode & 0o777, ...sizes, checksum: directory.readUInt32LE(at + 16), method, headerOffset },
    next: nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32),
  }
}

/**
 * The archive's directory, in its order.
 * @param {string} file
 * @returns {Promise<ZipEntry[]>}
 * @throws {Error} saying what is damaged or not supported
 */
export async function readZipDirectory(file) {
  const handle = await open(file)
  try {
    const { count, size, offset } = await findDirectory(handle)
    const directory = await readExactly(handle, offset, size)
    /** @type {ZipEntry[]} */
    const entries = []
    for (let at = 0; entries.length < count;) {
      const { entry, next } = readEntry(directory, at)
      entries.push(entry)
      at = next
    }
    return entries
  } finally {
    await handle.close()
  }
}

/** @param {string} file @param {ZipEntry} entry @returns {Promise<number>} where its packed bytes begin */
async function contentOffset(file, entry) {
  const handle = await open(file)
  try {
    const header = await readExactly(handle, entry.headerOffset, localLength)
    if (header.readUInt32LE(0) !== localSignature) throw new Error(`${entry.name} is not where the zip archive says`)
    return entry.headerOffset + localLength + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await handle.close()
  }
}

/**
 * Unpacks one file, making the folders above it.
 * @param {string} file the archive
 * @param {ZipEntry} entry
 * @param {string} target
 * @throws {Error} when the content is not the one that the archive's checksum was made of
 */
export async function extractZipEntry(file, entry, target) {
  await mkdir(dirname(target), { recursive: true })
  const start = await contentOffset(file, entry)
  let size = 0
  let checksum = 0
  const measure = new Transform({
    transform(/** @type {Buffer} */ chunk, _encoding, done) {
      size += chunk.length
      checksum = crc32(chunk, checksum)
      done(null, chunk)
    },
  })
  // A range cannot be empty; `end` is inclusive.
  const packed =
    entry.packedSize === 0
      ? new PassThrough().end()
      : createReadStream(file, { start, end: start + entry.packedSize - 1, highWaterMark: 1 << 18 })
  const unpack = entry.method === deflated ? createInflateRaw({ chunkSize: 1 << 18 }) : new PassThrough()
  await pipeline(packed, unpack, measure, createWriteStream(target, { mode: entry.mode || 0o644 }))
  if (size !== entry.size || checksum !== entry.checksum) throw new Error(`${entry.name} is damaged in the zip archive`)
}

/**
 * Unpacks the files that are wanted.
 * @param {string} file the archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} placeOf the path in the folder, or nothing to leave the file out
 * @param {(bytes: number) => void} [onProgress] told the bytes written so far
 */
export async function extractZip(file, folder, placeOf, onProgress) {
  let written = 0
  for (const entry of await readZipDirectory(file)) {
    const place = entry.name.endsWith('/') ? undefined : placeOf(entry.name)
    if (place === undefined) continue
    await extractZipEntry(file, entry, join(folder, place))
    written += entry.size
    onProgress?.(written)
  }
}
