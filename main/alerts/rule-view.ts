import type { AlertPhase, AlertRule, AlertView } from '../../protocol/alerts'
import type { DecimalText } from '../../protocol/model'
import type { RuleQuiet } from './quieting'
import type { RuleRun } from './rule-run'
import { heldMsOf, phaseOf, type RuleState } from './rules/state'

interface Shown {
  state: RuleState
  quiet: RuleQuiet
  measure: DecimalText | undefined
  view: AlertView
}

/** Rules as they are shown. The view of a rule is the very same object while nothing of it has changed. */
export class RuleViews {
  readonly #shown = new WeakMap<RuleRun, Shown>()

  of(run: RuleRun, quiet: RuleQuiet, measure: DecimalText | undefined): AlertView {
    const { state } = run
    const shown = this.#shown.get(run)
    if (shown?.state === state && shown.quiet === quiet && shown.measure === measure) return shown.view
    const view = viewOf(run, quiet, measure)
    this.#shown.set(run, { state, quiet, measure, view })
    return view
  }
}

/** A rule with its present state. What it is done with, it stays done with; what ends it counts before what pauses it. */
function viewOf({ rule, state }: RuleRun, quiet: RuleQuiet, measure: DecimalText | undefined): AlertView {
  const phase = phaseOf(state)
  const heldMs = heldMsOf(state)
  const { cooldown, suspension } = quiet
  return {
    ...rule,
    phase: phase === 'triggered' ? phase : (outsidePhase(quiet) ?? phase),
    ...(heldMs !== undefined && { heldMs }),
    ...(suspension !== undefined && { suspension }),
    ...(cooldown !== undefined && { cooldown: { untilMs: cooldown.untilMs, heldBack: cooldown.heldBack } }),
    ...(measure !== undefined && { measure }),
  }
}

function outsidePhase({ isExpired, suspension }: RuleQuiet): AlertPhase | undefined {
  if (isExpired === true) return 'expired'
  return suspension === undefined ? undefined : 'suspended'
}

/** Whether the rule's time is over, also where nobody has said so yet. */
export function isExpired({ expiresAt }: AlertRule, quiet: RuleQuiet, nowMs: number): boolean {
  return quiet.isExpired === true || (expiresAt !== undefined && expiresAt.atMs <= nowMs)
}
