import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { maxRules } from '../../../../main/alerts/refusals'
import { maxRuleFileBytes, readRuleFile, writeRuleFile } from '../../../../main/alerts/rule-file'
import type { AlertDraft } from '../../../../core/alerts'
import { levelDraft, ruleView, sampleTerms } from '../../../support/sample-alerts'

const nowMs = Date.UTC(2023, 10, 1, 12)
const hour = 3_600_000
const docs = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'reference')
const schema = JSON.parse(readFileSync(join(docs, 'alert-rules.schema.json'), 'utf8')) as object
const description = readFileSync(join(docs, 'alert-file.md'), 'utf8')
const fitsSchema = new Ajv2020({ allowUnionTypes: true }).compile(schema)

const read = (text: string) => readRuleFile(text, () => ({ nowMs }))
const fileOf = (rules: unknown, more: object = {}) =>
  JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules, ...more })

const everything: AlertDraft[] = [
  ...sampleTerms.map((terms): AlertDraft => ({ ...levelDraft(), terms, repeat: { mode: 'everyCrossing' } })),
  {
    ...levelDraft('1', { condition: 'isAbove' }),
    repeat: { mode: 'whileTrue', everyMinutes: 10 },
    severity: 'urgent',
    holdMs: 300_000,
    countsRepeats: true,
    hours: { days: ['mon', 'fri'], from: '15:30', to: '16:15', timeZone: 'Europe/London', alsoIfTrue: true },
    cooldownMs: 60_000,
    expiresAt: { atMs: nowMs + 8 * 24 * hour, timeZone: 'Europe/London' },
    note: 'Größe "quoted"',
    group: 'desk',
    webhookUrl: 'https://example.com/hook',
  },
  { ...levelDraft('2'), repeat: { mode: 'daily', max: 3 } },
  { ...levelDraft('2'), hours: { days: ['sun'], from: '22:00', to: '06:00', timeZone: 'America/New_York' } },
]

describe('a file of rules', () => {
  const pieces = writeRuleFile(
    everything.map((draft, at) => ruleView(`r${at}`, draft, { phase: 'disarmed', measure: '1' })),
  )
  const text = [...pieces].join('')

  test('is read as the same drafts, without ids and states', () => {
    expect(read(text)).toEqual({ ok: true, value: everything })
    expect(text.split('\n')).toHaveLength(everything.length + 7)
    expect(text).not.toMatch(/phase|measure|createdAtMs|"r0"/)
  })

  test('fits its published schema, which covers every condition', () => {
    expect(fitsSchema(JSON.parse(text)), JSON.stringify(fitsSchema.errors)).toBe(true)
    expect(fitsSchema(JSON.parse(fileOf(everything, { $schema: './alert-rules.schema.json' })))).toBe(true)
  })

  test('shown in the documentation is valid', () => {
    const [, sample = ''] = /```json\n([^]*?)```/.exec(description) ?? []
    expect(fitsSchema(JSON.parse(sample))).toBe(true)
    expect(read(sample).ok).toBe(true)
  })

  test('may begin with a byte order mark', () => expect(read(`\ufeff${text}`).ok).toBe(true))
})

const good = levelDraft('1')
const hours = { days: ['mon'], from: '09:00', to: '17:00', timeZone: 'UTC' }

