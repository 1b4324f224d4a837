import { judgingWords, type Judging as JudgingView, type JudgingReason } from '../../protocol/judging'
import type { ProblemCode } from '../../core/problems'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { HistoryTrouble } from '../history-store/contract'

/** What can stop evaluation. The first one that applies is shown. */
const sources = ['settings', 'history', 'lost', 'key'] as const
type Source = (typeof sources)[number]

interface JudgingFault {
  reason: JudgingReason
  /** The affected connection, if others still work. */
  connection?: string
  /** The alerts are evaluated, but nothing is recorded. */
  isJudged?: true
}

interface JudgingEvents {
  changed: JudgingView
}

/**
 * Knows whether alerts are evaluated. Everything that stops them reports it here, and every display shows this state.
 * The state is `reading` until the rules are first read.
 */
export class Judging {
  readonly events: Emitter<JudgingEvents>
  readonly #clock: Clock
  readonly #faults = new Map<Source, JudgingFault>()
  #areRulesRead = false
  #sinceMs: number
  #view: JudgingView = { state: 'reading' }

  constructor({ clock, onError }: { clock: Clock; onError: (error: unknown) => void }) {
    this.#clock = clock
    this.#sinceMs = clock.wallMs()
    this.events = new Emitter(onError)
  }

  get view(): JudgingView {
    return this.#view
  }

  set(source: Source, fault: JudgingFault | undefined): void {
    if (fault === undefined) this.#faults.delete(source)
    else this.#faults.set(source, fault)
    this.#changed()
  }

  setRulesRead(areRead: boolean): void {
    this.#areRulesRead = areRead
    this.#changed()
  }

  #changed(): void {
    const before = this.#view
    const wasOn = before.state === 'judged'
    const next = this.#next()
    if (wasOn && next.state !== 'judged') this.#sinceMs = this.#clock.wallMs()
    this.#view = 'reason' in next ? { ...next, sinceMs: this.#sinceMs } : next
    if (JSON.stringify(before) !== JSON.stringify(this.#view)) this.events.emit('changed', this.#view)
  }

  #next(): JudgingView {
    const faults = sources.flatMap((source) => this.#faults.get(source) ?? [])
    const fault = faults.find(({ isJudged }) => isJudged !== true) ?? (this.#areRulesRead ? faults[0] : undefined)
    if (fault === undefined) return { state: this.#areRulesRead ? 'judged' : 'reading' }
    const { reason, connection, isJudged } = fault
    const { because, remedy } = judgingWords[reason]
    const whose = connection === undefined ? 'Alerts' : `Alerts of “${connection}”`
    const summary = `${whose} are ${isJudged === true ? 'not recorded' : 'off'}`
    return {
      state: isJudged === true ? 'notRecorded' : 'off',
      reason,
      summary,
      words: `${summary}: ${because}`,
      remedy,
      sinceMs: this.#sinceMs,
      areRulesRead: this.#areRulesRead,
    }
  }
}

const historyReasons: Partial<Record<ProblemCode, JudgingReason>> = {
  diskFull: 'full',
  inUse: 'locked',
  missing: 'missing',
  newerVersion: 'newer',
  unreadable: 'damaged',
}

/**
 * What trouble with the history means for alerts. `hasFailed`: the history is open, but the rules could not be read.
 */
export function historyFault(trouble: HistoryTrouble | undefined, hasFailed: boolean): JudgingFault | undefined {
  const reason = trouble && historyReasons[trouble.problem.code]
  if (trouble?.isOpen === false || reason === 'newer') return { reason: reason ?? 'unreadable' }
  if (hasFailed) return { reason: 'unreadable' }
  return trouble && { reason: reason ?? 'notWritable', isJudged: true }
}
