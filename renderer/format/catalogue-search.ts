import type { IndexInfo } from '../../protocol/model'

/** As the main process will judge it; a test holds the two together. */
export const idShape = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

function words(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function rank(info: IndexInfo, terms: readonly string[]): number | undefined {
  const id = info.id.toLowerCase()
  const name = (info.name ?? '').toLowerCase()
  const pair = [info.base, info.quote].map((asset) => (asset ?? '').toLowerCase())
  let worst = 0
  for (const term of terms) {
    if (id === term) worst = Math.max(worst, 0)
    else if (id.startsWith(term)) worst = Math.max(worst, 1)
    else if (pair.includes(term)) worst = Math.max(worst, 2)
    else if (` ${name}`.includes(` ${term}`) || name.includes(`-${term}`)) worst = Math.max(worst, 3)
    else if (id.includes(term) || name.includes(term)) worst = Math.max(worst, 4)
    else return undefined
  }
  return worst
}

/**
 * The indices in which every word of `text` is found: in id, name, base or quote. An exact id comes first, then ids
 * that start with the text, then assets, then names; all of them in the catalogue's order when there is no text.
 */
export function searchCatalogue(catalogue: readonly IndexInfo[], text: string): IndexInfo[] {
  const terms = words(text)
  if (terms.length === 0) return [...catalogue]
  return catalogue
    .flatMap((info) => {
      const place = rank(info, terms)
      return place === undefined ? [] : [{ info, place }]
    })
    .sort((a, b) => a.place - b.place)
    .map(({ info }) => info)
}

/** Whether `text` could be an index id that the service knows and the catalogue does not. */
export function looksLikeId(text: string): boolean {
  return idShape.test(text)
}
