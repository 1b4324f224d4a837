import { untrack } from 'svelte'
import { checkDraft } from '../../../../core/alert-checks'
import type { AlertPreview } from '../../../../core/alert-events'
import { hasLevels, isMean, type AlertDraft } from '../../../../core/alerts'
import { termsFieldNames, termsFields, type TermsField } from '../../../../core/conditions/fields'
import { hasField, specOf } from '../../../../core/conditions/list'
import type { DecimalText, IndexId, Outcome } from '../../../../core/model'
import { savedWebhookId } from '../../../../core/webhook-services'
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
const permanentFields: readonly string[] = ['indexId', 'condition', 'repeat', ...moreFields]
/** In ms. A draft is previewed when typing pauses this long. */
const settleMs = 250

/** The fields of the sentence, in order. */
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

/** Equal for drafts with the same index and condition. */
function termsKey({ indexId, terms }: AlertDraft): string {
  return JSON.stringify([indexId, terms])
}

/** True if a field under More has content. */
function hasMore({ hours, fields, countsRepeats }: TypedDraft): boolean {
  const { cooldownMs, expiresAt, note, group, webhookUrl, severity } = fields
  const texts = [hours.from, ...[cooldownMs, expiresAt, note, group, webhookUrl].map(({ text }) => text)]
  const hasSavedWebhook = savedWebhookId(webhookUrl.choice) !== undefined
  return texts.some(Boolean) || hasSavedWebhook || severity.choice !== 'normal' || countsRepeats
}

/** The form of an alert: its fields, their faults, the value of the index and a preview of what the alert would do. */
export class DraftForm {
  readonly id: string
  readonly typed: TypedDraft
  /** Tests the draft on a range of the history. */
  readonly trial: RangeTrial
  whenAlreadyMet = $state<'wait' | 'fire'>('wait')
  isMoreOpen = $state(false)
  readonly #page: Page
  readonly #latest: LatestValues
  #answer = $state.raw<{ draft: AlertDraft; outcome: Outcome<AlertPreview> }>()
  #shownFaults = $state.raw<readonly Fault[]>([])
  #alreadyTrueKey = $state('')
  #offersBand: boolean
  #prefilled: OfferedLevel = { indexId: '', side: 'above', level: '' }

  readonly #row = $derived.by(() => this.#page.mirror.row(this.typed.indexId))
  readonly #isUnwatched = $derived.by<boolean>(() => this.#row.quote === undefined)
  /** The latest value of the index. */
  readonly value = $derived.by<DecimalText | undefined>(
    () => this.#row.quote?.value ?? this.#latest.value(this.typed.indexId),
  )
  readonly valueText = $derived(this.value === undefined ? undefined : formatValue(this.value, display))
  /** The next round level on the side where the condition fires. Empty while the value is unknown. */
  readonly offered = $derived.by<OfferedLevel>(() => {
    const { indexId, condition } = this.typed
    const side = specOf(condition).levelLies ?? 'above'
    const decimals = this.#page.mirror.info(indexId)?.decimals
    const level = this.value === undefined ? '' : formatValue(roundLevelFrom(this.value, side, decimals), display)
    return { indexId, side, level }
  })

  readonly read = $derived.by<ReadDraft>(() => readDraft(this.typed, Date.now(), () => this.value))
  #lastDraft: AlertDraft | undefined
  /** Undefined while a field cannot be read. The same object until it changes: a value may only make it be read again. */
  readonly draft = $derived.by<AlertDraft | undefined>(() => {
    const draft = this.read.ok ? this.read.draft : undefined
    if (JSON.stringify(draft) !== JSON.stringify(this.#lastDraft)) this.#lastDraft = draft
    return this.#lastDraft
  })
  readonly #key = $derived(this.draft === undefined ? '' : termsKey(this.draft))

  /**
   * The preview of a draft with the present index and condition. Other fields may have changed since, so only `isMet`
   * and `measure` are valid.
   */
  readonly #matchingPreview = $derived.by<AlertPreview | undefined>(() => {
    const answer = this.#answer
    return answer?.outcome.ok === true && termsKey(answer.draft) === this.#key ? answer.outcome.value : undefined
  })