describe('a file is refused with a remedy', () => {
  test.each([
    ['BRTI', 'notJson', 'This file is not valid JSON. Choose'],
    ['', 'notJson', 'This file is not valid JSON. Choose'],
    ['['.repeat(100_000), 'notJson', 'This file is not valid JSON. Choose'],
    [
      '[]',
      'otherFormat',
      'This file contains no alerts: its "format" is not "indexwatch-alerts". Choose an alert file that was exported from Indexwatch.',
    ],
    [
      '{"format":"indexwatch-watchlists","version":1,"lists":[]}',
      'otherFormat',
      'This file contains no alerts: its "format" is not "indexwatch-alerts". Choose an alert file that was exported from Indexwatch.',
    ],
    [
      fileOf([good], { version: 2 }),
      'newerVersion',
      'This file was written by a newer version of Indexwatch. Install that version to read it.',
    ],
    [fileOf([good], { version: '1' }), 'badRule', 'version: It must be 1.'],
    [fileOf([good], { more: 1 }), 'badRule', 'more: Unknown field. Remove it.'],
    [fileOf({}), 'badRule', 'rules: It must be an array of alerts.'],
    [fileOf([]), 'badRule', 'rules: It contains no alerts.'],
    // JSON.parse makes a field of it, a literal would set the prototype.
    [fileOf([]).replace('[]', '[{"__proto__":{"indexId":"BRTI"}}]'), 'badRule', 'rules[0].'],
    [
      fileOf(Array.from({ length: maxRules + 1 }, (_, at) => levelDraft(`${at}`))),
      'badRule',
      'rules: There can be at most 10,000 alerts. Split the file.',
    ],
    [
      fileOf([good, levelDraft('1.00')]),
      'duplicateRule',
      'rules[1]: It is the same alert as rules[0]. Remove one of them.',
    ],
  ])('%.60s', (text, code, message) => {
    const answer = read(text)
    expect(answer).toMatchObject({ ok: false, problem: { code } })
    expect(answer.ok ? '' : answer.problem.message).toContain(message)
  })

  test.each<[object, string]>([
    [{ id: 'r1' }, 'rules[1].id: Unknown field. Remove it.'],
    [{ holdMS: 5 }, 'rules[1].holdMS: Unknown field. Remove it.'],
    [{ severity: undefined }, 'rules[1].severity: It is missing. Add it.'],
    [{ severity: 'loud' }, 'rules[1].severity: It must be "info" or "normal" or "urgent".'],
    [{ terms: 5 }, 'rules[1].terms: It must be an object.'],
    [{ terms: { condition: 'explodes' } }, 'rules[1].terms.condition: It must be "risesTo" or "fallsTo"'],
    [{ terms: { condition: 'risesTo' } }, 'rules[1].terms.level: It is missing. Add it.'],
    [{ terms: { condition: 'risesTo', level: 5 } }, 'rules[1].terms.level: It must be a text in quotation marks.'],
    [{ terms: { condition: 'risesTo', level: 'x' } }, 'rules[1].terms.level: A level is a number such as 68500.00.'],
    [{ terms: { condition: 'risesTo', level: '1e3' } }, 'rules[1].terms.level: Write the level out, such as 1000.'],
    [{ terms: { condition: 'entersBand', low: '1e0', high: '2' } }, 'rules[1].terms.low: Write the low end out'],
    [
      { terms: { condition: 'weightDrift', points: '0', base: 'made' } },
      'rules[1].terms.points: Enter a number above 0',
    ],
    [{ repeat: { mode: 'daily', max: 0 } }, 'rules[1].repeat.max: It must be a whole number of at least 1.'],
    [{ repeat: { mode: 'daily', max: 1.5 } }, 'rules[1].repeat.max: It must be a whole number.'],
    [{ repeat: { mode: 'daily', max: 101 } }, 'rules[1].repeat: Enter how many a day at most'],
    [{ hours: { ...hours, days: [] } }, 'rules[1].hours.days: Name at least one day, such as "mon".'],
    [{ hours: { ...hours, days: ['mon', 'mon'] } }, 'rules[1].hours: A day is listed twice. Remove one of them.'],
    [{ hours: { ...hours, from: '9:00' } }, 'rules[1].hours.from: Write the time as HH:MM, such as 15:30.'],
    [{ hours: { ...hours, to: '24:00' } }, 'rules[1].hours.to: Write the time as HH:MM, such as 15:30.'],
    [{ hours: { ...hours, timeZone: 'system' } }, 'rules[1].hours.timeZone: Name a time zone such as Europe/London.'],
    [{ hours: { ...hours, alsoIfTrue: false } }, 'rules[1].hours.alsoIfTrue: It must be true.'],
    [
      { terms: { condition: 'crosses', level: '1' }, hours: { ...hours, alsoIfTrue: true } },
      'rules[1].hours: This condition is momentary. It cannot already be true when the hours begin. Turn that option off.',
    ],
    [{ note: '' }, 'rules[1].note: It is empty. Enter a text or leave the field out.'],
    [{ note: 'n'.repeat(501) }, 'rules[1].note: It is too long. Shorten it to 500 characters.'],
    [{ indexId: '../x' }, 'rules[1].indexId: An index id has letters'],
    [{ expiresAt: { atMs: nowMs - 1, timeZone: 'UTC' } }, 'rules[1].expiresAt: This time has passed.'],
    [
      { expiresAt: { atMs: 9e15, timeZone: 'UTC' } },
      'rules[1].expiresAt.atMs: It must be a whole number of at most 8640000000000000.',
    ],
    [{ expiresAt: { atMs: nowMs, timeZone: 'Mars' } }, 'rules[1].expiresAt.timeZone: Choose a time zone'],
    [{ webhookUrl: 'http://example.com' }, 'rules[1].webhookUrl: Enter an address that begins with https://'],
  ])('with the entry and its field: %j', (change, message) => {
    const answer = read(fileOf([good, { ...levelDraft('2'), ...change }]))
    expect(answer).toMatchObject({ ok: false, problem: { code: 'badRule' } })
    expect(answer.ok ? '' : answer.problem.message).toContain(message)
    // The same file without the fault is accepted.
    expect(read(fileOf([good, levelDraft('2')])).ok).toBe(true)
  })

  test('in few words, even for a field with a long name', () => {
    const name = `\u202e${'<b>x'.repeat(10_000)}\n`
    for (const text of [fileOf([good], { [name]: 1 }), fileOf([{ ...good, [name]: 1 }])]) {
      const answer = read(text)
      const message = answer.ok ? '' : answer.problem.message
      expect(message).toMatch(/^(rules\[0\]\.)?(<b>x){14}<b>…: Unknown field\. Remove it\.$/)
    }
  })

  test('and is refused by its schema as well', () => {
    const changes = [
      { id: 'r1' },
      { severity: 'loud' },
      { terms: { condition: 'risesTo' } },
      { holdMs: 0 },
      { note: '' },
    ]
    for (const change of changes) expect(fitsSchema(JSON.parse(fileOf([{ ...good, ...change }])))).toBe(false)
    expect(fitsSchema(JSON.parse(fileOf([good])))).toBe(true)
  })
})

