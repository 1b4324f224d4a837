/** A stream of lines, each one JSON message. Used for stdio of an assistant and for the private socket. */
import type { Readable, Writable } from 'node:stream'
import { printableJson } from '../base/sanitize'

export interface LinesListener {
  onLine: (line: string) => void
  /** A line was longer than allowed and was dropped. */
  onTooLong: () => void
}

/** If the other side reads so slowly that this much is buffered, its input is paused. */
const maxWaitingBytes = 4 * 2 ** 20
const lineFeed = 10

/** Splits input into lines of at most `maxBytes`. Never buffers more than that. */
export class LineCutter {
  readonly #maxBytes: number
  readonly #listener: LinesListener
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number, listener: LinesListener) {
    this.#maxBytes = maxBytes
    this.#listener = listener
  }

  take(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      this.#add(rest.subarray(0, end))
      this.#endLine()
      rest = rest.subarray(end + 1)
    }
    this.#add(rest)
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #endLine(): void {
    const isTooLong = this.#bytes > this.#maxBytes
    const line = Buffer.concat(this.#parts).toString('utf8').trim()
    this.#parts = []
    this.#bytes = 0
    if (isTooLong) this.#listener.onTooLong()
    else if (line !== '') this.#listener.onLine(line)
  }
}

/** Writes a message as a line. Pauses `input` while too much of `output` is unread. */
export function writeLine(output: Writable, input: Readable, message: object): void {
  if (output.destroyed || output.writableEnded) return
  output.write(`${printableJson(message)}\n`)
  if (output.writableLength <= maxWaitingBytes || input.isPaused()) return
  input.pause()
  output.once('drain', () => {
    input.resume()
  })
}
