/** First reading of text from outside, before anything is made of it. */

/** A message of the service may nest this deep; its own need four levels. */
const maxNesting = 16

const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93
const quote = 34
const backslash = 92

/**
 * Whether JSON text nests deeper than any message of the service. `JSON.parse` takes a million levels, what follows it
 * does not. Text with few opening brackets cannot be deep and costs two searches.
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
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBrace || code === openBracket) maxDepth = Math.max(maxDepth, ++depth)
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return maxDepth
}

/** What JSON text holds; `undefined` where it is no JSON, or nested deeper than any message or file of ours. */
export function parseJson(text: string): unknown {
  if (isNestedTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What stands for itself in an address; `undefined` where an escape is none of UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Whether a parsed value is an object with named fields: no array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxTextLength = 200
/** Letters, digits and signs of ASCII with single blanks between them: fit as they are, as nearly all words are. */
const plainText = /^[!-~]+(?: [!-~]+)*$/

/**
 * Text of the service made fit for a screen: on one line, without control, bidirectional and invisible characters,
 * without half characters, at most `maxLength` long.
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

/**
 * Text that may come from outside made fit for the desktop: notification daemons and trays read `<`, `>` and `&` as
 * markup. As `sanitizeText` otherwise.
 */
export function sanitizeForDesktop(text: string): string {
  return sanitizeText(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '+')
}

/** A line feed in JSON is indentation alone. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * JSON text that is safe to print: control, bidirectional and invisible characters are escaped, so that a
 * terminal or a log shows them and does not obey them. `JSON.parse` gives back what was given.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}
