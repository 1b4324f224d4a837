import { ruleWords } from '../../core/alert-words'
import type {
  AlertEvaluation,
  AlertImportPreview,
  AlertPreview,
  InboxPage,
  InboxQuery,
  PastExplanation,
  RangeTest,
  RangeTestProgress,
} from '../../core/alert-events'
import type { AlertView, SnoozeScope } from '../../core/alerts'
import type { CommandArguments } from '../../protocol/commands/contract'
import type { Outcome } from '../../core/model'
import { isSameScope } from '../../core/snoozes'
import { scopeWords } from '../format/alert-states'
import { Asking, settled, settledJson } from './settled'
import { display } from './display.svelte'

export type SavedAlert = CommandArguments<'createAlert'> & {
  ruleId: string | undefined
  /** What an assistant proposed, and the user saves. */
  proposalId?: string | undefined
}

/**
 * What a user can ask for about alerts. Called from events of the user alone, never from an effect, except to read.
 * What has no field to show a refusal by shows it as a toast.
 */
export class AlertActions extends Asking {
  /**
   * Makes an alert and offers to undo it; with `ruleId` changes that one instead. Answers with the refusal, to be shown
   * by the field.
   */
  async save({ ruleId, proposalId, ...args }: SavedAlert): Promise<Outcome<AlertView>> {
    const isNew = ruleId === undefined
    const answer = await settled(isNew ? this.api.createAlert(args) : this.api.editAlert({ ...args, ruleId }))
    if (!answer.ok) return answer
    // Assistants may have been turned off meanwhile: the alert is the user's own.
    if (proposalId !== undefined) await settled(this.api.acceptProposal({ proposalId }))
    const { id, indexId } = answer.value
    const undo = () => {
      void this.attempt(this.api.deleteAlert({ ruleId: id }), `The alert on ${indexId} could not be deleted`)
    }
    this.toasts.show(`Alert saved: ${ruleWords(answer.value, display.number)}`, isNew ? undo : undefined)
    return answer
  }

  async declineProposal(proposalId: string): Promise<void> {
    await this.attempt(this.api.declineProposal({ proposalId }), 'The proposal could not be declined')
  }

  /** A rule that is done or suspended waits for its condition once more. Answers whether it does. */
  async arm({ id, indexId }: Pick<AlertView, 'id' | 'indexId'>): Promise<boolean> {
    const armed = await this.attempt(this.api.armAlert({ ruleId: id }), `The alert on ${indexId} could not be re-armed`)
    if (armed !== undefined) this.toasts.show(`Re-armed: ${ruleWords(armed, display.number)}`)
    return armed !== undefined
  }

  /** Snoozes at once and offers to undo it. `untilMs` is `null` for: until the user says otherwise. */
  async snooze(scope: SnoozeScope, untilMs: number | null, until: string): Promise<void> {
    const words = scope.of === 'all' ? 'All alerts are muted' : `${scopeWords(scope)} is snoozed`
    const done = await this.attempt(this.api.snoozeAlerts({ scope, untilMs }), 'The alerts could not be snoozed')
    if (done === undefined) return
    this.toasts.show(
      `${words} ${until}`,
      () => void this.endSnooze(scope),
      // It may be ended or replaced elsewhere meanwhile: in the tray, by its time.
      ({ snoozes }) => snoozes.some((each) => isSameScope(each.scope, scope) && each.untilMs === untilMs),
    )
  }

  async endSnooze(scope: SnoozeScope): Promise<void> {
    await this.attempt(this.api.endSnooze({ scope }), 'The snooze could not be ended')
  }

  /** Deletes at once and offers to undo it. Answers whether it is gone. */
  async delete(rule: AlertView): Promise<boolean> {
    const { id, indexId } = rule
    const failure = `The alert on ${indexId} could not be deleted`
    if ((await this.attempt(this.api.deleteAlert({ ruleId: id }), failure)) === undefined) return false
    this.toasts.show(`Alert deleted: ${ruleWords(rule, display.number)}`, () => {
      void this.attempt(this.api.restoreAlert({ ruleId: id }), `The alert on ${indexId} could not be put back`)
    })
    return true
  }

  /** Answers with the refusal, to be shown in the dialog. */
  explain(ruleId: string): Promise<Outcome<AlertEvaluation[]>> {
    return settledJson(this.api.explainAlert({ ruleId }))
  }

  /** Why it stood as it did at a time that is over. Answers with the refusal, to be shown in the dialog. */
  explainAt(ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
    return settledJson(this.api.explainAlertAt({ ruleId, atMs }))
  }

  /** Answers with the refusal, to be shown in place of the events. */
  getInbox(query: InboxQuery): Promise<Outcome<InboxPage>> {
    return settledJson(this.api.getInbox({ query }))
  }

  /** To where the user says; says nothing when they changed their mind. */
  async saveInboxCsv(query: InboxQuery): Promise<void> {
    const saved = await this.attempt(this.api.saveInboxCsv({ query }), 'The inbox could not be saved')
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** Without `ruleIds` all rules. Says nothing when the user changed their mind. */
  async export(ruleIds?: string[]): Promise<void> {
    const asked = this.api.exportAlerts(ruleIds === undefined ? {} : { ruleIds })
    const saved = await this.attempt(asked, 'Nothing was exported')
    if (saved) this.toasts.show(`${ruleIds?.length === 1 ? 'Alert' : 'Alerts'} saved as ${saved.fileName}`)
  }

  /** Answers with nothing when the user changed their mind, or the file is no good and a message says why. */
  async chooseFile(): Promise<AlertImportPreview | undefined> {
    return (await this.attempt(this.api.chooseAlertFile({}), 'Nothing was imported')) ?? undefined
  }

  /** Answers with the refusal, to be shown in the dialog. */
  import(importId: string): Promise<Outcome<{ adds: number }>> {
    return settled(this.api.importAlerts({ importId }))
  }

  /** Answers with the refusal, to be shown by the field. */
  preview(args: CommandArguments<'previewAlert'>): Promise<Outcome<AlertPreview>> {
    return settled(this.api.previewAlert(args))
  }

  /** Answers with the refusal, to be shown beside the range; `null`: it was cancelled or another one was asked for. */
  test(args: CommandArguments<'testAlert'>): Promise<Outcome<RangeTest | null>> {
    return settled(this.api.testAlert(args))
  }

  /** `undefined` while none is running. */
  async getTestProgress(): Promise<RangeTestProgress | undefined> {
    const answer = await settled(this.api.getAlertTestProgress({}))
    return answer.ok ? (answer.value ?? undefined) : undefined
  }

  async cancelTest(): Promise<void> {
    await this.attempt(this.api.cancelAlertTest({}), 'The test could not be cancelled')
  }

  /** Shows a notification and says what became of it. */
  async sendTest(): Promise<void> {
    const sent = await this.attempt(this.api.testNotification({}), 'No test alert was sent')
    if (sent === undefined) return
    if (sent.delivery === 'failed' || sent.delivery === 'unanswered') this.toasts.fail(sent.words)
    else this.toasts.show(sent.words)
  }
}
