/** From a ticker of another program or of a terminal to the id of an index. */
import { misfit } from './formula'
import { formulaId, formulaProblem, parseFormula, partsOf, typedMean, type Formula } from './formula-id'
import type { IndexId, IndexInfo, Resolution } from './model'
import { nearestName } from './nearest'
import { isIndexId } from './shapes'

/** Characters of a list of tickers at most. */
export const maxTickerText = 2 ** 20

export type TickerMatch =
  /** The text is the id, or a code of the reference data. */
  | { kind: 'known'; id: IndexId }
  /** `isSame`: the text is another name of the index. Otherwise `remark` says how what it names differs. */
  | { kind: 'near'; id: IndexId; isSame: boolean; remark?: string }
  | { kind: 'unknown'; remark: string }

/** A ticker as written, with its line, the first of which is 1. */
interface WrittenTicker {
  text: string
  line: number
}

/** A line or a part of one from which nothing was taken, and why. */
export interface UnreadLine extends WrittenTicker {
  reason: string
}

/** A section of a text. Without a name it is what comes before the first section. */
export interface TickerSection<Ticker extends WrittenTicker = WrittenTicker> {
  name?: string
  tickers: Ticker[]
}

export type MatchedTicker = WrittenTicker & { match: TickerMatch }

type Known = Pick<IndexInfo, 'id' | 'codes'> & Partial<Pick<IndexInfo, 'maxResolution'>>

/** Names of the same asset at exchanges, and a renamed one. */
const assetNames: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE', MATIC: 'POL' }
/** Pairs whose id does not follow the pattern. The first one that the provider lists counts. */
const pairIds: Readonly<Record<string, readonly IndexId[]>> = {
  BTCUSD: ['BRTI'],
  ERTI: ['ETHUSD_RTI'],
  ETHBTC: ['ETHBTC_USDRTI'],
  HYPEUSD: ['HYPEUSD_RTI', 'U_HYPEUSD_RTI'],
}
/** The rate to which bitcoin futures settle. */
const settlementIds: Readonly<Record<string, IndexId>> = { 'BTC1!': 'BRR', MBT: 'BRR', 'MBT1!': 'BRR', BFF: 'BRRNY' }
/** Indices of other providers, after `bareTicker`. */
const foreignIds: ReadonlySet<string> = new Set(['BITCOIN', 'BGCI', 'BXBT', 'BETH'])
const dollarTokens = /^(.+)(USDT|USDC|BUSD)$/

interface Lookup {
  ids: readonly IndexId[]
  resolutions: ReadonlyMap<IndexId, Resolution | undefined>
  byId: ReadonlyMap<string, IndexId>
  byCode: ReadonlyMap<string, IndexId>
  /** By id without its underscores. */
  byLetters: ReadonlyMap<string, IndexId>
}

// The catalogue is the same object for all tickers of a text, and while a user types.
const lookups = new WeakMap<readonly Known[], Lookup>()

function lookupOf(catalogue: readonly Known[]): Lookup {
  const made = lookups.get(catalogue)
  if (made !== undefined) return made
  const ids = catalogue.map(({ id }) => id)
  const lookup = {
    ids,
    resolutions: new Map(catalogue.map(({ id, maxResolution }) => [id, maxResolution])),
    byId: new Map(ids.map((id) => [id.toUpperCase(), id])),
    byCode: new Map(catalogue.flatMap(({ id, codes = [] }) => codes.map((code) => [bareTicker(code), id]))),
    byLetters: new Map(ids.map((id) => [lettersOf(id.toUpperCase()), id])),
  }
  lookups.set(catalogue, lookup)
  return lookup
}

