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
  const patterns = new Map<string, RegExp>()
  const patternOf = (secret: string) => {
    const pattern = patterns.get(secret) ?? new RegExp(formsOf(secret).map(inAnyEscape).join('|'), 'g')
    patterns.set(secret, pattern)
    return pattern
  }
  const withoutSecrets = (text: string) => {
    const used = secrets().filter((secret) => secret.length >= minSecretLength)
    return used.reduce((redacted, secret) => redacted.replace(patternOf(secret), removed), text)
  }
  return (text) => {
    const redacted = withoutSecrets(text)
    const visible = redacted.replace(/[\p{Cf}\p{Cc}]/gu, '')
    if (visible === redacted) return redacted
    const redactedVisible = withoutSecrets(visible)
    return redactedVisible === visible ? redacted : redactedVisible
  }
}

/** A secret in plain, hex and base64. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const base64 = [0, 1, 2].map((offset) => base64Inside(secret, offset))
  const base64Url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret, hex, hex.toUpperCase(), ...base64, ...base64Url].filter((form) => form.length >= minSecretLength)
}

/**
 * The source of a pattern that finds a text however its characters are escaped: plain, `%21`, `%2521`, `\u0021`,
 * `\x21`, `\"`, `&#33;`, `&#x21;`, `&quot;`, or `+` for a blank.
 */
function inAnyEscape(text: string): string {
  return Array.from(text, escapesOf).join('')
}

const htmlNames: Partial<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }

function escapesOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, at) => {
    return `\\\\u${inAnyCase(character.charCodeAt(at).toString(16).padStart(4, '0'))}`
  })
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${inAnyCase(byte.toString(16).padStart(2, '0'))}`)
  const literal = /\w/.test(character) ? character : `\\\\?${character.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&')}`
  const htmlName = htmlNames[character]
  const forms = [
    literal,
    bytes.join(''),
    units.join(''),
    `&#0*${code};`,
    `&#[xX]0*${inAnyCase(code.toString(16))};`,
    ...(code <= 255 ? [`\\\\x${inAnyCase(code.toString(16).padStart(2, '0'))}`] : []),
    ...(htmlName === undefined ? [] : [`&${htmlName};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ]
  return `(?:${forms.join('|')})`
}

/** Matches hexadecimal digits in upper and lower case. */
function inAnyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
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
