/** Alerts in words, with grouped numbers and times in the user's zone. */
import { eventWords as wordsOfEvent, repeatedWords } from '../../core/alert-event-words'
import { amountText, termsWords } from '../../core/alert-words'
import { firingCount, type AlertEvent, type Delivery } from '../../core/alert-events'
import { hasField, type AlertCondition } from '../../core/conditions/list'
import type { AlertDraft, HoldBackReason } from '../../core/alerts'
import type { EventFormat } from '../../core/evaluation/condition'
import type { AlertSeverity } from '../../core/severity'
import { publishedText, startOfDayMs } from './published-time'
import { formatValue, type DisplayStyle } from './value'

const hourMs = 3_600_000

const deliveryWords: Record<Delivery, string> = {
  pending: 'on its way',
  shown: 'shown',
  failed: 'could not be shown',
  clicked: 'shown, clicked',
  unanswered: 'not shown: the desktop did not answer',
  unknown: 'not confirmed',
  off: 'notifications are off',
  heldBack: 'suppressed',
  inDigest: 'shown with others',
  none: '',
}

const holdBackWords: Record<HoldBackReason, string> = {
  cooldown: 'cooling down',
  snooze: 'snoozed',
  muted: 'all muted',
  hours: 'outside its hours',
  dailyLimit: 'daily limit reached',
  suspended: 'suspended',
}

/** The delivery of an event's notification: `shown`, `suppressed: snoozed`. */
export function notificationWords({ delivery, heldBackBy }: Pick<AlertEvent, 'delivery' | 'heldBackBy'>): string {
  if (delivery !== 'heldBack' || heldBackBy === undefined) return deliveryWords[delivery]
  return `suppressed: ${holdBackWords[heldBackBy]}`
}

export const severityNames: Record<AlertSeverity, string> = { info: 'Info', normal: 'Normal', urgent: 'Urgent' }

/** How a condition repeats: a level or an edge is crossed, others happen. */
export function everyWords(condition: AlertCondition): string {
  return hasField(condition, 'rearmBand') ? 'every crossing' : 'every time'
}

/** The repeat mode of a rule in words, for the table of rules. */
export function repeatWords({ repeat, terms }: Pick<AlertDraft, 'repeat' | 'terms'>): string {
  switch (repeat.mode) {
    case 'once':
      return 'once'
    case 'everyCrossing':
      return everyWords(terms.condition)
    case 'whileTrue':
      return `every ${repeat.everyMinutes} min`
    case 'daily':
      return `at most ${repeat.max} a day`
  }
}

/** The condition without the index: `rises to 68,500.00`. */
export function conditionText({ terms }: Pick<AlertDraft, 'terms'>, style: DisplayStyle): string {
  return `${termsWords(terms)} ${amountText(terms, (text) => formatValue(text, style))}`.trim()
}

/** An event without the index: `rose to 68,512.30 (level 68,500.00)`. */
export function eventWords(event: AlertEvent, nowMs: number, style: DisplayStyle): string {
  return wordsOfEvent(event, eventFormat(nowMs, style))
}

/** An event below the line of its burst, which names the level: `rose to 68,512.30`, `is above: 68,512.30`. */
export function partWords(event: AlertEvent, nowMs: number, style: DisplayStyle): string {
  const amount = amountText(event.terms, (text) => formatValue(text, style)).replace(/\W/g, '\\$&')
  const words = eventWords(event, nowMs, style)
  return amount === '' ? words : words.replace(new RegExp(` \\(\\w+ ${amount}\\)| ${amount}(?=:)`), '')
}

function eventFormat(nowMs: number, style: DisplayStyle): EventFormat {
  return { number: (text) => formatValue(text, style), time: (ms) => publishedText(ms, nowMs, false, style) }
}

/** A burst of firings, newest first, in the words of its notification: `crossed 84,720 twice, last up at 84,721.30`. */
export function burstWords(
  firings: readonly AlertEvent[],
  retractions: ReadonlyMap<string, AlertEvent>,
  nowMs: number,
  style: DisplayStyle,
): string {
  const latest = firings.find(({ id }) => !retractions.has(id)) ?? firings[0]
  return latest === undefined ? '' : repeatedWords(latest, firingCount(firings), eventFormat(nowMs, style))
}

/** How many firings of a burst were suppressed or retracted: `6 suppressed`, `1 retracted`. */
export function burstCounts(firings: readonly AlertEvent[], retracted: number): string[] {
  // Firings that an event only counts were suppressed, even if the event itself was shown.
  const suppressed = firingCount(firings) - firings.filter(({ delivery }) => delivery !== 'heldBack').length
  const counts = { suppressed, retracted }
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}

/** Groups the numbers in a text of the engine: `68,499.99 is below 68,500.00: armed`. */
export function groupedWords(words: string, style: DisplayStyle): string {
  return words.replace(/(?<![\w.:-])\d{4,}(?:\.\d+)?(?![\w-]|:\d)/g, (number) => formatValue(number, style))
}

/** A future time, to the minute: `15:00`, `22 Nov 08:00`. */
export function untilText(atMs: number, nowMs: number, style: DisplayStyle): string {
  return publishedText(atMs, nowMs, false, style).replace(/^(\d\d:\d\d):\d\d$/, '$1')
}

/** 08:00 on the user's next day. */
export function tomorrowMs(nowMs: number, style: DisplayStyle): number {
  // 36 hours after midnight is tomorrow, even if a day has 23 or 25 hours.
  return startOfDayMs(startOfDayMs(nowMs, style) + 36 * hourMs, style) + 8 * hourMs
}
