import { checkDraft, type DraftContext } from '../../../protocol/alert-checks'
import type { DraftProblem } from '../../../protocol/alert-events'
import { canHold, isBandCondition, isLevelCondition } from './condition-kinds'
import { readDraft, type ReadDraft } from './read-draft'
import type { TypedDraft } from './typed-draft'

/** A fault as it comes: the app may name what is no field, such as `duplicate`. */
export interface Fault {
  field: string
  message: string
}

const furtherFields: readonly string[] = ['cooldown', 'expiry', 'note', 'group', 'webhook']
const anywhereFields: readonly string[] = ['index', 'condition', 'repeat', ...furtherFields]

/** Those of the sentence, in their order. */
export const sentenceFields: readonly DraftProblem['field'][] = [
  'index',
  'condition',
  'level',
  'high',
  'amount',
  'window',
  'after',
  'exchange',
  'constituent',
  'repeat',
  'hold',
  'band',
]

/** The fields of the dialog while they are filled in, and what is said at each. */
export class DraftForm implements TypedDraft {
  readonly id: string
  indexId = $state('')
  condition = $state<TypedDraft['condition']>('risesTo')
  level = $state('')
  low = $state('')
  high = $state('')
  band = $state<TypedDraft['band']>('off')
  bandSize = $state('')
  bandUnit = $state<TypedDraft['bandUnit']>('points')
  amount = $state('')
  amountUnit = $state<TypedDraft['amountUnit']>('percent')
  direction = $state<TypedDraft['direction']>('either')
  windowCount = $state('')
  windowUnit = $state<TypedDraft['windowUnit']>('min')
  silence = $state<TypedDraft['silence']>('usual')
  silenceCount = $state('')
  silenceUnit = $state<TypedDraft['silenceUnit']>('h')
  constituent = $state('')
  exchange = $state('')
  weight = $state('')
  drift = $state('')
  driftBase = $state<TypedDraft['driftBase']>('made')
  share = $state('')
  tolerance = $state('')
  repeat = $state<TypedDraft['repeat']>('once')
  everyMinutes = $state('')
  mostADay = $state('')
  hold = $state<TypedDraft['hold']>('off')
  holdCount = $state('')
  holdUnit = $state<TypedDraft['holdUnit']>('min')
  countsRepeats = $state(false)
  cooldownCount = $state('')
  cooldownUnit = $state<TypedDraft['cooldownUnit']>('min')
  severity = $state<TypedDraft['severity']>('normal')
  expiry = $state('')
  expiryZone = $state('')
  note = $state('')
  group = $state('')
  webhookUrl = $state('')

  whenAlreadyMet = $state<'wait' | 'fire'>('wait')
  isMoreOpen = $state(false)
  readonly read = $derived<ReadDraft>(readDraft(this))
  #faults = $state.raw<readonly Fault[]>([])
  #prefilled = { indexId: '', level: '' }

  /** `id` begins the ids of the elements on the page. */
  constructor(id: string, typed: TypedDraft) {
    this.id = id
    Object.assign(this, typed)
    this.isMoreOpen =
      [typed.cooldownCount, typed.expiry, typed.note, typed.group, typed.webhookUrl].some((text) => text !== '') ||
      typed.severity !== 'normal' ||
      typed.countsRepeats
  }

  /** What is said at present, each at the field where it stands. */
  get faults(): readonly Fault[] {
    return this.#faults.map(({ field, message }) => ({ field: this.#placeOf(field), message }))
  }

  /** What can be told without asking the app. */
  problems(context: DraftContext): DraftProblem[] {
    return this.read.ok ? checkDraft(this.read.draft, context) : this.read.problems
  }

  /** Fills in the value of the index as the level, until the level is the user's own. Answers whether it did now. */
  prefill(valueText: string | undefined): boolean {
    const { indexId, level } = this.#prefilled
    if (this.level !== level || (level !== '' && indexId === this.indexId)) return false
    this.#prefilled = { indexId: this.indexId, level: valueText ?? '' }
    this.level = this.#prefilled.level
    return valueText !== undefined
  }

  say(faults: readonly Fault[]): void {
    this.#faults = faults
    if (faults.some(({ field }) => furtherFields.includes(field))) this.isMoreOpen = true
  }

  isFaulty(field: DraftProblem['field']): boolean {
    return this.faults.some((fault) => fault.field === field)
  }

  /** Id of the element that says what is wrong with a field. */
  faultId(field: string): string {
    return `${this.id}-fault-${field}`
  }

  /** The element that describes a field: what is wrong with it, or else `otherwise`. */
  describedBy(field: DraftProblem['field'], otherwise?: string): string | undefined {
    return this.isFaulty(field) ? this.faultId(field) : otherwise
  }

  /** Where there is no field of that name now, it is said at the first one that is there. */
  #placeOf(field: string): string {
    const { condition } = this
    const main = isLevelCondition(condition) || isBandCondition(condition) ? 'level' : 'amount'
    const own: readonly string[] = ownFields(condition)
    if (anywhereFields.includes(field) || own.includes(field)) return field
    if ((field === 'hold' && canHold(condition)) || (field === 'band' && main === 'level')) return field
    return own.includes(main) ? main : 'condition'
  }
}

function ownFields(condition: TypedDraft['condition']): DraftProblem['field'][] {
  if (isLevelCondition(condition)) return ['level']
  if (isBandCondition(condition)) return ['level', 'high']
  switch (condition) {
    case 'moves':
      return ['amount', 'window']
    case 'noUpdate':
      return ['after']
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
    case 'weightDrift':
      return ['amount', 'constituent']
    case 'exchangeShareAtOrBelow':
      return ['amount', 'constituent', 'exchange']
    case 'continuity':
      return ['amount']
    default:
      return []
  }
}
