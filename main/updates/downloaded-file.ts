/** A file that was downloaded hours ago: whether it is still what was published. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode } from '../base/own-file'

const pieceBytes = 1_048_576

/** As of a download that is damaged, for `updateProblem`. */
class NotPublished extends Error {
  readonly code = 'ERR_CHECKSUM_MISMATCH'
}

/**
 * Reads a regular file from its beginning to its end and gives each piece to `onPiece`. Throws where it is a link, is no
 * file, or has not the published hash, as base64 or hex: then the pieces are of no use.
 */
export function readPublished(path: string, sha512: string, onPiece: (piece: Uint8Array) => void): void {
  const file = open(path)
  try {
    if (!fstatSync(file).isFile()) throw new NotPublished(`${path} is not a file`)
    const hash = createHash('sha512')
    const buffer = Buffer.alloc(pieceBytes)
    for (;;) {
      const piece = buffer.subarray(0, readSync(file, buffer))
      if (piece.length === 0) break
      hash.update(piece)
      onPiece(piece)
    }
    const digest = hash.digest()
    const forms = [digest.toString('base64'), digest.toString('hex')]
    if (!forms.includes(sha512)) throw new NotPublished(`${path} was changed after its download`)
  } finally {
    closeSync(file)
  }
}

/** Never through a link, and without waiting for whoever writes to a pipe. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw new NotPublished(`${path} is a link`)
    throw error
  }
}
