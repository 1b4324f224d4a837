import type { AlertView, LevelTerms } from '../../protocol/alerts'

/** A rule that can be drawn as a line. */
export type LevelRule = AlertView & { terms: LevelTerms }

export function isLevelRule(rule: AlertView): rule is LevelRule {
  return 'level' in rule.terms
}
