/** The file format of alert rules, described in docs/alert-rules-file.md. */
import * as v from 'valibot'
import { checkDraft, type DraftContext } from '../../protocol/alert-checks'
import type { DraftProblem } from '../../protocol/alert-events'
import { draftOfRuleSchema, draftSchema } from '../../protocol/alert-schema'
import { draftKey } from '../../protocol/alert-words'
import type { AlertDraft, AlertRule, AlertTerms } from '../../protocol/alerts'
import type { Outcome } from '../../protocol/model'
import { isRecord } from '../base/untrusted-text'
import { fieldIn, parseUserJson, placeIn } from '../base/user-json'
import { issueWords } from './issue-words'
import { mostRules } from './refusals'

const ruleFileFormat = 'indexwatch-alerts'
const ruleFileVersion = 1

/** Rules as they are written to a file, one a line: what the user decided on, neither ids nor states. */
export function writeRuleFile(rules: readonly AlertRule[]): string {
  const lines = rules.map((rule) => `    ${JSON.stringify(v.parse(draftOfRuleSchema, rule))}`)
  const format = `  "format": "${ruleFileFormat}",\n  "version": ${ruleFileVersion},\n`
  return `{\n${format}  "rules": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/**
 * Reads the text of a file: all its rules, or what is wrong and where. Problems `notJson`, `otherFormat`,
 * `newerVersion`, `badRule` with the place such as `rules[2].terms.level`, `duplicateRule`. `contextOf` says what is
 * known of an index; one that the service does not list is no fault of the file.
 */
export function readRuleFile(
  text: string,
  contextOf: (indexId: string) => Omit<DraftContext, 'isKnown'>,
): Outcome<AlertDraft[]> {
  const document = parseUserJson(text)
  if (document === undefined) {
    return problem('notJson', 'This file is no JSON. Choose a file of alerts that was exported from Indexwatch.')
  }
  if (!isRecord(document) || document['format'] !== ruleFileFormat) {
    const message = `This file holds no alerts: its "format" is not "${ruleFileFormat}". Choose a file of alerts that was exported from Indexwatch.`
    return problem('otherFormat', message)
  }
  const { version } = document
  if (typeof version === 'number' && version > ruleFileVersion) {
    return problem(
      'newerVersion',
      'This file was made by a newer version of Indexwatch. Install that version to read it.',
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

/** What importing these adds: all that do not wait for the same as a rule that is there. */
export function newRules(drafts: readonly AlertDraft[], present: readonly AlertDraft[]): AlertDraft[] {
  const taken = new Set(present.map(draftKey))
  return drafts.filter((draft) => !taken.has(draftKey(draft)))
}

const rulesSchema = v.pipe(
  v.array(draftSchema, 'It must be an array of rules.'),
  v.minLength(1, 'There is no rule in it.'),
  v.maxLength(mostRules, `There can be at most ${mostRules} rules. Split the file.`),
)

const frameFields = new Set(['format', 'version', 'rules', '$schema'])

function faultOfFrame(document: Record<string, unknown>): string | undefined {
  if (document['version'] !== ruleFileVersion) return `version: It must be ${ruleFileVersion}.`
  const unknown = Object.keys(document).find((name) => !frameFields.has(name))
  return unknown === undefined ? undefined : `${fieldIn(unknown)}: There is no such field. Remove it.`
}

function faultOfRules(
  drafts: readonly AlertDraft[],
  contextOf: (indexId: string) => Omit<DraftContext, 'isKnown'>,
): Outcome<never> | undefined {
  for (const [at, draft] of drafts.entries()) {
    const [fault] = checkDraft(draft, contextOf(draft.indexId))
    if (fault !== undefined) {
      return problem('badRule', `rules[${at}].${fieldOf(fault.field, draft.terms)}: ${fault.message}`)
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
      return problem('duplicateRule', `rules[${at}]: It waits for the same as rules[${first}]. Remove one of them.`)
    }
    places.set(key, at)
  }
  return undefined
}

const plainFields = {
  index: 'indexId',
  condition: 'terms.condition',
  high: 'terms.high',
  band: 'terms.rearmBand',
  window: 'terms.withinMs',
  after: 'terms.afterMs',
  constituent: 'terms.constituent',
  exchange: 'terms.exchange',
  repeat: 'repeat',
  hold: 'holdMs',
  cooldown: 'cooldownMs',
  expiry: 'expiresAt',
  note: 'note',
  group: 'group',
  webhook: 'webhookUrl',
} as const satisfies Partial<Record<DraftProblem['field'], string>>

/** Where in a rule a fault of this field is. */
function fieldOf(field: DraftProblem['field'], terms: AlertTerms): string {
  if (field === 'level') return 'low' in terms ? 'terms.low' : 'terms.level'
  if (field !== 'amount') return plainFields[field]
  const names = ['amount', 'weightPercent', 'points', 'sharePercent', 'tolerancePercent']
  return `terms.${names.find((name) => name in terms) ?? 'amount'}`
}

function problem(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}
