import { checkDraft } from '../../core/alert-checks'
import { draftKey, ruleWords } from '../../core/alert-words'
import type { AlertDraft, RuleDraft } from '../../core/alerts'
import { formatCount, formatDecimal } from '../../core/decimal'
import { failure, type Failure, type Problem } from '../../core/model'
import type { RuleRecord } from './record'
import type { RuleTable } from './rule-table'

/** Maximum number of rules of one kind of service, and in one imported file. */
export const maxRules = 10_000

export type Refusal = Failure

export const unknownRule = failure('unknownRule', 'That alert no longer exists.')
export const cannotUndo = failure('unknownRule', 'This alert was deleted too long ago. Create it again.')
export const notReady = failure('notReady', 'The alerts are still loading. Try again in a moment.')
export const notRead = ({ message }: Problem) => failure('notReady', `The alerts cannot be read now: ${message}`)
export const newerAlerts = failure(
  'newerAlerts',
  'The alerts file was written by a newer Indexwatch. Update to create alerts.',
)

/** Why a draft cannot become a rule. An equal rule that has finished is replaced (`takesPlaceOf`). */
export function draftRefusal(
  draft: RuleDraft,
  rules: RuleTable,
  nowMs: number,
  exceptRuleId?: string,
): Refusal | undefined {
  return faultOf(draft, nowMs) ?? refuseDuplicate(rules.findEqual(draftKey(draft), exceptRuleId))
}

/** Why a deleted rule cannot be restored. Its own state does not matter. */
export function putBackRefusal({ run: { rule }, state }: RuleRecord, rules: RuleTable): Refusal | undefined {
  if (rules.size >= maxRules) return tooMany
  return state.isDone ? undefined : refuseDuplicate(rules.findEqual(draftKey(rule)))
}

/** The finished rule that an equal new one replaces. */
export function takesPlaceOf(draft: AlertDraft, rules: RuleTable): RuleRecord | undefined {
  const equal = rules.findEqual(draftKey(draft))
  return equal?.state.isDone === true ? equal : undefined
}

/**
 * Checks whether all drafts can be created together. Each is checked by itself, then their number. Ignores rules
 * created since the constructor ran.
 */
export class DraftsCheck {
  readonly #rules: RuleTable
  readonly #nowMs: number
  readonly #size: number
  readonly #lastPosition: number
  readonly #seen = new Set<string>()
  #refusal: Refusal | undefined
  #goneCount = 0

  constructor(rules: RuleTable, nowMs: number) {
    this.#rules = rules
    this.#nowMs = nowMs
    this.#size = rules.size
    this.#lastPosition = rules.lastPosition
  }

  look(draft: RuleDraft): void {
    if (this.#refusal !== undefined) return
    const key = draftKey(draft)
    const found = this.#rules.findEqual(key)
    const equal = found !== undefined && found.position <= this.#lastPosition ? found : undefined
    this.#refusal =
      faultOf(draft, this.#nowMs) ?? refuseDuplicate(equal) ?? (this.#seen.has(key) ? duplicate(draft) : undefined)
    if (equal !== undefined) this.#goneCount++
    this.#seen.add(key)
  }

  /** Call after all drafts were passed to `look`. */
  refusal(): Refusal | undefined {
    const count = this.#size - this.#goneCount + this.#seen.size
    if (this.#refusal !== undefined || count <= maxRules) return this.#refusal
    return tooMany
  }
}

export const tooMany = failure('tooManyRules', `You have reached the limit of ${formatCount(maxRules)} alerts.`)

function faultOf(draft: AlertDraft, nowMs: number): Refusal | undefined {
  const [problem] = checkDraft(draft, { nowMs })
  return problem && failure(problem.field, problem.message)
}

/** Refuses a duplicate, unless the equal rule has finished. */
function refuseDuplicate(equal: RuleRecord | undefined): Refusal | undefined {
  return equal === undefined || equal.state.isDone ? undefined : duplicate(equal.run.rule)
}

function duplicate(draft: AlertDraft): Refusal {
  return failure('duplicate', `You already have this alert: ${ruleWords(draft, formatDecimal)}.`)
}
