/** Whether a rule can fire at all (alert engine, 20), according to what the services are known to offer. */
import { missingFor } from './alert-index-checks'
import type { DraftProblem } from './alert-events'
import { dependsOn, type AlertDraft, type AlertTerms } from './alerts'
import { specOf } from './conditions/list'
import type { Constituent, IndexId, IndexInfo, MarketConditions } from './model'
import { nearestName } from './nearest'

/** What the services are known to offer for a rule. */
export interface Offered {
  /** As the catalogue describes it. */
  index?: IndexInfo
  /** Whether a service has the index. Undefined while unknown. */
  isKnown?: boolean
  /** All listed ids, for suggestions. */
  listedIds?: readonly IndexId[]
  /** The service's own reason for refusing the index. */
  refusal?: string
  /** Undefined while unknown. */
  constituents?: readonly Constituent[]
  /** The last ones. Null if the service refused them, undefined while unknown. */
  conditions?: MarketConditions | null
}

/** `unknown`: no service has answered yet. `cannotFire` is the reason, without a subject. */
export type Reach = 'possible' | 'unknown' | { cannotFire: string }

type Aims = Pick<AlertDraft, 'indexId' | 'terms'>

export function reachOf({ indexId, terms }: Aims, offered: Offered): Reach {
  const { index, isKnown, refusal, constituents, conditions } = offered
  if (refusal !== undefined) return { cannotFire: `the provider refuses ${indexId}: ${refusal.replace(/\.$/, '')}` }
  if (isKnown === false) return { cannotFire: `the provider does not list ${indexId} for this key` }
  const missing = missingFor(specOf(terms.condition).requires, index)?.split('. ')[0]
  if (missing !== undefined) return { cannotFire: missing }
  const fault = memberFault({ indexId, terms }, constituents)
  if (fault !== undefined) return { cannotFire: fault.fact.replace(/^N/, 'n') }
  const unpublished = conditionsMissing({ indexId, terms }, conditions)
  if (unpublished !== undefined) return { cannotFire: unpublished }
  const isOpen =
    isKnown === undefined ||
    (namesMember(terms) && constituents === undefined) ||
    (dependsOn(terms, 'marketConditions') && conditions === undefined)
  return isOpen ? 'unknown' : 'possible'
}

/** Suggests a listed index. A sentence that others may follow. */
export function nearIndex(indexId: IndexId, listedIds: readonly IndexId[] = []): string {
  const near = nearestName(indexId, listedIds)
  return near === undefined ? 'Check the id, or choose another index.' : `Did you mean ${near}?`
}

/** Names a constituent or exchange of the terms that the index does not have, with a suggestion. */
export function checkMembers(draft: Aims, constituents: readonly Constituent[] | undefined): DraftProblem[] {
  const fault = memberFault(draft, constituents)
  return fault === undefined ? [] : [{ field: fault.field, message: `${fault.fact}. ${fault.advice}` }]
}

/** What the terms need and the service is known not to publish for the index. */
function conditionsMissing({ indexId, terms }: Aims, conditions: Offered['conditions']): string | undefined {
  if (conditions === undefined || !dependsOn(terms, 'marketConditions')) return undefined
  if (conditions === null) return `${indexId} has no market conditions`
  const unpublished = specOf(terms.condition).unpublished?.(conditions)
  return unpublished === undefined ? undefined : `${indexId} has ${unpublished}`
}

/** Why the published conditions of the index cannot serve the draft. */
export function checkConditions(draft: Aims, conditions: Offered['conditions']): DraftProblem[] {
  const missing = conditionsMissing(draft, conditions)
  return missing === undefined ? [] : [{ field: 'condition', message: `${missing}. Choose another condition.` }]
}

function namesMember(terms: AlertTerms): terms is AlertTerms & { constituent: string } {
  return 'constituent' in terms && (terms.constituent ?? '').trim() !== ''
}

interface MemberFault {
  field: 'constituent' | 'exchange'
  fact: string
  advice: string
}

function memberFault({ indexId, terms }: Aims, constituents?: readonly Constituent[]): MemberFault | undefined {
  if (constituents === undefined || !namesMember(terms)) return undefined
  const names = constituents.map(({ constituent }) => constituent)
  const member = constituents.find(({ constituent }) => constituent === terms.constituent)
  if (member === undefined) {
    const fact = `No ${terms.constituent} in ${indexId}`
    return { field: 'constituent', fact, advice: adviceOn(terms.constituent, names) }
  }
  if (!('exchange' in terms) || terms.exchange.trim() === '') return undefined
  const exchanges = (member.exchanges ?? []).map(({ exchange }) => exchange)
  if (exchanges.includes(terms.exchange)) return undefined
  const fact = `No ${terms.exchange} in ${terms.constituent} of ${indexId}`
  return { field: 'exchange', fact, advice: adviceOn(terms.exchange, exchanges) }
}

function adviceOn(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names)
  if (near !== undefined) return `Did you mean ${near}?`
  const [first] = names
  return first === undefined ? 'It lists none. Choose another condition.' : `Choose one that it has, such as ${first}.`
}
