import type { Clock } from './clock'
import { printableJson, sanitizeText } from './sanitize'

export type LogFacts = Record<string, string | number | boolean>

export interface Log {
  info(text: string, facts?: LogFacts): void
  warn(text: string, facts?: LogFacts): void
  error(text: string, facts?: LogFacts): void
}

type Level = 'INFO' | 'WARN' | 'ERROR'

const floodWindowMs = 60_000
const linesPerWindow = 10
const maxTextsTracked = 500
const maxFactLength = 300
const overflow = 'overflow'

/**
 * Writes one line per entry: time, level, text, then facts as name=value. Text and facts may come from outside. Secrets
 * are removed first. Then each part is cut, and control and invisible characters are removed or escaped. The same text
 * is written at most ten times a minute. The rest are counted and reported at the end of the minute.
 */
export function createLog(options: {
  write: (line: string) => void
  redact: (text: string) => string
  clock: Clock
}): Log {
  const { write, redact, clock } = options
  const linesInWindow = new Map<string, number>()

  function writeLine(level: Level, text: string, facts: LogFacts): void {
    const parts = [new Date(clock.wallMs()).toISOString(), level, sanitizeText(redact(text), maxFactLength)]
    for (const [name, fact] of Object.entries(facts)) {
      parts.push(`${name}=${typeof fact === 'string' ? printableJson(cut(redact(fact))) : fact}`)
    }
    write(parts.join(' '))
  }

  function log(level: Level, text: string, facts: LogFacts = {}): void {
    // Texts are constants. Beyond this number all others share one entry.
    const key = linesInWindow.size < maxTextsTracked ? `${level} ${text}` : overflow
    const lines = linesInWindow.get(key) ?? 0
    linesInWindow.set(key, lines + 1)
    if (lines === 0)
      clock.after(floodWindowMs, () => {
        const suppressed = (linesInWindow.get(key) ?? 0) - linesPerWindow
        linesInWindow.delete(key)
        if (suppressed > 0) writeLine(level, `${text} (and ${suppressed} more in this minute)`, {})
      })
    if (lines < linesPerWindow) writeLine(level, text, facts)
  }

  return {
    info: (text, facts) => log('INFO', text, facts),
    warn: (text, facts) => log('WARN', text, facts),
    error: (text, facts) => log('ERROR', text, facts),
  }
}

/** True if a line written by this log is a warning or an error. */
export function isProblemLine(line: string): boolean {
  return /^\S+ (WARN|ERROR) /.test(line)
}

function cut(text: string): string {
  return text.length <= maxFactLength ? text : `${text.slice(0, maxFactLength)}…`
}

const minSecretLength = 4
const removed = '[removed]'

/**
 * Returns a function that removes the secrets from a text in every form in which they travel: plain, hex, and inside
 * base64 such as an Authorization header. In each form any character may be percent-encoded, or escaped for JSON or
 * HTML. Invisible characters between them are ignored and removed with the secret. `secrets` is called each time,
 * because keys change. Secrets of fewer than four characters are not removed: too much of every text would go.
 */
export function redactor(secrets: () => readonly string[]): (text: string) => string {
  const removers = new Map<string, (text: string) => string>()
  const remove = (secret: string, text: string) => {
    const remover = removers.get(secret) ?? removerOf(secret)
    removers.set(secret, remover)
    return remover(text)
  }
  const withoutSecrets = (text: string) => {
    const used = secrets().filter((secret) => secret.length >= minSecretLength)
    return used.reduce((redacted, secret) => remove(secret, redacted), text)
  }
  return (text) => {
    const redacted = withoutSecrets(text)
    const visible = redacted.replace(/[\p{Cf}\p{Cc}]/gu, '')
    if (visible === redacted) return redacted
    const redactedVisible = withoutSecrets(visible)
    return redactedVisible === visible ? redacted : redactedVisible
  }
}

/** The characters of a text in order, each with those that stand for the same. */
type Form = readonly (readonly string[])[]

/** A secret in plain, hex and base64. */
function formsOf(secret: string): Form[] {
  const hex = Array.from(Buffer.from(secret).toString('hex'), (digit) => [digit, digit.toUpperCase()])
  const base64 = [0, 1, 2].map((offset) => Array.from(base64Inside(secret, offset), inBothAlphabets))
  return [Array.from(secret, (character) => [character]), hex, ...base64]
}

/** A character of base64, and what stands for it in addresses. */
function inBothAlphabets(character: string): string[] {
  return character === '+' ? ['+', '-'] : character === '/' ? ['/', '_'] : [character]
}

