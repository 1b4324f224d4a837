import { untrack } from 'svelte'
import { checkDraft } from '../../../../core/alert-checks'
import type { AlertPreview } from '../../../../core/alert-events'
import { hasLevels, type AlertDraft } from '../../../../core/alerts'
import { termsFieldNames, termsFields, type TermsField } from '../../../../core/conditions/fields'
import { hasField, specOf } from '../../../../core/conditions/list'
import type { DecimalText, IndexId, Outcome } from '../../../../core/model'
import { publishedText } from '../../../format/published-time'
import { formatValue } from '../../../format/value'
import { roundLevelFrom, type Side } from '../../../format/value-scale'
import { debounced } from '../../../state/debounced.svelte'
import { display } from '../../../state/display.svelte'
import { LatestValues } from '../../../state/latest-values.svelte'
import type { Page } from '../../../state/page'
import { fieldNames, offeredBand, type FieldName } from './fields'
import { distanceWords, measureWords } from './preview-words'
import { RangeTrial } from './range-trial.svelte'
import { readDraft, type Fault, type ReadDraft, type TypedDraft } from './typed-draft'

const moreFields: readonly string[] = ['hours', 'cooldownMs', 'expiresAt', 'note', 'group', 'webhookUrl']
const alwaysThere: readonly string[] = ['indexId', 'condition', 'repeat', ...moreFields]
/** Typing goes on for as long as keys follow each other faster than this. */
const settleMs = 250

/** Those of the sentence, in their order. */
export const sentenceFields: readonly string[] = [
  'indexId',
  'condition',
  ...termsFieldNames.filter((name) => name !== 'rearmBand'),
  'repeat',
  'holdMs',
  'rearmBand',
]

interface OfferedLevel {
  indexId: IndexId
  side: Side
  level: string
}

/** Equal for drafts that wait for the same of the same index. */
function termsKey({ indexId, terms }: AlertDraft): string {
  return JSON.stringify([indexId, terms])
}

/** An alert while it is filled in: its fields, what is wrong with them, where its index stands and what it would do. */
export class DraftForm {
  readonly id: string
  readonly typed: TypedDraft
  /** The draft tried on a range of the history. */
  readonly trial: RangeTrial
  whenAlreadyMet = $state<'wait' | 'fire'>('wait')
  isMoreOpen = $state(false)
  readonly #page: Page
  readonly #latest: LatestValues
  #answer = $state.raw<{ draft: AlertDraft; outcome: Outcome<AlertPreview> }>()
  #said = $state.raw<readonly Fault[]>([])
  #askedAbout = $state('')
  #offersBand: boolean
  #prefilled: OfferedLevel = { indexId: '', side: 'above', level: '' }

  readonly #row = $derived.by(() => this.#page.mirror.row(this.typed.indexId))
  readonly #isUnwatched = $derived.by<boolean>(() => this.#row.quote === undefined)
  /** The present value of the index. */
  readonly value = $derived.by<DecimalText | undefined>(
    () => this.#row.quote?.value ?? this.#latest.value(this.typed.indexId),
  )
  readonly valueText = $derived(this.value === undefined ? undefined : formatValue(this.value, display))
  /** The next round level from the value of the index, where the condition waits for one; empty while it is unknown. */
  readonly offered = $derived.by<OfferedLevel>(() => {
    const { indexId, condition } = this.typed
    const side = specOf(condition).levelLies ?? 'above'
    const decimals = this.#page.mirror.info(indexId)?.decimals
    const level = this.value === undefined ? '' : formatValue(roundLevelFrom(this.value, side, decimals), display)
    return { indexId, side, level }
  })

  readonly read = $derived.by<ReadDraft>(() => readDraft(this.typed, Date.now(), () => this.value))
  /** Absent while fields cannot be read. */
  readonly draft = $derived(this.read.ok ? this.read.draft : undefined)
  readonly #key = $derived(this.draft === undefined ? '' : termsKey(this.draft))

