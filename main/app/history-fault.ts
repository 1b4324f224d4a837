import type { JudgingReason } from '../../protocol/judging'
import type { ProblemCode } from '../../protocol/problems'
import type { Judging } from '../alerts/judging'
import type { TapeTrouble } from '../tape/contract'

const reasons: Partial<Record<ProblemCode, JudgingReason>> = {
  diskFull: 'full',
  inUse: 'locked',
  missing: 'missing',
  newerVersion: 'newer',
  unreadable: 'damaged',
}

/** What the history's trouble means for alerts. `hasFailed`: it is open, and the rules could not be read from it. */
export function historyFault(trouble: TapeTrouble | undefined, hasFailed: boolean): Parameters<Judging['set']>[1] {
  const reason = trouble && reasons[trouble.problem.code]
  if (trouble?.isOpen === false || reason === 'newer') return { reason: reason ?? 'unreadable' }
  if (hasFailed) return { reason: 'unreadable' }
  return trouble && { reason: reason ?? 'notWritable', isJudged: true }
}
