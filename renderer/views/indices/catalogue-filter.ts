import { family, kind, kindWords, families } from '../../../core/families'
import { resolutions, type IndexInfo } from '../../../core/model'
import { searchCatalogue } from '../../format/catalogue-search'
import { publishesWords } from '../../format/resolution-words'

export const facets = ['family', 'kind', 'base', 'quote', 'resolution'] as const
export type Facet = (typeof facets)[number]

/** A filter of the catalogue. A facet that is undefined matches every index. */
export type CatalogueFilter = { text: string } & Partial<Record<Facet, string>>

export interface FacetOption {
  key: string
  name: string
  /** Number of indices that match it and the rest of the filter. */
  count: number
}

/** The value of indices without a base or quote. */
const none = '-'

function keyOf(info: IndexInfo, facet: Facet): string {
  switch (facet) {
    case 'family':
      return family(info)
    case 'kind':
      return kind(info)
    case 'base':
      return info.base ?? none
    case 'quote':
      return info.quote ?? none
    case 'resolution':
      return info.maxResolution
  }
}

const orders: Partial<Record<Facet, readonly string[]>> = {
  family: families,
  kind: Object.keys(kindWords),
  resolution: resolutions,
}
const words: Partial<Record<Facet, Readonly<Record<string, string>>>> = {
  kind: kindWords,
  resolution: publishesWords,
}

function fits(info: IndexInfo, filter: CatalogueFilter, except?: Facet): boolean {
  return facets.every((facet) => {
    const asked = filter[facet]
    return facet === except || asked === undefined || keyOf(info, facet) === asked
  })
}

/** The indices that match, the best match first. */
export function filterCatalogue(catalogue: readonly IndexInfo[], filter: CatalogueFilter): IndexInfo[] {
  return searchCatalogue(catalogue, filter.text).filter((info) => fits(info, filter))
}

/** The options of a facet with their counts. The chosen option is included even if its count is 0. */
export function facetOptions(catalogue: readonly IndexInfo[], filter: CatalogueFilter, facet: Facet): FacetOption[] {
  const counts = new Map<string, number>()
  for (const info of searchCatalogue(catalogue, filter.text)) {
    if (!fits(info, filter, facet)) continue
    const key = keyOf(info, facet)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const chosen = filter[facet]
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0)
  const order = orders[facet]
  const place = (key: string) => (key === none ? Number.POSITIVE_INFINITY : (order?.indexOf(key) ?? 0))
  return [...counts]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([key, count]) => ({ key, name: key === none ? 'none' : (words[facet]?.[key] ?? key), count }))
}

export function isFiltered(filter: CatalogueFilter): boolean {
  return filter.text.trim() !== '' || facets.some((facet) => filter[facet] !== undefined)
}

/** The filter in words: `CME CF, Real time`. */
export function filterWords(filter: CatalogueFilter): string {
  const chosen = facets.flatMap((facet) => {
    const key = filter[facet]
    return key === undefined || key === none ? [] : [words[facet]?.[key] ?? key]
  })
  return [...chosen, filter.text.trim()].filter(Boolean).join(', ')
}
