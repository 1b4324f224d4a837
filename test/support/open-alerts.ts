import type { AlertEvent, Quote } from '../../protocol/model'
import { AlertEngine } from '../../main/alerts/engine'
import { createLog } from '../../main/base/log'
import { QuoteStore } from '../../main/quotes/quote-store'
import { FakeClock } from './fake-clock'
import { MemoryJsonFile } from './memory-json-file'

export const startMs = Date.UTC(2023, 10, 1, 12)
export const above = { indexId: 'BRTI', condition: 'atOrAbove', level: '100.00', whenAlreadyMet: 'wait' } as const

/** The engine behind a real quote store, as in the app. Ids are a, b, c and so on. */
export async function openAlerts(file = new MemoryJsonFile()) {
  const clock = new FakeClock(startMs)
  const remaining = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const throwOn = (error: unknown) => {
    throw error
  }
  const lines: string[] = []
  const quotes = new QuoteStore({ clock, onError: throwOn })
  const engine = new AlertEngine({
    file,
    clock,
    newId: () => remaining.shift() ?? 'used up',
    log: createLog({ write: (line) => lines.push(line), redact: (text) => text, clock }),
    cadenceOf: (id) => (id === 'UNKNOWN' ? undefined : 'PER_SECOND'),
  })
  quotes.events.on('changed', ({ previous, next }) => {
    engine.consider(previous, next)
  })
  const fired: AlertEvent[] = []
  const notices: string[] = []
  let changes = 0
  engine.events.on('fired', (event) => fired.push(event))
  engine.events.on('notice', (notice) => notices.push(notice))
  engine.events.on('changed', () => changes++)
  const read = await engine.load()
  /** Publishes now and lets a second pass. */
  const publish = (value: string, more: Partial<Quote> = {}) => {
    quotes.apply(more.id ?? 'BRTI', { value, publishedAtMs: clock.wallMs(), ...more }, 'stream')
    clock.advance(1_000)
  }
  return { clock, file, lines, quotes, engine, fired, notices, read, publish, changes: () => changes }
}
