import { checkDraft } from '../../protocol/alert-checks'
import { draftKey, ruleWords } from '../../protocol/alert-words'
import type { AlertDraft } from '../../protocol/alerts'
import { formatDecimal } from '../../protocol/decimal'
import type { Outcome } from '../../protocol/model'
import type { RuleRun } from './rule-run'
import type { Runs } from './runs'

/** Of one kind of service, and of one file that is imported. */
export const mostRules = 2_000

export type Refusal = Extract<Outcome<never>, { ok: false }>

export function failure(code: string, message: string): Refusal {
  return { ok: false, problem: { code, message } }
}

export const unknownRule = failure('unknownRule', 'This alert is gone already.')
export const notReady = failure('notReady', 'The alerts are still being read. Try again in a moment.')
export const newerAlerts = failure('newerAlerts', 'The alerts file is of a newer version. Install that to make alerts.')

/** Why a draft cannot become a rule. One that has fired and is done is in nobody's way (`takesPlaceOf`). */
export function draftRefusal(draft: AlertDraft, runs: Runs, nowMs: number, exceptRuleId?: string): Refusal | undefined {
  const problem = checkDraft(draft, { nowMs })[0]
  if (problem !== undefined) return failure(problem.field, problem.message)
  const equal = runs.findEqual(draft, exceptRuleId)
  return equal === undefined || equal.state.isDone ? undefined : duplicate(equal.rule)
}

/** The rule, fired and done, that one equal to it takes the place of. */
export function takesPlaceOf(draft: AlertDraft, runs: Runs): RuleRun | undefined {
  const equal = runs.findEqual(draft)
  return equal?.state.isDone === true ? equal : undefined
}

/** Why these cannot all be made at once. */
export function draftsRefusal(drafts: readonly AlertDraft[], runs: Runs, nowMs: number): Refusal | undefined {
  const seen = new Set<string>()
  for (const draft of drafts) {
    const refusal = draftRefusal(draft, runs, nowMs) ?? (seen.has(draftKey(draft)) ? duplicate(draft) : undefined)
    if (refusal !== undefined) return refusal
    seen.add(draftKey(draft))
  }
  const gone = drafts.filter((draft) => takesPlaceOf(draft, runs) !== undefined).length
  if (runs.size - gone + drafts.length <= mostRules) return undefined
  return failure('tooManyRules', `There are ${runs.size} alerts already, of at most ${mostRules}. Delete some first.`)
}

function duplicate(draft: AlertDraft): Refusal {
  return failure('duplicate', `There is already such an alert: ${ruleWords(draft, formatDecimal)}.`)
}
