import { specOf } from '../../../../core/conditions/list'
import { hasLevels, type AlertDraft } from '../../../../core/alerts'
import type { DecimalText, IndexId } from '../../../../core/model'
import { publishedText } from '../../../format/published-time'
import { formatValue } from '../../../format/value'
import { display } from '../../../state/display.svelte'
import type { Actions } from '../../../state/actions'
import type { Mirror } from '../../../state/mirror.svelte'
import { LatestValues } from '../../../state/latest-values.svelte'
import type { DraftForm } from './draft-form.svelte'
import type { DraftPreview } from './draft-preview.svelte'
import { distanceWords, measureWords } from './preview-words'

/** Where the index of the form stands, live, and what that means for the draft. */
export class KnownValue {
  readonly #form: DraftForm
  readonly #preview: DraftPreview
  readonly #mirror: Mirror
  readonly #latest: LatestValues

  constructor(form: DraftForm, preview: DraftPreview, mirror: Mirror, actions: Actions) {
    this.#form = form
    this.#preview = preview
    this.#mirror = mirror
    this.#latest = new LatestValues((ids) => actions.getLatestValues(ids))
  }

  readonly #row = $derived.by(() => this.#mirror.row(this.#form.typed.indexId))
  readonly value = $derived.by<DecimalText | undefined>(
    () => this.#row.quote?.value ?? this.#latest.value(this.#form.typed.indexId),
  )
  readonly text = $derived(this.value === undefined ? undefined : formatValue(this.value, display))
  readonly #draft = $derived.by<AlertDraft | undefined>(() => (this.#form.read.ok ? this.#form.read.draft : undefined))

  /** Whether the condition holds already, as far as that is known. */
  readonly isMet = $derived.by<boolean>(() => {
    const draft = this.#draft
    if (draft === undefined || !specOf(draft.terms.condition).canBeMet) return false
    // As for the engine, a cached value says nothing of now.
    if (this.#row.quote?.source === 'cache') return false
    const isMetHere =
      this.value === undefined ? undefined : specOf(draft.terms.condition).isMetBy?.(draft.terms, this.value)
    return isMetHere ?? this.#preview.answerToTerms(draft)?.isMet ?? false
  })

  /** `Now`, or of a value that may no longer be so `As of 14:02:11,`. */
  readonly #since = $derived.by<string>(() => {
    const { quote, isStale } = this.#row
    if (quote === undefined || (quote.source !== 'cache' && !isStale)) return 'Now'
    return `As of ${publishedText(quote.publishedAtMs, this.#mirror.nowMs, false, display)},`
  })

  /** `Now 68,123.40: 376.60 away, 0.55 %`. */
  readonly words = $derived.by<string>(() => {
    const draft = this.#draft
    const measure = draft === undefined ? undefined : this.#preview.answerToTerms(draft)?.measure
    const isOfValue = draft === undefined || hasLevels(draft.terms)
    if (!isOfValue && measure !== undefined) return `${this.#since} ${measureWords(measure, draft.terms)}`
    if (['constituents', 'marketConditions'].includes(specOf(this.#form.typed.condition).source)) return ''
    if (this.value === undefined || this.text === undefined) {
      return `No value of ${this.#form.typed.indexId} yet. The alert starts with the first one.`
    }
    const distance = draft === undefined ? '' : distanceWords(this.value, draft.terms)
    return `${this.#since} ${this.text}${distance === '' ? '' : `: ${distance}`}`
  })

  /** Asks for the value of an index that is not watched. */
  follow(indexId: IndexId): void {
    this.#latest.want(this.#mirror.row(indexId).quote === undefined ? [indexId] : [])
  }
}
