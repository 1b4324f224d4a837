/** Derives the family and the kind of an index from its id and name, because the service states neither. */
import type { IndexInfo } from './model'

/** The publisher of an index. `Other` also if there is no name to tell. */
export const families = ['CME CF', 'CF', 'Nasdaq', 'Other'] as const
export type Family = (typeof families)[number]

/** The texts of kinds, for display and search. */
export const kindWords = {
  realTime: 'Real time',
  referenceRate: 'Reference rate',
  basket: 'Basket',
  stakingRate: 'Staking reward',
  stakedReturn: 'Staked return',
  volatility: 'Volatility',
  interestRate: 'Interest rate',
  tokenizedEquity: 'Tokenized equity',
} as const
export type Kind = keyof typeof kindWords

/** A pattern in a name or an id. The first match counts. */
interface Sign<T> {
  is: T
  name?: RegExp
  id?: RegExp
}

// Names start with the calculating company. An id counts only if it is unique to a family. For example, `X_RTI` may be
// CME CF or CF.
const familySigns: Sign<Family>[] = [
  { is: 'CME CF', name: /^CME[ -]CF\b/i },
  { is: 'Nasdaq', name: /^Nasdaq\b/i },
  { is: 'CF', name: /^CF\b/i },
  { is: 'CME CF', id: /^(BRTI|BRR|BRRNY|BRRAP|BVXS?)$/ },
  { is: 'Nasdaq', id: /^(NQ[A-Z0-9]{3,}|NCI(US)?S?)$/ },
  { is: 'CF', id: /_(RTI|RR)_TR$|_SR(R|IC?)(_[A-Z]+)?$|^(CFCM|CFQ|IDAX)|^(AUIRR|BIRC|KFRI|USDT)$|TWAP|OPTRR$/ },
]

// Specific patterns first: a basket of staked assets is a staked return, and a basket published every second is a
// basket.
const kindSigns: Sign<Kind>[] = [
  { is: 'tokenizedEquity', name: /\btokeni[sz]ed\b|\bxstocks?\b/i },
  { is: 'stakingRate', name: /\bstaking reward/i, id: /_SRR$/ },
  { is: 'stakedReturn', name: /\bstaked return/i, id: /_SRIC?(_[A-Z]+)?$|SRIB\d+/ },
  { is: 'volatility', name: /\bvolatility\b/i, id: /^BVXS?$/ },
  { is: 'interestRate', name: /\b(interest|funding) rate\b/i, id: /^(AUIRR|BIRC|KFRI|USDT)$/ },
  { is: 'basket', name: /\b(basket|composite|portfolio)\b/i, id: /_(RTI|RR)_TR$|^NCI(US)?S?$|^IDAX|^CFCM/ },
  { is: 'realTime', id: /RTI$/ },
  { is: 'referenceRate', id: /RR(NY|AP)?$|_(NY|AP)$|^NQ[A-Z0-9]+ST?$/ },
  { is: 'realTime', name: /\breal[ -]time\b|\bspot rate\b/i },
  { is: 'referenceRate', name: /\breference rate\b|\bsettlement\b/i },
]

function matching<T>(signs: readonly Sign<T>[], { id, name }: Pick<IndexInfo, 'id' | 'name'>): T | undefined {
  return signs.find((sign) => sign.id?.test(id) === true || (name !== undefined && sign.name?.test(name) === true))?.is
}

/** The family of an index by its name. Without a name, by an id that is unique to a family. */
export function family(info: Pick<IndexInfo, 'id' | 'name'>): Family {
  return matching(familySigns, info) ?? 'Other'
}

/** The kind of an index. If id and name do not tell, by how often it publishes. */
export function kind(info: Pick<IndexInfo, 'id' | 'name' | 'maxResolution'>): Kind {
  const isSlow = info.maxResolution === 'DAILY' || info.maxResolution === 'BUSINESS_DAYS'
  return matching(kindSigns, info) ?? (isSlow ? 'referenceRate' : 'realTime')
}
