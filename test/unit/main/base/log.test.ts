import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Counters, createLog, redactor, isProblemLine, Ring } from '../../../../main/base/log'
import { sanitizeText } from '../../../../main/base/sanitize'
import { FakeClock } from '../../../support/fake-clock'

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** The ways in which a character may be escaped. */
function escapesOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const percent = hexOf(character).replaceAll(/../g, '%$&')
  const names: Partial<Record<string, string>> = {
    '"': '&quot;',
    '&': '&amp;',
    "'": '&apos;',
    '<': '&lt;',
    '>': '&gt;',
  }
  return [
    percent,
    percent.toUpperCase(),
    percent.replaceAll('%', '%2525'),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''),
    `&#0${code};`,
    `&#x${code.toString(16)};`,
    ...(code > 255 ? [] : [`\\x${code.toString(16).padStart(2, '0')}`]),
    ...(/\w/.test(character) ? [] : [`\\${character}`]),
    names[character] ?? character,
  ]
}

function recordingLog(redact: (text: string) => string = (text) => text) {
  const clock = new FakeClock()
  const lines: string[] = []
  return { clock, lines, log: createLog({ write: (line) => lines.push(line), redact, clock }) }
}

test('a line has time, level, text and facts', () => {
  const { log, lines } = recordingLog()
  log.warn('Frame dropped', { fault: 'time', count: 3, isBinary: false })
  expect(lines).toEqual(['2023-11-01T12:00:00.000Z WARN Frame dropped fault="time" count=3 isBinary=false'])
})

test('text from outside stays on its line and is cut', () => {
  const { log, lines } = recordingLog()
  log.info('Text\nof two lines', { text: `a\nb\u0000${'x'.repeat(1_000)}` })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toMatch(/[\n\0]/)
  expect(lines[0]?.length).toBeLessThan(450)
})

test('removes control and invisible characters from texts, and escapes them in facts', () => {
  const { log, lines } = recordingLog()
  const hostile = 'a\u001b[2J\u009b2J\u0085b\u2028c\u202ed\u{e0041}'
  log.warn(`Refused: ${hostile}`, { reason: hostile })
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(lines[0]).toContain('"a\\u001b[2J\\u009b2J\\u0085b\\u2028c\\u202ed\\udb40\\udc41"')
})

test('counts a flood of one text, and reports it after the minute', () => {
  const { log, lines, clock } = recordingLog()
  for (let i = 0; i < 1_000; i++) log.info('Frame dropped', { i })
  log.info('Another text')
  expect(lines).toHaveLength(11)
  clock.advance(60_000)
  expect(lines.at(-1)).toContain('INFO Frame dropped (and 990 more in this minute)')
  log.info('Frame dropped')
  expect(lines).toHaveLength(13)
})

test('reports nothing of a text that was written in full', () => {
  const { log, lines, clock } = recordingLog()
  for (let i = 0; i < 10; i++) log.info('Frame dropped')
  clock.advance(60_000)
  expect(lines).toHaveLength(10)
})

test('limits memory for ever new texts', () => {
  const { log, lines, clock } = recordingLog()
  for (let i = 0; i < 5_000; i++) log.info(`Text ${i}`)
  expect(lines.length).toBeLessThanOrEqual(510)
  expect(clock.pending).toBeLessThanOrEqual(501)
})