/** Searches by hand, because V8 takes more than 10 ms to compile one pattern of all forms. Every start would wait. */
function removerOf(secret: string): (text: string) => string {
  const forms = formsOf(secret)
  const start = new RegExp(`${forms.map(startOf).join('|')}|${oneOf(introducers)}`, 'g')
  return (text) => {
    let redacted = ''
    let keptFrom = 0
    for (let found = start.exec(text); found !== null; found = start.exec(text)) {
      const { index } = found
      const end = Math.max(...forms.map((form) => endOf(form, text, index)))
      if (end === -1) continue
      redacted += text.slice(keptFrom, index) + removed
      start.lastIndex = keptFrom = end
    }
    return redacted + text.slice(keptFrom)
  }
}

/** First characters of an escape. */
const introducers = ['\\', '%', '&', '+']

/** The source of a pattern that finds where a form may start with its first character in plain. */
function startOf([first = [], second = []]: Form): string {
  const hasPairs = first.some((character) => character.length > 1)
  return oneOf(first) + (hasPairs ? '' : `(?=${oneOf([...second, ...introducers])})`)
}

/** The source of a pattern for the first unit of one of these characters. */
function oneOf(characters: readonly string[]): string {
  return `[${characters.map((each) => `\\u${hexOf(each.charCodeAt(0), 4)}`).join('')}]`
}

function hexOf(code: number, length: number): string {
  return code.toString(16).padStart(length, '0')
}

/** Where a form that starts in the text at `start` ends. -1 if none starts there. */
function endOf(form: Form, text: string, start: number): number {
  // There may be several ends, because `\\` can stand for one backslash or for two.
  let ends = [start]
  for (const characters of form) {
    const next = new Set<number>()
    for (const at of ends) for (const each of characters) for (const end of endsOf(each, text, at)) next.add(end)
    if (next.size === 0) return -1
    ends = [...next]
  }
  return Math.max(...ends)
}

/**
 * Where a character that starts in the text at `at` may end, however it is escaped: plain, `%21`, `%2521`, `\u0021`,
 * `\x21`, `\"`, `&#33;`, `&#x21;`, `&quot;`, or `+` for a blank.
 */
function endsOf(character: string, text: string, at: number): number[] {
  const ends = text.startsWith(character, at) ? [at + character.length] : []
  switch (text.charAt(at)) {
    case '\\':
      return [...ends, ...backslashEnds(character, text, at)]
    case '%':
      return [...ends, ...percentEnds(Buffer.from(character), text, at)]
    case '&':
      return [...ends, ...htmlEnds(character, text, at)]
    case '+':
      return character === ' ' ? [at + 1] : ends
    default:
      return ends
  }
}

function backslashEnds(character: string, text: string, at: number): number[] {
  const units = Array.from({ length: character.length }, (_, unit) => `\\u${hexOf(character.charCodeAt(unit), 4)}`)
  const escapes = [units.join(''), `\\x${hexOf(character.codePointAt(0) ?? 0, 2)}`]
  const ends = escapes.map((escape) => at + escape.length)
  const found = ends.filter((end, which) => text.slice(at, end).toLowerCase() === escapes[which])
  const isEscaped = !/\w/.test(character) && text.startsWith(character, at + 1)
  return isEscaped ? [...found, at + 1 + character.length] : found
}

/** Each `%` may be encoded again, as `%25`. */
function percentEnds(bytes: Uint8Array, text: string, start: number): number[] {
  let ends = [start]
  for (const byte of bytes) {
    ends = ends.flatMap((at) => {
      const found: number[] = []
      if (text.charAt(at) !== '%') return found
      for (let from = at + 1; ; from += 2) {
        const digits = text.slice(from, from + 2)
        if (/^[\da-f]{2}$/i.test(digits) && Number.parseInt(digits, 16) === byte) found.push(from + 2)
        if (digits !== '25') return found
      }
    })
  }
  return ends
}

const htmlNames: Partial<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }
const htmlNumber = /&#(?:(\d+)|x([\da-f]+));/iy

function htmlEnds(character: string, text: string, at: number): number[] {
  const name = htmlNames[character]
  if (name !== undefined && text.startsWith(`&${name};`, at)) return [at + name.length + 2]
  htmlNumber.lastIndex = at
  const [whole = '', decimal, hex = ''] = htmlNumber.exec(text) ?? []
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
  return code === character.codePointAt(0) ? [at + whole.length] : []
}

/**
 * The part of the base64 of a longer text that depends only on `secret`, if `secret` starts at byte `offset` (modulo
 * 3).
 */
function base64Inside(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const firstWhole = offset === 0 ? 0 : offset + 1
  const wholeCharacters = Math.floor((bytes.length * 8) / 6)
  return bytes.toString('base64').slice(firstWhole, wholeCharacters)
}

/** Named counts of events too frequent to log one by one, such as dropped frames. */
export class Counters {
  readonly #counts = new Map<string, number>()

  add(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by)
  }

  read(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}

/** The last `capacity` items. When it is full, adding one drops the oldest. */
export class Ring<T> {
  readonly #capacity: number
  readonly #items: T[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#items.length > this.#capacity) this.#items.shift()
  }

  /** Oldest first. */
  all(): T[] {
    return [...this.#items]
  }
}