/** In capitals, without quotes, exchange, and what terminals put around a code. */
function bareTicker(written: string): string {
  return written
    .toUpperCase()
    .replace(/["'“”‘’`$]/g, '')
    .replace(/^.*:/su, '')
    .trim()
    .replace(/\s+(?:INDEX|CURNCY)$/, '')
    .replace(/^\.|=$/g, '')
    .trim()
}

function lettersOf(text: string): string {
  return text.replace(/[\s/_-]/g, '')
}

/** The index that a ticker names. Its id counts first, then a code of the reference data, then the usual names. */
export function matchTicker(catalogue: readonly Known[], written: string): TickerMatch {
  const lookup = lookupOf(catalogue)
  const { byId, byCode, byLetters } = lookup
  const bare = bareTicker(written)
  const id = byId.get(written.trim().toUpperCase()) ?? byCode.get(bare) ?? byId.get(bare)
  if (id !== undefined) return { kind: 'known', id }
  const formula = typedFormula(written)
  if (formula !== undefined) return matchFormula(lookup, formula)
  if (foreignIds.has(bare)) return { kind: 'unknown', remark: 'An index of another provider.' }
  const letters = lettersOf(bare)
  const same = byLetters.get(letters)
  if (same !== undefined) return { kind: 'near', id: same, isSame: true }
  return (
    futureMatch(byId, letters) ??
    spotMatch(byId, letters) ??
    codeProblem(bare) ?? { kind: 'unknown', remark: 'The provider does not list it.' }
  )
}

/** The formula that a user typed. It may be an invalid mean. */
export function typedFormula(written: string): Formula | undefined {
  return parseFormula(written.trim()) ?? typedMean(written)
}

function matchFormula({ byId, resolutions }: Lookup, typed: Formula): TickerMatch {
  const unknown = (remark: string) => ({ kind: 'unknown', remark }) as const
  const problem = formulaProblem(typed)
  if (problem !== undefined) return unknown(problem)
  const missing = partsOf(typed).find((part) => !byId.has(part.toUpperCase()))
  if (missing !== undefined) return unknown(`The provider does not list ${missing}.`)
  const index = typed.operation === 'mean' ? byId.get(typed.index.toUpperCase()) : undefined
  const id = formulaId(typed.operation === 'mean' ? { ...typed, index: index ?? typed.index } : typed)
  const unfit = misfit(id, (part) => resolutions.get(part))
  return unfit === undefined ? { kind: 'known', id } : unknown(unfit)
}

/** The index with an id of almost the same letters. Takes a millisecond. */
export function matchSpelling(catalogue: readonly Known[], written: string): TickerMatch | undefined {
  const bare = bareTicker(written)
  // With three letters, one changed letter makes another ticker.
  const id = bare.length < 4 ? undefined : nearestName(bare, lookupOf(catalogue).ids)
  return id === undefined ? undefined : { kind: 'near', id, isSame: false, remark: 'Its id is spelled differently.' }
}

function futureMatch(byId: Lookup['byId'], letters: string): TickerMatch | undefined {
  const contract = letters.replace(/=F$/, '1!')
  const settled = settlementIds[contract]
  if (settled !== undefined && byId.has(settled)) {
    return { kind: 'near', id: settled, isSame: false, remark: `A future, which settles to ${settled}.` }
  }
  const spot = contract.endsWith('1!') ? spotMatch(byId, contract.slice(0, -2)) : undefined
  return spot?.kind === 'near' ? { ...spot, isSame: false, remark: 'A future, not an index.' } : undefined
}

/** Spot pairs, as exchanges and event markets write them. */
function spotMatch(byId: Lookup['byId'], letters: string): TickerMatch | undefined {
  const spot = letters
    .replace(/(?<=.)(?:\.P|PERP)$/, '')
    .replace(/^X([A-Z]{3})Z(USD|EUR)$/, '$1$2')
    .replace(/^KX([A-Z]+?)(?:15M|D)?$/, '$1')
  const [, tokenBase, token] = dollarTokens.exec(spot) ?? []
  // BNBUSD is BNB in USD, not BN in BUSD.
  const inToken = tokenBase === undefined ? undefined : pairMatch(byId, tokenBase, 'USD')
  if (inToken) return { ...inToken, isSame: false, remark: `The index is in USD, the ticker in ${token}.` }
  const [, base = spot, quote = 'USD'] = /^(.+)(USD|EUR)$/.exec(spot) ?? []
  return pairMatch(byId, base, quote) ?? pairMatch(byId, spot, 'USD')
}

function pairMatch(byId: Lookup['byId'], base: string, quote: string) {
  const asset = assetNames[base] ?? base
  const pair = asset + quote
  const id = [...(pairIds[pair] ?? pairIds[asset] ?? []), `${pair}_RTI`].find((each) => byId.has(each))
  if (id === undefined) return undefined
  const renamed = base === 'MATIC' ? { remark: 'MATIC is now POL.' } : {}
  return { kind: 'near', id, isSame: true, ...renamed } as const
}

/** True if a text has the form of a code that only reference data explain: an ISIN, a SEDOL or a terminal's code. */
export function isCode(written: string): boolean {
  const bare = bareTicker(written)
  const isOfTerminal = /^\.[A-Z0-9]{3,}$|^\S{3,} (?:INDEX|CURNCY)$/i.test(written.trim())
  return isOfTerminal || (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(bare) && isIsin(bare)) || isSedol(bare)
}

/** What a text with the form of a securities code is. */
function codeProblem(bare: string): TickerMatch | undefined {
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(bare)) {
    const remark = isIsin(bare)
      ? 'An ISIN that is not in the reference data.'
      : 'The check digit of this ISIN is wrong.'
    return { kind: 'unknown', remark }
  }
  return isSedol(bare) ? { kind: 'unknown', remark: 'A SEDOL that is not in the reference data.' } : undefined
}

/** The Luhn sum of its digits, letters as 10 to 35, is a multiple of ten. */
function isIsin(code: string): boolean {
  const digits = Array.from(code, (letter) => String(parseInt(letter, 36))).join('')
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

const sedolWeights = [1, 3, 1, 7, 3, 9, 1]

function isSedol(bare: string): boolean {
  if (!/^[0-9B-DF-HJ-NP-TV-Z]{6}\d$/.test(bare)) return false
  const sum = Array.from(bare).reduce((total, letter, at) => total + parseInt(letter, 36) * (sedolWeights[at] ?? 0), 0)
  return sum % 10 === 0
}

/** A ticker with the words that belong to it: `BTC / USD`, `BTC USD`, `BRTI Index`. */
const spacedTicker = /\S+(?:\s+[-/]\s+\S+|\s+(?:INDEX|CURNCY|USD[TC]?|BUSD|EUR|PERP)(?!\S))*/gi
/** What begins an item of a list in a note. */
const bullet = /^\s*(?:[-*•]|\d+[.)])\s+/

/** What separates the tickers of a line. A mean has a comma within its brackets. */
export const tickerSeparator = /[,;\t](?![^()]*\))/

/** The tickers of one line, which commas, semicolons, tabs and blanks separate. */
export function tickersIn(line: string): string[] {
  return line
    .replace(bullet, '')
    .split(tickerSeparator)
    .flatMap((part) =>
      isIndexId(part.trim()) || typedMean(part) !== undefined ? [part.trim()] : (part.match(spacedTicker) ?? []),
    )
}
