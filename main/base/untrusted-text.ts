/** First reading of text from outside, before anything is made of it. */

/** Deepest nesting a message of the service may have; its own need four levels. */
const deepestNesting = 16

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
  return hasManyOpenings(text) && deepestIn(text) > deepestNesting
}

function hasManyOpenings(text: string): boolean {
  let openings = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++openings > deepestNesting) return true
    }
  }
  return false
}

function deepestIn(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBrace || code === openBracket) deepest = Math.max(deepest, ++depth)
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return deepest
}

/** Whether a parsed value is an object with named fields: no array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const longestWords = 200
/** Letters, digits and signs of ASCII with single blanks between them: fit as they are, as nearly all words are. */
const plainWords = /^[!-~]+(?: [!-~]+)*$/

/**
 * Words of the service made fit for a screen: on one line, without control, bidirectional and invisible characters,
 * without half characters, at most `longest` long.
 */
export function readWords(text: string, longest = longestWords): string {
  if (text.length <= longest && plainWords.test(text)) return text
  const plain = text
    .slice(0, 4 * longest)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1).replace(/\p{Cs}$/u, '')}…`
}
