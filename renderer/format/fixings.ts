/** Daily rates and the real-time index of the same thing (wire facts 3): which belong together, when, and how far apart. */
import { percentChange, writeOut } from '../../protocol/decimal'
import type { DecimalText, IndexId } from '../../protocol/model'
import { wallClock, whenShown } from './time-zone'

/** Where a daily rate is fixed: at 16:00 of its place. */
export interface FixingPlace {
  readonly name: string
  readonly zone: string
}

const hourOfFixing = 16
const dayMs = 86_400_000

const places = {
  RR: { name: 'London', zone: 'Europe/London' },
  NY: { name: 'New York', zone: 'America/New_York' },
  AP: { name: 'Hong Kong', zone: 'Asia/Hong_Kong' },
} as const satisfies Record<string, FixingPlace>

/** The rates of Bitcoin, which are older than the rule for names. */
const ofBitcoin = { BRR: 'RR', BRRNY: 'NY', BRRAP: 'AP' } as const

function kindOf(id: IndexId): keyof typeof places | undefined {
  const bitcoin = Object.entries(ofBitcoin).find(([rate]) => rate === id)?.[1]
  return bitcoin ?? (/^[A-Z0-9]+_(RR|NY|AP)$/.exec(id)?.[1] as keyof typeof places | undefined)
}

/** Where a daily rate is fixed; `undefined` of what is none. */
export function fixingPlace(id: IndexId): FixingPlace | undefined {
  const kind = kindOf(id)
  return kind && places[kind]
}

/** The real-time index of what a daily rate is of, where the service lists it. */
export function realTimeOf(id: IndexId, listed: (id: IndexId) => boolean): IndexId | undefined {
  if (kindOf(id) === undefined) return undefined
  const wanted = id in ofBitcoin ? 'BRTI' : id.replace(/_\w+$/, '_RTI')
  return listed(wanted) ? wanted : undefined
}

/** The daily rates of what a real-time index is of, those the service lists: London, New York, Hong Kong. */
export function fixingsOf(id: IndexId, listed: (id: IndexId) => boolean): IndexId[] {
  const wanted =
    id === 'BRTI'
      ? Object.keys(ofBitcoin)
      : id.endsWith('_RTI')
        ? Object.keys(places).map((kind) => id.replace(/RTI$/, kind))
        : []
  return wanted.filter(listed)
}

/** When the next rate of a place is fixed; on business days alone it is not on a Saturday or Sunday, holidays aside. */
export function nextFixingMs({ zone }: FixingPlace, afterMs: number, onBusinessDays: boolean): number {
  const wall = wallClock(afterMs, zone)
  const today = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), hourOfFixing)
  const days = [0, 1, 2, 3].map((day) => today + day * dayMs)
  const isOpen = (shownMs: number) => !onBusinessDays || ![0, 6].includes(new Date(shownMs).getUTCDay())
  const next = days.filter(isOpen).map((shownMs) => whenShown(shownMs, zone))
  return next.find((atMs) => atMs > afterMs) ?? afterMs
}

/** A time to come in words: `19 h 44 min`, `3 d 2 h`, `less than a minute`. */
export function untilWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (minutes < 1) return 'less than a minute'
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}

/** How far `to` lies from `from` in basis points of |from|, of one digit after the point; `undefined` from zero. */
export function basisPoints(from: DecimalText, to: DecimalText): DecimalText | undefined {
  const percent = percentChange(from, to, 3)
  return percent === undefined ? undefined : writeOut(`${percent}e2`)
}