describe('the redactor (ASVS 16.2.5)', () => {
  const secret = 's3cr3t/key+with?signs! ~&"quotes"'
  const redact = redactor(() => [secret])
  const forms: [string, string][] = [
    ['as it is', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['as hex', Buffer.from(secret).toString('hex')],
    ['as upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
    [
      'as hex in both cases',
      secret.replaceAll(/[^]/g, (each, at) => (at % 2 ? hexOf(each).toUpperCase() : hexOf(each))),
    ],
    ['inside JSON', JSON.stringify({ key: secret }).slice(8, -2)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['percent-encoded in small letters', encodeURIComponent(secret).toLowerCase()],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['percent-encoded in every character', secret.replaceAll(/[^]/g, (each) => `%${hexOf(each)}`)],
    ['percent-encoded as a form', new URLSearchParams({ secret }).toString().slice('secret='.length)],
    ['escaped as JSON may', secret.replaceAll(/[^]/g, (each) => `\\u00${hexOf(each)}`)],
    ['with each slash escaped', secret.replaceAll('/', '\\/')],
    ['escaped as JavaScript may', secret.replaceAll(/[^]/g, (each) => `\\x${hexOf(each)}`)],
    ['inside HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('+', '&#43;')],
    ['in base64 inside an address', encodeURIComponent(Buffer.from(secret).toString('base64'))],
  ]

  test.each(forms)('removes a secret %s', (_form, text) =>
    expect(redact(`before ${text} after`)).toBe('before [removed] after'),
  )

  /** A text with each of its characters escaped in one of the ways there are. */
  const escapings = (text: string) =>
    fc.tuple(...Array.from(text, (each) => fc.constantFrom(each, ...escapesOf(each)))).map((parts) => parts.join(''))

  test.each(['hunter22', 's3cr3t/key+with?signs! ~&"quotes"', 'a\\\\b%25c', '%%\\&', 'é€😀x'])(
    'removes %s with each character escaped in any way, and nothing around it',
    (known) => {
      const redactKnown = redactor(() => [known])
      const forms = [known, hexOf(known)]
      const escaped = fc.constantFrom(...forms).chain(escapings)
      fc.assert(fc.property(escaped, (text) => redactKnown(`: ${text} :`) === ': [removed] :'))
    },
  )

  test('keeps a text that only resembles the secret', () => {
    const near = [
      `&;${secret.slice(1)}`,
      secret.slice(0, -1),
      secret.toUpperCase(),
      `%${secret.slice(1)}`,
      '\\u0073 %73 &#115;',
    ]
    expect(near.map(redact)).toEqual(near)
  })

  test.each(['a', 'ab', 'abc', 'trader-7', 'id:with:colons'])('removes a secret from the header of key id %s', (id) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${id}:${secret}`).toString(encoding)
      const redacted = redact(`Authorization: Basic ${encoded}`)
      expect(redacted).toContain('[removed]')
      expect(Buffer.from(redacted.replace('[removed]', ''), 'base64').toString()).not.toContain(secret.slice(0, 6))
    }
  })

  test.each(['\u200b', '\u00ad', '\u0000', '\n', '\ufeff\u202e'])('removes a secret with %j inside', (invisible) => {
    const echo = (text: string) => `${text.slice(0, 3)}${invisible}${text.slice(3)}`
    expect(redact(`before ${echo(secret)} after`)).toBe('before [removed] after')
    expect(sanitizeText(redact(`before ${echo(secret)} after`))).toBe('before [removed] after')
    // Without a secret they stay: the redactor does not remove them.
    expect(redact(echo('another'))).toBe(echo('another'))
  })

  test('reads the secrets each time and leaves other text unchanged', () => {
    const secrets: string[] = []
    const redactLater = redactor(() => secrets)
    expect(redactLater('the word hunter22 stays')).toBe('the word hunter22 stays')
    secrets.push('hunter22', '', 'the')
    expect(redactLater('the word hunter22 stays')).toBe('the word [removed] stays')
  })

  test('redacts before cutting, so that half a secret never remains', () => {
    const { log, lines } = recordingLog(redact)
    log.info('Echo', { text: `${'x'.repeat(290)}${secret}` })
    expect(lines[0]).not.toContain('s3cr3t')
  })
})

test('counters add up by name', () => {
  const counters = new Counters()
  counters.add('feed.dropped')
  counters.add('feed.dropped', 4)
  counters.add('__proto__')
  expect(Object.entries(counters.read())).toEqual([
    ['feed.dropped', 5],
    ['__proto__', 1],
  ])
})

test('a ring keeps the newest items, oldest first', () => {
  const ring = new Ring<number>(3)
  expect(ring.all()).toEqual([])
  for (const item of [1, 2, 3, 4, 5]) ring.add(item)
  expect(ring.all()).toEqual([3, 4, 5])
})

test('recognises warnings and errors of the log by their level only', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), redact: (text) => text, clock: new FakeClock() })
  log.info('All is well, no ERROR here')
  log.warn('Something')
  log.error('Worse')
  expect(lines.map(isProblemLine)).toEqual([false, true, true])
})
