/** The file format of alert rules, described in docs/reference/alert-file.md. */
import { formatCount } from '../../core/decimal'
import * as v from 'valibot'
import { checkDraft, type DraftContext } from '../../core/alert-checks'
import { termsFields } from '../../core/conditions/fields'
import { draftOf, draftSchema } from '../../core/alert-schema'
import { draftKey } from '../../core/alert-words'
import type { AlertDraft, AlertRule } from '../../core/alerts'
import type { IndexInfo, Outcome } from '../../core/model'
import type { DraftField, ImportProblemCode } from '../../core/problems'
import { isRecord, parseJson, printableJson } from '../base/sanitize'
import { fieldIn, parseUserJson, placeIn } from '../storage/user-file'
import { maxRules } from './refusals'

const ruleFileFormat = 'indexwatch-alerts'
const ruleFileVersion = 1

const maxRuleBytes = 16 * 1_024
/** Larger than any file of `maxRules` rules with texts, addresses and names of maximum length. */
export const maxRuleFileBytes = maxRules * maxRuleBytes

/** The task of a thread that reads a file. */
export interface RuleFileTask {
  path: string
  nowMs: number
  catalogue: readonly IndexInfo[]
}

/** One part of the rules of a file. */
export interface RuleFilePart {
  drafts: AlertDraft[]
  isLast: boolean
}

const rulesInPiece = 200

/**
 * Formats rules as a file, one rule a line. Writes what the user chose, without ids and states. Yields chunks, because
 * there may be thousands.
 */
export function* writeRuleFile(rules: readonly AlertRule[]): Generator<string> {
  yield `{\n  "format": "${ruleFileFormat}",\n  "version": ${ruleFileVersion},\n  "rules": [`
  for (let at = 0; at < rules.length; at += rulesInPiece) {
    const lines = rules.slice(at, at + rulesInPiece).map((rule) => printableJson(draftOf(rule)))
    yield `${at === 0 ? '' : ','}\n    ${lines.join(',\n    ')}`
  }
  yield '\n  ]\n}\n'
}

/**
 * Reads the text of a file. Returns all its rules or the first problem: `notJson`, `otherFormat`, `newerVersion`,
 * `badRule` with the place such as `rules[2].terms.level`, `duplicateRule`. `contextOf` returns what is known about an
 * index. An index that the service does not list is not a problem.
 */
export function readRuleFile(
  text: string,
  contextOf: (indexId: string) => Pick<DraftContext, 'nowMs' | 'index'>,
): Outcome<AlertDraft[]> {
  const document = text.length > maxWholeLength ? documentInLines(text) : parseUserJson(text)
  if (document === undefined) {
    return problem('notJson', 'This file is not valid JSON. Choose an alert file that was exported from Indexwatch.')
  }
  if (!isRecord(document) || document['format'] !== ruleFileFormat) {
    const message = `This file contains no alerts: its "format" is not "${ruleFileFormat}". Choose an alert file that was exported from Indexwatch.`
    return problem('otherFormat', message)
  }
  const { version } = document
  if (typeof version === 'number' && version > ruleFileVersion) {
    return problem(
      'newerVersion',
      'This file was written by a newer version of Indexwatch. Install that version to read it.',
    )
  }
  const fault = faultOfFrame(document)
  if (fault !== undefined) return problem('badRule', fault)
  const read = v.safeParse(rulesSchema, document['rules'])
  if (!read.success) {
    const [issue] = read.issues
    return problem('badRule', `${placeIn('rules', issue.path ?? [])}: ${issueWords(issue)}`)
  }
  return faultOfRules(read.output, contextOf) ?? duplicateIn(read.output) ?? { ok: true, value: read.output }
}

const rulesSchema = v.pipe(
  v.array(draftSchema, 'It must be an array of alerts.'),
  v.minLength(1, 'It contains no alerts.'),
  v.maxLength(maxRules, `There can be at most ${formatCount(maxRules)} alerts. Split the file.`),
)

