import { checkDraft, type DraftContext } from '../../../../core/alert-checks'
import { hasField, specOf } from '../../../../core/conditions/list'
import { termsFieldNames, termsFields } from '../../../../core/conditions/fields'
import type { DraftProblem } from '../../../../core/alert-events'
import type { DecimalText, IndexId } from '../../../../core/model'
import { formatValue, type DisplayStyle } from '../../../format/value'
import { roundLevelFrom, type Side } from '../../../format/value-scale'
import {
  isTextField,
  offeredBand,
  readDraft,
  takeReading,
  type ReadDraft,
  type TypedDraft,
  type TypedProblem,
} from './typed-draft'

/** A fault as it comes: the app may name what is no field, such as `duplicate`. */
export interface Fault {
  field: string
  message: string
  /** Readings of the field that the user can take with a click. */
  choices?: readonly DecimalText[]
}

/** What a level is filled in from. */
interface LevelStart {
  value: DecimalText | undefined
  side: Side
  /** Of the index; `undefined` where that is not known. */
  decimals: number | undefined
}

type Field = DraftProblem['field']

const moreFields: readonly string[] = ['hours', 'cooldownMs', 'expiresAt', 'note', 'group', 'webhookUrl']
const alwaysThere: readonly string[] = ['indexId', 'condition', 'repeat', ...moreFields]

/** Those of the sentence, in their order. */
export const sentenceFields: readonly Field[] = [
  'indexId',
  'condition',
  ...termsFieldNames.filter((name) => name !== 'rearmBand'),
  'repeat',
  'holdMs',
  'rearmBand',
]

/** The fields of the dialog while they are filled in, and what is said at each. */
export class DraftForm {
  readonly id: string
  readonly typed: TypedDraft
  whenAlreadyMet = $state<'wait' | 'fire'>('wait')
  isMoreOpen = $state(false)
  /** The present value of the index. */
  near = $state<DecimalText>()
  readonly read = $derived.by<ReadDraft>(() => readDraft(this.typed, Date.now(), () => this.near))
  #faults = $state.raw<readonly Fault[]>([])
  #offersBand: boolean
  #prefilled: { indexId: IndexId; side: Side; level: string } = { indexId: '', side: 'above', level: '' }

  /** `id` begins the ids of the elements on the page. `isNew`: nobody has chosen a band yet. */
  constructor(id: string, typed: TypedDraft, { isNew }: { isNew: boolean }) {
    this.id = id
    this.typed = $state(typed)
    this.#offersBand = isNew
    this.isMoreOpen =
      [typed.hoursFrom, typed.cooldownCount, typed.expiry, typed.note, typed.group, typed.webhookUrl].some(
        (text) => text !== '',
      ) ||
      typed.severity !== 'normal' ||
      typed.countsRepeats
  }

  /** Where the level lies that the condition waits for. */
  get side(): Side {
    return specOf(this.typed.condition).levelLies ?? 'above'
  }

  /** What is said at present, each at the field where it stands. */
  get faults(): readonly Fault[] {
    return this.#faults.map((fault) => ({ ...fault, field: this.#placeOf(fault.field) }))
  }

  /** What is wrong as far as that is known without asking the app. */
  problems(context: DraftContext): TypedProblem[] {
    return this.read.ok ? checkDraft(this.read.draft, context) : this.read.problems
  }

  /**
   * Fills in the next round level from the value of the index, until the level is the user's own. Answers whether it did
   * now.
   */
  prefill({ value, side, decimals }: LevelStart, style: DisplayStyle): boolean {
    const { typed } = this
    const before = this.#prefilled
    const isSame = before.indexId === typed.indexId && before.side === side
    if (typed.texts.level !== before.level || (before.level !== '' && isSame)) return false
    const level = value === undefined ? '' : formatValue(roundLevelFrom(value, side, decimals), style)
    this.#prefilled = { indexId: typed.indexId, side, level }
    typed.texts.level = level
    return value !== undefined
  }

  /** The user takes a reading of a field in the place of what was typed. */
  take(field: string, reading: DecimalText): void {
    takeReading(this.typed, field, reading)
    this.say([])
  }

  /** The main number as it will be saved; `undefined` if its field shows the same text. */
  savedAs(style: DisplayStyle): DecimalText | undefined {
    const { mainField, typed } = this
    const name = termsFieldNames.find((each) => each === mainField)
    if (!this.read.ok || name === undefined || !isTextField(name)) return undefined
    const saved: unknown = Reflect.get(this.read.draft.terms, name)
    if (typeof saved !== 'string') return undefined
    return [saved, formatValue(saved, style)].includes(typed.texts[name].trim()) ? undefined : saved
  }

  /** At a level that the value hovers at, every crossing is a storm: it is offered with a band, until one is chosen. */
  chooseRepeat(repeat: TypedDraft['repeat']): void {
    this.typed.repeat = repeat
    if (!this.#offersBand) return
    this.typed.band = repeat === 'everyCrossing' || repeat === 'daily' ? offeredBand : 'off'
  }

  chooseBand(band: TypedDraft['band']): void {
    this.#offersBand = false
    this.typed.band = band
  }

  say(faults: readonly Fault[]): void {
    this.#faults = faults
    if (faults.some(({ field }) => moreFields.includes(field))) this.isMoreOpen = true
  }

  isFaulty(field: Field): boolean {
    return this.faults.some((fault) => fault.field === field)
  }

  /** Id of the element that says what is wrong with a field. */
  faultId(field: string): string {
    return `${this.id}-fault-${field}`
  }

  /** The element that describes a field: what is wrong with it, or else `otherwise`. */
  describedBy(field: Field, otherwise?: string): string | undefined {
    return this.isFaulty(field) ? this.faultId(field) : otherwise
  }

  /** The number that the sentence is about, where there is one. */
  get mainField(): Field | undefined {
    return termsFieldNames.find((name) => {
      return ['level', 'number'].includes(termsFields[name].kind) && hasField(this.typed.condition, name)
    })
  }

  /** Where there is no field of that name now, it is said at the first one that is there. */
  #placeOf(field: string): string {
    const { condition } = this.typed
    const isThere =
      alwaysThere.includes(field) ||
      termsFieldNames.some((name) => name === field && hasField(condition, name)) ||
      (field === 'holdMs' && specOf(condition).canHold)
    return isThere ? field : (this.mainField ?? 'condition')
  }
}
