/** First checks of text from outside. */

/** Messages of the service need four levels. */
const maxNesting = 16

const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93
const quote = 34
const backslash = 92

/**
 * True if JSON text nests deeper than any message of the service. `JSON.parse` accepts a million levels, but the code
 * that reads the result does not. Text with few opening brackets costs two searches.
 */
export function isNestedTooDeep(text: string): boolean {
  return hasManyOpenings(text) && depthOf(text) > maxNesting
}

function hasManyOpenings(text: string): boolean {
  let openings = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++openings > maxNesting) return true
    }
  }
  return false
}

function depthOf(text: string): number {
  let depth = 0
  let maxDepth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBrace || code === openBracket) maxDepth = Math.max(maxDepth, ++depth)
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return maxDepth
}

/** Index of the closing quote of the string that opens at `start`. The length of the text if none closes it. */
function endOfString(text: string, start: number): number {
  let end = start
  do end = text.indexOf('"', end + 1)
  while (end !== -1 && isEscaped(text, end))
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

/** The parsed JSON. Undefined if the text is not JSON or nests too deep. */
export function parseJson(text: string): unknown {
  return isNestedTooDeep(text) ? undefined : anyJson(text)
}

/** The parsed JSON, however deep. Undefined if the text is not JSON. */
export function anyJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The decoded text of a part of an address. Undefined if an escape is not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** True for an object with named fields, not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxTextLength = 200
/** Printable ASCII with single blanks. Most names match and need no further work. */
const plainText = /^[!-~]+(?: [!-~]+)*$/

/**
 * Makes text from outside fit for the screen: one line, without control, bidirectional and invisible characters or lone
 * surrogates, at most `maxLength` long.
 */
export function sanitizeText(text: string, maxLength = maxTextLength): string {
  if (text.length <= maxLength && plainText.test(text)) return text
  const plain = text
    .slice(0, 4 * maxLength)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '')}…`
}

/** Like `sanitizeText`, for the desktop. Notification daemons and trays read `<`, `>` and `&` as markup. */
export function sanitizeForDesktop(text: string): string {
  return sanitizeText(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '+')
}

/** A line feed in JSON is only indentation. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * JSON text that is safe to print. Control, bidirectional and invisible characters are escaped, so that a terminal or a
 * log shows them and does not obey them. `JSON.parse` restores the original.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}
