import type { CommandArguments } from '../../protocol/commands/contract'
import type { AmendmentPage, ExportProgress, Membership, ValueAt } from '../../protocol/history'
import type { IndexId, Outcome, Problem } from '../../core/model'
import { Asking, settled, settledJson } from './settled'
import { display } from './display.svelte'

/** What a user can ask of the history. */
export class HistoryActions extends Asking {
  /** Answers with the problem, to be shown in place of the rows. */
  getAmendments(wanted: CommandArguments<'getAmendments'>): Promise<Outcome<AmendmentPage>> {
    return settledJson(this.api.getAmendments(wanted))
  }

  /** Of all indices without an id. To where the user says; says nothing when they changed their mind. */
  async saveAmendmentsCsv(indexId: IndexId | undefined): Promise<void> {
    const asked = this.api.saveAmendmentsCsv(indexId === undefined ? {} : { indexId })
    const saved = await this.attempt(asked, 'The amendments could not be saved')
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** Answers with the problem, to be shown in the dialog. */
  getMembership(indexId: IndexId): Promise<Outcome<Membership>> {
    return settledJson(this.api.getMembership({ indexId }))
  }

  /** To where the user says; says nothing when they changed their mind. */
  async saveMembershipCsv(indexId: IndexId): Promise<void> {
    const failure = `The constituent changes of ${indexId} could not be saved`
    const saved = await this.attempt(this.api.saveMembershipCsv({ indexId }), failure)
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** The fixing sheet that is open, to where the user says; says nothing when they changed their mind. */
  async saveFixingPdf(indexId: IndexId): Promise<void> {
    const saved = await this.attempt(this.api.saveFixingPdf({ indexId }), 'The fixing sheet could not be saved')
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** The last absence needs no report any more. */
  async dismissAway(): Promise<void> {
    await this.attempt(this.api.dismissAway({}), 'The summary could not be dismissed')
  }

  /** Answers with the problem, to be shown in the dialog. */
  getValueAt(indexId: IndexId, atMs: number): Promise<Outcome<ValueAt>> {
    return settledJson(this.api.getValueAt({ indexId, atMs }))
  }

  /** Done when the file is there, and says so. Answers with the problem, to be shown in the dialog. */
  async exportValues(request: CommandArguments<'exportValues'>): Promise<'saved' | 'cancelled' | Problem> {
    const answer = await settled(this.api.exportValues(request))
    if (!answer.ok) return answer.problem
    if (answer.value === null) return 'cancelled'
    const { fileName, rowCount } = answer.value
    const rows = `${display.number(String(rowCount))} ${rowCount === 1 ? 'row' : 'rows'}`
    this.toasts.show(`${rows} saved as ${fileName}`)
    return 'saved'
  }

  /** `undefined` while nothing is being written. */
  async getExportProgress(): Promise<ExportProgress | undefined> {
    const answer = await settled(this.api.getExportProgress({}))
    return answer.ok ? (answer.value ?? undefined) : undefined
  }

  async cancelExport(): Promise<void> {
    await this.attempt(this.api.cancelExport({}), 'The export could not be cancelled')
  }
}