  /** True if the condition is known to hold already. */
  readonly isMet = $derived.by<boolean>(() => {
    if (this.draft === undefined) return false
    const { terms } = this.draft
    const condition = specOf(terms.condition)
    // A cached value may be out of date. The engine ignores it too.
    if (!condition.canBeTrueAtStart || this.#row.quote?.source === 'cache') return false
    const isMetHere = this.value === undefined ? undefined : condition.isMetBy?.(terms, this.value)
    return isMetHere ?? this.#matchingPreview?.isMet ?? false
  })

  /** Stays true for the same index and condition, because the value may cross the level back and forth. */
  readonly asksIfAlreadyTrue = $derived(this.isMet || (this.#key !== '' && this.#alreadyTrueKey === this.#key))

  /** `Now`, or `As of 14:02:11,` for a stale or cached value. */
  readonly #since = $derived.by<string>(() => {
    const { quote, isStale } = this.#row
    if (quote === undefined || (quote.source !== 'cache' && !isStale)) return 'Now'
    return `As of ${publishedText(quote.publishedAtMs, this.#page.mirror.nowMs, false, display)},`
  })

  /** `Now 68,123.40: 376.60 away, 0.55 %`. */
  readonly words = $derived.by<string>(() => {
    const terms = this.draft?.terms
    const measure = this.#matchingPreview?.measure
    if (terms !== undefined && (!hasLevels(terms) || isMean(terms)) && measure !== undefined)
      return `${this.#since} ${measureWords(measure, terms)}`
    if (['constituents', 'marketConditions'].includes(specOf(this.typed.condition).source)) return ''
    if (this.value === undefined || this.valueText === undefined)
      return `No value of ${this.typed.indexId} yet. The alert starts with the first one.`
    const distance = terms === undefined ? '' : distanceWords(this.value, terms)
    return `${this.#since} ${this.valueText}${distance === '' ? '' : `: ${distance}`}`
  })

  /** The faults on screen, each with the field that shows it. */
  readonly faults = $derived(this.#shownFaults.map((fault) => ({ ...fault, field: this.#placeOf(fault.field) })))

  /**
   * `id` is the prefix of element ids. `ruleId` is the id of the edited rule. `isNew` is true if the user has not chosen
   * a re-arm band yet.
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
    this.isMoreOpen = hasMore(typed)
    this.#latest = new LatestValues(page.api)
    this.trial = new RangeTrial(page)
    const previewing = debounced((draft: AlertDraft) => this.#preview(draft, ruleId), settleMs)
    $effect(() => {
      const { draft } = this
      if (draft === undefined) previewing.stop()
      else previewing.soon(draft)
      untrack(() => this.trial.want(draft))
    })
    $effect(() => this.#latest.want(this.#isUnwatched ? [this.typed.indexId] : []))
    $effect(() => {
      if (this.isMet) this.#alreadyTrueKey = this.#key
    })
  }

  /** The latest preview. While a newer one is pending, it is about an earlier draft. */
  get latest(): Outcome<AlertPreview> | undefined {
    return this.draft && this.#answer?.outcome
  }

  get isCurrent(): boolean {
    return this.draft !== undefined && this.#answer?.draft === this.draft
  }

  /** The main number of the sentence, if it has one. */
  get mainField(): TermsField | undefined {
    return termsFieldNames.find((name) => {
      return ['level', 'number'].includes(termsFields[name].kind) && hasField(this.typed.condition, name)
    })
  }

  /** The faults that the page can find without the main process. */
  problems(): readonly Fault[] {
    if (!this.read.ok) return this.read.problems
    const { mirror } = this.#page
    const index = mirror.info(this.typed.indexId)
    const catalogue = mirror.state?.catalogue ?? []
    return checkDraft(this.read.draft, {
      nowMs: Date.now(),
      index,
      isKnown: catalogue.length > 0 ? index !== undefined : undefined,
      listedIds: catalogue.map(({ id }) => id),
    })
  }

  /** Fills in the offered level unless the user has typed one. Returns whether it filled one in. */
  prefill(offered: OfferedLevel): boolean {
    const { level } = this.typed.fields
    const before = this.#prefilled
    const isSame = before.indexId === offered.indexId && before.side === offered.side
    if (level.text !== before.level || (before.level !== '' && isSame)) return false
    this.#prefilled = offered
    level.text = offered.level
    return offered.level !== ''
  }

  /** The content of the form, without an offered level. */
  get entered(): TypedDraft {
    const typed = $state.snapshot(this.typed)
    const { level } = typed.fields
    if (level.text === this.#prefilled.level) level.text = ''
    return typed
  }

  /** Replaces the whole content, and offers a level again. */
  reset(typed: TypedDraft): void {
    Object.assign(this.typed, typed)
    this.isMoreOpen = hasMore(typed)
    this.#prefilled = { ...this.#prefilled, level: '' }
    this.prefill(this.offered)
    this.showFaults([])
  }

  /** Replaces the text of a field by one of its possible readings, which the user chose. */
  take(field: string, reading: DecimalText): void {
    const name = fieldNames.find((each) => each === field)
    if (name !== undefined) this.typed.fields[name].text = reading
    this.showFaults([])
  }

  /** The main number as it will be saved; `undefined` if its field shows the same text. */
  get savedAs(): DecimalText | undefined {
    const { mainField, draft } = this
    if (draft === undefined || mainField === undefined) return undefined
    const saved: unknown = Reflect.get(draft.terms, mainField)
    if (typeof saved !== 'string') return undefined
    return [saved, formatValue(saved, display)].includes(this.typed.fields[mainField].text.trim()) ? undefined : saved
  }

  /** Offers a re-arm band for repeated crossings until the user chooses one. Without it, a hovering value fires often. */
  afterChoice(name: FieldName): void {
    const { repeat, rearmBand, webhookUrl } = this.typed.fields
    if (name === 'webhookUrl' && webhookUrl.choice === 'off') webhookUrl.text = ''
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

  showFaults(faults: readonly Fault[]): void {
    this.#shownFaults = faults
    if (faults.some(({ field }) => moreFields.includes(field))) this.isMoreOpen = true
  }

  /** Id of the element with the faults of a field. */
  faultId(field: string): string {
    return `${this.id}-fault-${field}`
  }

  /** Attributes of a field's input. It is described by its faults, or else by the element with id `otherwise`. */
  attributes(field: string, otherwise?: string) {
    const isFaulty = this.faults.some((fault) => fault.field === field)
    return { 'aria-invalid': isFaulty, 'aria-describedby': isFaulty ? this.faultId(field) : otherwise }
  }

  async #preview(draft: AlertDraft, ruleId: string | undefined): Promise<void> {
    const outcome = await this.#page.api.previewAlert({ draft, ruleId })
    // The draft has changed. Its preview is requested after typing pauses.
    if (this.draft !== draft) return
    this.#answer = { draft, outcome }
    // Faults found by the main process are shown while typing, because they are about the present fields.
    if (outcome.ok && this.#shownFaults.length === 0) this.showFaults(outcome.value.problems)
  }

  /** The field that shows a fault. If its own field is not shown, the main number or the condition. */
  #placeOf(field: string): string {
    const { condition } = this.typed
    const isThere =
      permanentFields.includes(field) ||
      termsFieldNames.some((name) => name === field && hasField(condition, name)) ||
      (field === 'holdMs' && specOf(condition).canHold)
    return isThere ? field : (this.mainField ?? 'condition')
  }
}
