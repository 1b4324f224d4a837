/** Which family an index belongs to and what it is, read off its id and its name: the service says neither. */
import type { IndexInfo } from './model'

/** Who stands behind an index. `Other` is also what cannot be known without a name. */
export const families = ['CME CF', 'CF', 'Nasdaq', 'Other'] as const
export type Family = (typeof families)[number]

/** Each kind as it is shown, and found by. */
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

/** What a name or an id shows; the first that fits counts. */
interface Sign<T> {
  is: T
  name?: RegExp
  id?: RegExp
}

// A name starts with who calculates the index. Ids help only where they are of one family for certain:
// whether `X_RTI` is of CME CF or of CF alone, no id says.
const familySigns: Sign<Family>[] = [
  { is: 'CME CF', name: /^CME[ -]CF\b/i },
  { is: 'Nasdaq', name: /^Nasdaq\b/i },
  { is: 'CF', name: /^CF\b/i },
  { is: 'CME CF', id: /^(BRTI|BRR|BRRNY|BRRAP|BVXS?)$/ },
  { is: 'Nasdaq', id: /^(NQ[A-Z0-9]{3,}|NCI(US)?S?)$/ },
  { is: 'CF', id: /_(RTI|RR)_TR$|_SR(R|IC?)(_[A-Z]+)?$|^(CFCM|CFQ|IDAX)|^(AUIRR|BIRC|KFRI|USDT)$|TWAP|OPTRR$/ },
]

// The particular before the general: a basket of staked assets is a staked return, and a basket published every second
// is a basket.
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

/** The family of an index; its name decides, and where there is none, an id that is of one family alone. */
export function family(info: Pick<IndexInfo, 'id' | 'name'>): Family {
  return matching(familySigns, info) ?? 'Other'
}

/** What an index is; where neither id nor name say, how often it publishes does. */
export function kind(info: Pick<IndexInfo, 'id' | 'name' | 'maxResolution'>): Kind {
  const isSlow = info.maxResolution === 'DAILY' || info.maxResolution === 'BUSINESS_DAYS'
  return matching(kindSigns, info) ?? (isSlow ? 'referenceRate' : 'realTime')
}