test('a rule is checked against its index only if that is known', () => {
  const brr = { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', maxResolution: 'DAILY' } as const
  const text = fileOf([levelDraft('-1', { indexId: 'BRR' })])
  expect(read(text).ok).toBe(true)
  expect(readRuleFile(text, () => ({ nowMs, index: brr }))).toMatchObject({
    problem: { message: 'rules[0].terms.level: BRR is never negative. Enter 0 or more.' },
  })
})

test('a file too long to parse as a whole is read rule by rule until the first bad one', () => {
  const many = Array.from({ length: 9_000 }, (_, at) =>
    ruleView(`r${at}`, { ...levelDraft(`${at}`), note: 'n'.repeat(500) }),
  )
  const webhookUrl = `https://example.org/${'a'.repeat(2_000)}`
  const text = [...writeRuleFile(many.map((rule) => ({ ...rule, webhookUrl })))].join('')
  expect(text.length).toBeGreaterThan(2 ** 24)
  const whole = read(text)
  expect(whole.ok && whole.value.map(({ note, terms }) => [note, terms])).toEqual(
    many.map(({ note, terms }) => [note, terms]),
  )
  expect(read(text.replace('"level":"3"', '"level":"three"'))).toMatchObject({
    problem: { code: 'badRule', message: expect.stringMatching(/^rules\[3\]\.terms\.level: /) as string },
  })
  expect(read(text.replaceAll('\n', ' '))).toMatchObject({ problem: { code: 'notJson' } })
  expect(read(`[${'{},'.repeat(2 ** 23)}{}]`)).toMatchObject({ problem: { code: 'notJson' } })
})

test('the maximum number of rules of maximum length makes a file of allowed size', () => {
  // A control character takes six bytes in JSON, the maximum.
  const long = (length: number) => '\u0001'.repeat(length)
  const longest = ruleView('r1', {
    indexId: 'I'.repeat(64),
    terms: {
      condition: 'exchangeShareAtOrBelow',
      constituent: long(120),
      exchange: long(120),
      sharePercent: '1'.repeat(64),
    },
    repeat: { mode: 'whileTrue', everyMinutes: Number.MAX_SAFE_INTEGER },
    severity: 'urgent',
    holdMs: Number.MAX_SAFE_INTEGER,
    countsRepeats: true,
    hours: {
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '00:00',
      to: '23:59',
      timeZone: 'America/Argentina/ComodRivadavia',
      alsoIfTrue: true,
    },
    cooldownMs: Number.MAX_SAFE_INTEGER,
    expiresAt: { atMs: 8.64e15, timeZone: 'America/Argentina/ComodRivadavia' },
    note: long(500),
    group: long(60),
    webhookUrl: `https://example.org/${'ä'.repeat(2_028)}`,
  })
  const [frame, line, end] = [...writeRuleFile([longest])].map((piece) => Buffer.byteLength(piece))
  expect((frame ?? 0) + (line ?? 0) * maxRules + (end ?? 0)).toBeLessThan(maxRuleFileBytes)
})