  /**
   * What is answered about the terms of this draft, whatever else of it has changed since: whether they hold already,
   * and what they compare.
   */
  readonly #answerToTerms = $derived.by<AlertPreview | undefined>(() => {
    const answer = this.#answer
    return answer?.outcome.ok === true && termsKey(answer.draft) === this.#key ? answer.outcome.value : undefined
  })

  /** Whether the condition holds already, as far as that is known. */
  readonly isMet = $derived.by<boolean>(() => {
    if (this.draft === undefined) return false
    const { terms } = this.draft
    const condition = specOf(terms.condition)
    // As for the engine, a cached value says nothing of now.
    if (!condition.canBeTrueAtStart || this.#row.quote?.source === 'cache') return false
    const isMetHere = this.value === undefined ? undefined : condition.isMetBy?.(terms, this.value)
    return isMetHere ?? this.#answerToTerms?.isMet ?? false
  })

  /** Once it was asked about terms it stays: the value may go to and fro over the level. */
  readonly asksWhenMet = $derived(this.isMet || (this.#key !== '' && this.#askedAbout === this.#key))

  /** `Now`, or of a value that may no longer be so `As of 14:02:11,`. */
  readonly #since = $derived.by<string>(() => {
    const { quote, isStale } = this.#row
    if (quote === undefined || (quote.source !== 'cache' && !isStale)) return 'Now'
    return `As of ${publishedText(quote.publishedAtMs, this.#page.mirror.nowMs, false, display)},`
  })

  /** `Now 68,123.40: 376.60 away, 0.55 %`. */
  readonly words = $derived.by<string>(() => {
    const terms = this.draft?.terms
    const measure = this.#answerToTerms?.measure
    if (terms !== undefined && !hasLevels(terms) && measure !== undefined)
      return `${this.#since} ${measureWords(measure, terms)}`
    if (['constituents', 'marketConditions'].includes(specOf(this.typed.condition).source)) return ''
    if (this.value === undefined || this.valueText === undefined)
      return `No value of ${this.typed.indexId} yet. The alert starts with the first one.`
    const distance = terms === undefined ? '' : distanceWords(this.value, terms)
    return `${this.#since} ${this.valueText}${distance === '' ? '' : `: ${distance}`}`
  })

  /** What is said at present, each at the field where it stands. */
  readonly faults = $derived(this.#said.map((fault) => ({ ...fault, field: this.#placeOf(fault.field) })))

  /**
   * `id` begins the ids of the elements on the page. `ruleId` is that of the rule that is edited. `isNew`: nobody has
   * chosen a band yet.
   */
  constructor(
    page: Page,
    id: string,
    typed: TypedDraft,
    { ruleId, isNew }: { ruleId: string | undefined; isNew: boolean },
  ) {
    this.#page = page
    this.id = id
    this.typed = $state(typed)
    this.#offersBand = isNew
    const { cooldownMs, expiresAt, note, group, webhookUrl, severity } = typed.fields
    this.isMoreOpen =
      [typed.hours.from, ...[cooldownMs, expiresAt, note, group, webhookUrl].map(({ text }) => text)].some(Boolean) ||
      severity.choice !== 'normal' ||
      typed.countsRepeats
    this.#latest = new LatestValues(page.api)
    this.trial = new RangeTrial(page)
    const asking = debounced((draft: AlertDraft) => this.#ask(draft, ruleId), settleMs)
    $effect(() => {
      const { draft } = this
      if (draft === undefined) asking.stop()
      else asking.soon(draft)
      untrack(() => this.trial.want(draft))
    })
    $effect(() => this.#latest.want(this.#isUnwatched ? [this.typed.indexId] : []))
    $effect(() => {
      if (this.isMet) this.#askedAbout = this.#key
    })
  }

  /** What the app says the draft would do. It stays until the next answer is there: then it is about an earlier draft. */
  get latest(): Outcome<AlertPreview> | undefined {
    return this.draft && this.#answer?.outcome
  }

  get isCurrent(): boolean {
    return this.draft !== undefined && this.#answer?.draft === this.draft
  }

  /** The number that the sentence is about, where there is one. */
  get mainField(): TermsField | undefined {
    return termsFieldNames.find((name) => {
      return ['level', 'number'].includes(termsFields[name].kind) && hasField(this.typed.condition, name)
    })
  }

  /** What is wrong as far as that is known without asking the app. */
  problems(): readonly Fault[] {
    if (!this.read.ok) return this.read.problems
    const { mirror } = this.#page
    const index = mirror.info(this.typed.indexId)
    const catalogue = mirror.state?.catalogue ?? []
    return checkDraft(this.read.draft, {
      nowMs: Date.now(),
      ...(index && { index }),
      ...(catalogue.length > 0 && { isKnown: index !== undefined }),
      listedIds: catalogue.map(({ id }) => id),
    })
  }

  /** Fills in the offered level, until the level is the user's own. Answers whether it did now. */
  prefill(offered: OfferedLevel): boolean {
    const { level } = this.typed.fields
    const before = this.#prefilled
    const isSame = before.indexId === offered.indexId && before.side === offered.side
    if (level.text !== before.level || (before.level !== '' && isSame)) return false
    this.#prefilled = offered
    level.text = offered.level
    return offered.level !== ''
  }

  /** The user takes a reading of a field in the place of what was typed. */
  take(field: string, reading: DecimalText): void {
    const name = fieldNames.find((each) => each === field)
    if (name !== undefined) this.typed.fields[name].text = reading
    this.say([])
  }

  /** The main number as it will be saved; `undefined` if its field shows the same text. */
  get savedAs(): DecimalText | undefined {
    const { mainField, draft } = this
    if (draft === undefined || mainField === undefined) return undefined
    const saved: unknown = Reflect.get(draft.terms, mainField)
    if (typeof saved !== 'string') return undefined
    return [saved, formatValue(saved, display)].includes(this.typed.fields[mainField].text.trim()) ? undefined : saved
  }

  /** At a level that the value hovers at, every crossing is a storm: it is offered with a band, until one is chosen. */
  afterChoice(name: FieldName): void {
    const { repeat, rearmBand } = this.typed.fields
    if (name === 'rearmBand') this.#offersBand = false
    if (name !== 'repeat' || !this.#offersBand) return
    rearmBand.choice = ['everyCrossing', 'daily'].includes(repeat.choice) ? offeredBand : 'off'
  }

  get hasBand(): boolean {
    return this.typed.fields.rearmBand.choice !== 'off'
  }

  readonly useBand = (): void => {
    this.typed.fields.rearmBand.choice = offeredBand
    this.#offersBand = false
  }

  say(faults: readonly Fault[]): void {
    this.#said = faults
    if (faults.some(({ field }) => moreFields.includes(field))) this.isMoreOpen = true
  }

  /** Id of the element that says what is wrong with a field. */
  faultId(field: string): string {
    return `${this.id}-fault-${field}`
  }

  /** Says at a field that it is wrong. What is wrong describes it, or else `otherwise`, the id of an element. */
  attributes(field: string, otherwise?: string) {
    const isFaulty = this.faults.some((fault) => fault.field === field)
    return { 'aria-invalid': isFaulty, 'aria-describedby': isFaulty ? this.faultId(field) : otherwise }
  }

  async #ask(draft: AlertDraft, ruleId: string | undefined): Promise<void> {
    const outcome = await this.#page.api.previewAlert({ draft, ...(ruleId === undefined ? {} : { ruleId }) })
    // What was asked since is answered later.
    if (this.draft !== draft) return
    this.#answer = { draft, outcome }
    // What the app finds wrong is shown while typing, as it is about what stands there.
    if (outcome.ok && this.#said.length === 0) this.say(outcome.value.problems)
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
