import { setImmediate as nextTurn } from 'node:timers/promises'
import { isRecord, parseJson } from '../base/sanitize'

/** A shorter text is parsed at once. Parsing this many characters takes about a millisecond. */
const longText = 128 * 1_024
/** Rows of a part. Parsing or decoding them takes a few milliseconds. */
export const rowsOfPart = 4_000

/** Within a text of JSON these quotes are escaped. */
const payload = '"payload"'
const listStart = /\s*:\s*\[/y
/**
 * A small object without other objects or lists in it, and what follows it. The limits keep a hostile text from filling
 * the stack.
 */
const flatRow = /\s*\{[^"{}[\]]*(?:"[^"\\]*(?:\\.[^"\\]*){0,20}"[^"{}[\]]*){0,60}\}\s*([,\]])/y

/**
 * Parses the body of a response like `parseJson`. A day of values has 86,400 rows, which would block the main loop. A
 * long list of flat rows is therefore parsed in parts, each in a turn of its own.
 */
export async function parseBody(body: string): Promise<unknown> {
  const payloadAt = body.indexOf(payload)
  listStart.lastIndex = payloadAt + payload.length
  // Of several payloads only the parser knows which one counts.
  const isOnly = payloadAt !== -1 && body.lastIndexOf(payload) === payloadAt
  if (body.length < longText || !isOnly || !listStart.test(body)) return parseJson(body)
  const rows: unknown[] = []
  const fromAt = listStart.lastIndex
  let endAt = fromAt
  let isLast = false
  while (!isLast) {
    const partAt = endAt
    flatRow.lastIndex = partAt
    let match
    for (let count = 0; count < rowsOfPart && !isLast && (match = flatRow.exec(body)) !== null; count++) {
      endAt = flatRow.lastIndex
      isLast = match[1] === ']'
    }
    const part = endAt === partAt ? undefined : parseJson(`[${body.slice(partAt, endAt - 1)}]`)
    if (!Array.isArray(part)) return parseJson(body)
    for (const row of part as unknown[]) rows.push(row)
    await nextTurn()
  }
  const envelope = parseJson(`${body.slice(0, fromAt)}]${body.slice(endAt)}`)
  const isPayload = isRecord(envelope) && Array.isArray(envelope['payload'])
  return isPayload ? { ...envelope, payload: rows } : parseJson(body)
}
