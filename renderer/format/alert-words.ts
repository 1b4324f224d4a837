import type { AlertCondition, AlertEvent, AlertPhase, AlertView, Delivery } from '../../protocol/model'
import { publishedText } from './published-time'
import { formatValue } from './value'

export const conditionWords: Record<AlertCondition, string> = {
  atOrAbove: 'at or above',
  atOrBelow: 'at or below',
}

export const deliveryWords: Record<Delivery, string> = {
  pending: 'on its way',
  shown: 'shown',
  failed: 'could not be shown',
  clicked: 'shown, clicked',
  unknown: 'not confirmed',
  off: 'notifications are off',
}

/** A rule's state in a few words, and the sentence behind it. */
export interface PhaseWords {
  text: string
  title: string
}

export function phaseWords(rule: AlertView): PhaseWords {
  const side = rule.condition === 'atOrAbove' ? 'below' : 'above'
  const level = formatValue(rule.level)
  const words: Record<AlertPhase, PhaseWords> = {
    waiting: {
      text: 'waiting for a value',
      title: `No value of ${rule.indexId} has been seen since the rule was made`,
    },
    disarmed: {
      text: `arms ${side} ${level}`,
      title: `The condition held already; the rule waits until the value is ${side} ${level}`,
    },
    armed: {
      text: 'armed',
      title: `Tells you once when ${rule.indexId} is ${conditionWords[rule.condition]} ${level}`,
    },
    triggered: { text: 'triggered', title: 'Has told you once and is done' },
  }
  return words[rule.phase]
}

/** What happened, as one sentence's end: `reached 68,512.30, at or above 68,500.00`. */
export function eventWords(event: AlertEvent, nowMs: number): string {
  const value = formatValue(event.value)
  const met = `${conditionWords[event.condition]} ${formatValue(event.level)}`
  if (event.gapSinceMs === undefined) return `reached ${value}, ${met}`
  const from = publishedText(event.gapSinceMs, nowMs, false)
  const until = publishedText(event.publishedAtMs, nowMs, false)
  return `crossed in a gap: no values from ${from} to ${until}, then ${value}, ${met}`
}
