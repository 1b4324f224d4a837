import type { CommandArguments, DesktopApi } from '../../protocol/commands/contract'
import type { AmendmentPage } from '../../protocol/history'
import type { IndexId, Outcome } from '../../protocol/model'
import { attempt, settledJson } from './settled'
import type { Toasts } from './toasts.svelte'

/** What a user can ask of the history. */
export class HistoryActions {
  readonly #api: DesktopApi
  readonly #toasts: Toasts

  constructor(api: DesktopApi, toasts: Toasts) {
    this.#api = api
    this.#toasts = toasts
  }

  /** Answers with the problem, to be shown in place of the rows. */
  getAmendments(wanted: CommandArguments<'getAmendments'>): Promise<Outcome<AmendmentPage>> {
    return settledJson(this.#api.getAmendments(wanted))
  }

  /** Of all indices without an id. To where the user says; says nothing when they changed their mind. */
  async saveAmendmentsCsv(indexId: IndexId | undefined): Promise<void> {
    const asked = this.#api.saveAmendmentsCsv(indexId === undefined ? {} : { indexId })
    const saved = await attempt(this.#toasts, asked, 'The amendments could not be saved')
    if (saved) this.#toasts.show(`Saved as ${saved.fileName}`)
  }
}