/** Parsing a whole file takes about twenty times its length in memory. */
const maxWholeLength = 2 ** 24

/**
 * Parses a longer file in the layout that the app writes, line by line up to the first invalid rule. Undefined for
 * another layout.
 */
function documentInLines(text: string): unknown {
  const place = text.slice(0, maxRuleBytes).indexOf('[\n') + 1
  const document = place === 0 ? undefined : parseJson(`${text.slice(0, place)}]}`)
  if (!isRecord(document)) return undefined
  const rules: unknown[] = []
  for (const line of text.slice(place + 1).split('\n', maxRules + 2)) {
    if (line === '  ]') return { ...document, rules }
    const rule = line.length > maxRuleBytes ? undefined : parseJson(line.replace(/,$/, ''))
    if (rule === undefined) return undefined
    rules.push(rule)
    // Nothing after a faulty rule is checked.
    if (!v.is(draftSchema, rule)) return { ...document, rules }
  }
  return rules.length > maxRules ? { ...document, rules } : undefined
}

const frameFields = new Set(['format', 'version', 'rules', '$schema'])

function faultOfFrame(document: Record<string, unknown>): string | undefined {
  if (document['version'] !== ruleFileVersion) return `version: It must be ${ruleFileVersion}.`
  const unknown = Object.keys(document).find((name) => !frameFields.has(name))
  return unknown === undefined ? undefined : `${fieldIn(unknown)}: Unknown field. Remove it.`
}

function faultOfRules(
  drafts: readonly AlertDraft[],
  contextOf: (indexId: string) => Pick<DraftContext, 'nowMs' | 'index'>,
): Outcome<never> | undefined {
  for (const [at, draft] of drafts.entries()) {
    const [fault] = checkDraft(draft, contextOf(draft.indexId))
    if (fault !== undefined) {
      return problem('badRule', `rules[${at}].${placeOf(fault.field)}: ${fault.message}`)
    }
  }
  return undefined
}

function duplicateIn(drafts: readonly AlertDraft[]): Outcome<never> | undefined {
  const places = new Map<string, number>()
  for (const [at, draft] of drafts.entries()) {
    const key = draftKey(draft)
    const first = places.get(key)
    if (first !== undefined) {
      return problem('duplicateRule', `rules[${at}]: It is the same alert as rules[${first}]. Remove one of them.`)
    }
    places.set(key, at)
  }
  return undefined
}

/** The path of a draft's field within its rule. */
function placeOf(field: DraftField): string {
  return field === 'condition' || field in termsFields ? `terms.${field}` : field
}

function problem(code: ImportProblemCode, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

/** A validator's issue as a sentence that says what to do. Our own messages are kept. */
function issueWords(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  switch (issue.type) {
    case 'strict_object':
      if (issue.expected === 'never') return 'Unknown field. Remove it.'
      return issue.expected === 'Object' ? 'It must be an object.' : 'It is missing. Add it.'
    case 'variant':
    case 'picklist':
    case 'literal':
      return `It must be ${choices(issue.expected)}.`
    case 'number':
    case 'safe_integer':
      return 'It must be a whole number.'
    case 'min_value':
      return `It must be a whole number of at least ${String(issue.requirement)}.`
    case 'max_value':
      return `It must be a whole number of at most ${String(issue.requirement)}.`
    case 'string':
      return 'It must be a text in quotation marks.'
    case 'min_length':
      return 'It is empty. Enter a text or leave the field out.'
    case 'max_length':
      return `It is too long. Shorten it to ${issue.expected?.replace('<=', '') ?? 'fewer'} characters.`
    default:
      return 'This value is not allowed here. See the description of the file.'
  }
}

/** Turns `("a" | "b")` into `"a" or "b"`. A variant expects `Object` if the input is not an object. */
function choices(expected: string | null): string {
  const names = (expected ?? '').replace(/[()]/g, '').split(' | ')
  return names.length === 1 && names[0] === 'Object' ? 'an object' : names.join(' or ')
}
