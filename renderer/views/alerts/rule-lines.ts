/** The rows of the table of alerts. An alert on a list is one row, which unfolds to the rules of its indices. */
import { compareDecimals, parseDecimal, type Decimal } from '../../../core/decimal'
import type { AlertView } from '../../../core/alerts'
import { listedAt, viewOfListAlert } from '../../../core/list-alerts'
import type { DecimalText, IndexId } from '../../../core/model'
import type { WindowState } from '../../../protocol/desktop'
import type { RuleState } from '../../format/alert-states'
import { comparedOf } from '../../format/rule-distance'
import { distanceOf, stateRanks } from './rule-order'

/** The rules of an alert on a list. */
export interface ListedRules {
  /** In the order of the list. */
  rules: readonly AlertView[]
  /** Indices of the list that cannot have the condition. */
  leftOut: readonly IndexId[]
}

/** The alerts as the user made them, and the rules of those on a list, by their id. */
export function ruleLines({ alerts, listAlerts, settings }: Pick<WindowState, 'alerts' | 'listAlerts' | 'settings'>) {
  const { watchlists } = settings
  const listed = new Map<string, ListedRules>()
  const heads = new Map<string, AlertView>()
  for (const alert of listAlerts) {
    const ids = listedAt(watchlists, alert.target)?.ids ?? []
    const ruleOf = new Map(alerts.flatMap((rule) => (rule.follows === alert.id ? [[rule.indexId, rule] as const] : [])))
    const head = viewOfListAlert(alert, watchlists)
    const isUnfit = ids.length > 0 && ruleOf.size === 0
    const reach = { cannotFire: 'its condition fits no index of the list', sinceMs: alert.createdAtMs }
    heads.set(alert.id, isUnfit ? { ...head, reach } : head)
    listed.set(alert.id, {
      rules: ids.flatMap((id) => ruleOf.get(id) ?? []),
      leftOut: ids.filter((id) => !ruleOf.has(id)),
    })
  }
  // In the place of its oldest rule.
  const lines = new Set(alerts.map((rule) => heads.get(rule.follows ?? '') ?? rule))
  return { lines: [...lines, ...[...heads.values()].filter((head) => !lines.has(head))], listed }
}

/** The state of an alert on a list: the one that needs the user most, and how many of its rules have it. */
export function listState(states: readonly RuleState[], leftOut: readonly IndexId[]): RuleState | undefined {
  const [first] = states.toSorted((a, b) => stateRanks[a.kind] - stateRanks[b.kind])
  if (first === undefined) return undefined
  const count = states.filter(({ kind }) => kind === first.kind).length
  const without = leftOut.length > 2 ? `${leftOut.length} indices` : leftOut.join(' and ')
  return {
    kind: first.kind,
    text: count === states.length ? first.text : `${count} of ${states.length} ${first.text}`,
    title: leftOut.length === 0 ? first.title : `${first.title} The condition does not fit ${leftOut.join(', ')}.`,
    ...(leftOut.length > 0 && { reason: `not on ${without}` }),
  }
}

/** The rule whose value is nearest to firing. Of a move, the rule that has moved most. */
export function nearestRule(
  rules: readonly AlertView[],
  valueOf: (id: IndexId) => DecimalText | undefined,
): AlertView | undefined {
  const far = (rule: AlertView): Decimal | undefined => {
    const away = distanceOf(rule.terms, comparedOf(rule, valueOf(rule.indexId)))
    return away ?? parseDecimal(`-${(rule.measure ?? '').replace('-', '')}`)
  }
  return rules.reduce<{ rule: AlertView; far: Decimal | undefined } | undefined>((nearest, rule) => {
    const next = { rule, far: far(rule) }
    if (nearest?.far === undefined) return next
    return next.far !== undefined && compareDecimals(next.far, nearest.far) < 0 ? next : nearest
  }, undefined)?.rule
}
