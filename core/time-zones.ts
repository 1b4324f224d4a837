/** Time zones by city, by UTC offset and by abbreviation. */
import { isTimeZone } from './shapes'

const hourMs = 3_600_000

/** Current names of zones that the platform lists under an older one (CLDR's aliases). */
const newerNames = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Cordoba',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
]

/** Abbreviations for a place's clock in summer and winter. */
const clocks: Readonly<Record<string, string>> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
}

/** An abbreviation for a place's clock in one half of the year, `offsetMs` ahead of UTC. */
export interface SeasonalZone {
  abbreviation: string
  place: string
  offsetMs: number
}

const seasonal: Readonly<Record<string, [place: string, hours: number]>> = {
  EST: ['America/New_York', -5],
  EDT: ['America/New_York', -4],
  CDT: ['America/Chicago', -5],
  MST: ['America/Denver', -7],
  MDT: ['America/Denver', -6],
  PST: ['America/Los_Angeles', -8],
  PDT: ['America/Los_Angeles', -7],
  BST: ['Europe/London', 1],
  WET: ['Europe/Lisbon', 0],
  WEST: ['Europe/Lisbon', 1],
  CET: ['Europe/Berlin', 1],
  CEST: ['Europe/Berlin', 2],
  EET: ['Europe/Athens', 2],
  EEST: ['Europe/Athens', 3],
  MSK: ['Europe/Moscow', 3],
  HKT: ['Asia/Hong_Kong', 8],
  SGT: ['Asia/Singapore', 8],
  JST: ['Asia/Tokyo', 9],
  KST: ['Asia/Seoul', 9],
  AEST: ['Australia/Sydney', 10],
  AEDT: ['Australia/Sydney', 11],
}

/** Abbreviations that several places use for different clocks. */
const shared: Readonly<Record<string, readonly string[]>> = {
  IST: ['Kolkata', 'Jerusalem', 'Dublin'],
  CST: ['Chicago', 'Shanghai'],
  AST: ['Halifax', 'Riyadh'],
}

let names: readonly string[] | undefined

/** All zones to choose from, under their current names and those that the platform lists. */
export function zoneNames(): readonly string[] {
  const all = ['UTC', ...newerNames, ...Intl.supportedValuesOf('timeZone')]
  names ??= [...new Set(all.filter(isTimeZone))].sort()
  return names
}

/** The zone for `Kolkata`, `new york`, `Europe/Kyiv`, `utc` or `ET`. Undefined if none matches. */
export function findZone(typed: string): string | undefined {
  const wanted = typed.trim().replace(/ /g, '_').toLowerCase()
  const isMeant = (zone: string) => zone.toLowerCase() === wanted || zone.toLowerCase().endsWith(`/${wanted}`)
  const known = clocks[wanted.toUpperCase()] ?? zoneNames().find(isMeant)
  return known ?? (wanted.includes('/') && isTimeZone(typed.trim()) ? typed.trim() : undefined)
}

/** The zone for `EST`, `CEST` and the like. Undefined for any other text. */
export function seasonalZone(typed: string): SeasonalZone | undefined {
  const abbreviation = typed.toUpperCase()
  const [place, hours] = seasonal[abbreviation] ?? []
  return place === undefined || hours === undefined ? undefined : { abbreviation, place, offsetMs: hours * hourMs }
}

/** The cities that an ambiguous abbreviation can mean. */
export function citiesOf(abbreviation: string): readonly string[] {
  return shared[abbreviation.toUpperCase()] ?? []
}
