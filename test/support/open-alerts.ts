import type { AlertEvent } from '../../protocol/alert-events'
import type { Quote } from '../../protocol/model'
import { AlertEngine } from '../../main/alerts/engine'
import type { TailSize } from '../../main/alerts/inbox'
import { createLog } from '../../main/base/log'
import { QuoteStore } from '../../main/quotes/quote-store'
import { FakeClock } from './fake-clock'
import { MemoryAppendFile } from './memory-append-file'
import { MemoryJsonFile } from './memory-json-file'
import { levelDraft } from './sample-alerts'

export const startMs = Date.UTC(2023, 10, 1, 12)
export const above = levelDraft('100.00')

/** The engine behind a real quote store, as in the app. Ids are a, b, c and so on. */
export async function openAlerts(
  file = new MemoryJsonFile(),
  { archive = new MemoryAppendFile(), tailSize }: { archive?: MemoryAppendFile; tailSize?: TailSize } = {},
) {
  const clock = new FakeClock(startMs)
  let made = 0
  const throwOn = (error: unknown) => {
    throw error
  }
  const lines: string[] = []
  const quotes = new QuoteStore({ clock, onError: throwOn })
  const engine = new AlertEngine({
    clock,
    newId: () => idAt(made++),
    log: createLog({ write: (line) => lines.push(line), redact: (text) => text, clock }),
    cadenceOf: (id) => (id === 'UNKNOWN' ? undefined : 'PER_SECOND'),
    ...(tailSize !== undefined && { tailSize }),
  })
  quotes.events.on('changed', ({ previous, next }) => {
    engine.consider(previous, next)
  })
  quotes.events.on('amended', ({ id, publication }) => {
    engine.amend(id, publication)
  })
  const fired: AlertEvent[] = []
  const notices: string[] = []
  let changes = 0
  engine.events.on('notify', (notification) =>
    fired.push(...(notification.kind === 'single' ? [notification.event] : notification.events)),
  )
  engine.events.on('notice', (notice) => notices.push(notice))
  engine.events.on('changed', () => changes++)
  const read = await engine.use({ file, archive })
  /** Publishes now and lets a second pass. */
  const publish = (value: string, more: Partial<Quote> = {}) => {
    quotes.apply(more.id ?? 'BRTI', { value, publishedAtMs: clock.wallMs(), ...more }, 'stream')
    clock.advance(1_000)
  }
  return { clock, file, archive, lines, quotes, engine, fired, notices, read, publish, changes: () => changes }
}

/** a to z, then a1 to z1 and so on. */
function idAt(at: number): string {
  const round = Math.floor(at / 26)
  return String.fromCharCode(97 + (at % 26)) + (round === 0 ? '' : String(round))
}
