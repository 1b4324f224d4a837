import { amountText, termsWords } from '../../protocol/alert-words'
import { eventWords as wordsOfEvent } from '../../protocol/alert-event-words'
import type { AlertEvent, Delivery } from '../../protocol/alert-events'
import type { AlertPhase, AlertRepeat, AlertView } from '../../protocol/alerts'
import { publishedText } from './published-time'
import { formatValue } from './value'

export const deliveryWords: Record<Delivery, string> = {
  pending: 'on its way',
  shown: 'shown',
  failed: 'could not be shown',
  clicked: 'shown, clicked',
  unknown: 'not confirmed',
  off: 'notifications are off',
  heldBack: 'held back',
  inDigest: 'shown with others',
  none: '',
}

/** How often a rule tells, as in the table of rules. */
export function repeatWords(repeat: AlertRepeat): string {
  switch (repeat.mode) {
    case 'once':
      return 'once'
    case 'everyCrossing':
      return 'every time'
    case 'whileTrue':
      return `every ${repeat.everyMinutes} min`
    case 'daily':
      return `at most ${repeat.most} a day`
  }
}

/** A rule's state in a few words, and the sentence behind it. */
export interface PhaseWords {
  text: string
  title: string
}

export function phaseWords(rule: AlertView): PhaseWords {
  const condition = [termsWords(rule.terms), amountText(rule.terms, formatValue)].join(' ').trim()
  const words: Record<AlertPhase, PhaseWords> = {
    waiting: {
      text: 'waiting for a value',
      title: `No value of ${rule.indexId} has been seen since the rule was made`,
    },
    disarmed: { text: 'waits to re-arm', title: `The condition holds already; the rule waits until it ends` },
    armed: { text: 'armed', title: `Tells you ${repeatWords(rule.repeat)} when ${rule.indexId} ${condition}` },
    holding: { text: 'holding', title: 'The condition holds, but not yet for long enough' },
    triggered: { text: 'triggered', title: 'Has told you once and is done' },
    suspended: { text: 'suspended', title: rule.suspension ?? 'It fired too often' },
    expired: { text: 'expired', title: 'Its time is over' },
  }
  return words[rule.phase]
}

/** What happened, as one sentence's end: `rose to 68,512.30 (level 68,500.00)`. */
export function eventWords(event: AlertEvent, nowMs: number): string {
  return wordsOfEvent(event, { number: formatValue, time: (ms) => publishedText(ms, nowMs, false) })
}
