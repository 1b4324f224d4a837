/** Checks that a downloaded file is still what was published. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode } from '../base/own-file'

const pieceBytes = 1_048_576

/** Has the code of a damaged download, for `updateProblem`. */
class NotPublished extends Error {
  readonly code = 'ERR_CHECKSUM_MISMATCH'
}

/**
 * Reads a regular file and passes each piece to `onPiece`. Throws if it is a link or not a file, or if its hash is not
 * `sha512` (base64 or hex). The pieces must then be discarded.
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

/** Does not follow a link, and does not wait for the writer of a pipe. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw new NotPublished(`${path} is a link`)
    throw error
  }
}
