import { formulaInfo } from '../../core/formula'
import { family, kind, kindWords } from '../../core/families'
import type { IndexInfo } from '../../core/model'
import { matchTicker } from '../../core/tickers'

/** The same check as in the main process. A test compares them. */
export const idShape = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** The searched texts of an index, in lower case. */
interface Searched {
  id: string
  name: string
  pair: string[]
  /** Family and kind as on screen. */
  traits: string
}

// The catalogue is the same object while the user types.
const searchedOf = new WeakMap<IndexInfo, Searched>()

function searched(info: IndexInfo): Searched {
  const known = searchedOf.get(info)
  if (known !== undefined) return known
  const made = {
    id: info.id.toLowerCase(),
    name: (info.name ?? '').toLowerCase(),
    pair: [info.base, info.quote].flatMap((asset) => (asset === undefined ? [] : [asset.toLowerCase()])),
    traits:
      `${family(info)} ${kindWords[kind(info)]}${kind(info) === 'referenceRate' ? ' daily fixing' : ''}`.toLowerCase(),
  }
  searchedOf.set(info, made)
  return made
}

function words(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function placesOf(text: string, term: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) places.push(at)
  return places
}

/** The positions in `text` at which a word starts with `term`. */
function wordStarts(text: string, term: string): number[] {
  return placesOf(text, term).filter((at) => at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)))
}

/** How well a word matches: 0 the id, 1 the start of the id, 2 an asset or the start of a word, 3 anywhere. */
function rank({ id, name, pair, traits }: Searched, term: string): number | undefined {
  if (id === term) return 0
  if (id.startsWith(term)) return 1
  if (pair.includes(term) || wordStarts(name, term).length > 0) return 2
  return [id, name, traits, ...pair].some((text) => text.includes(term)) ? 3 : undefined
}

/** Longer texts are not tickers. */
const maxTicker = 200

/**
 * The index that `text` names as a ticker or a code, or the formula that it is, then those that contain every word of `text` in id, name, base, quote,
 * family or kind. The worst rank of the words decides the order, then the sum of ranks, then the catalogue's order. Without
 * a text all indices are returned.
 */
export function searchCatalogue(catalogue: readonly IndexInfo[], text: string): IndexInfo[] {
  const terms = words(text)
  if (terms.length === 0) return [...catalogue]
  const match = text.length > maxTicker ? undefined : matchTicker(catalogue, text)
  const infoOf = (id: string) => catalogue.find((info) => info.id === id)
  const named = match && 'id' in match ? (infoOf(match.id) ?? formulaInfo(match.id, infoOf)) : undefined
  const found = catalogue
    .flatMap((info) => {
      const ranks = terms.map((term) => rank(searched(info), term))
      const known = ranks.filter((place) => place !== undefined)
      if (known.length < ranks.length) return []
      return [{ info, worst: Math.max(...known), sum: known.reduce((sum, place) => sum + place, 0) }]
    })
    .sort((a, b) => a.worst - b.worst || a.sum - b.sum)
    .map(({ info }) => info)
  return named === undefined ? found : [named, ...found.filter((info) => info !== named)]
}

/** A piece of a text. `isFound` is true if it matches the search. */
export interface Piece {
  text: string
  isFound: boolean
}

/**
 * Splits `text` around words of the search: at the start of words, otherwise anywhere. A single letter counts only at the
 * start of words, because it is nearly everywhere. The pieces add up to the text.
 */
export function foundPieces(text: string, search: string): Piece[] {
  const small = text.toLowerCase()
  const isFound = Array.from({ length: text.length }, () => false)
  // Some letters change their length in lower case. Positions in the two texts then differ.
  for (const term of small.length === text.length ? words(search) : []) {
    const starts = wordStarts(small, term)
    const isAnywhere = starts.length === 0 && term.length > 1
    for (const at of isAnywhere ? placesOf(small, term) : starts) isFound.fill(true, at, at + term.length)
  }
  const pieces: Piece[] = []
  for (const [at, found] of isFound.entries()) {
    const last = pieces.at(-1)
    if (last?.isFound === found) last.text += text.charAt(at)
    else pieces.push({ text: text.charAt(at), isFound: found })
  }
  return pieces
}

/** True if `text` could be an index id that the catalogue does not have. */
export function looksLikeId(text: string): boolean {
  return idShape.test(text)
}
