import type { CommandArguments } from '../../protocol/commands/contract'
import type { Since } from '../../protocol/constituents'
import type { AssistantSetup } from '../../protocol/assistants'
import type { SecretKept } from '../../protocol/desktop'
import type { InboxCheck } from '../../protocol/alert-events'
import type { About, ConnectionTest, Diagnostics, HistorySize, ListImportPreview } from '../../protocol/responses'
import type {
  ConnectionProfile,
  DecimalText,
  IndexId,
  ListColumn,
  ListSort,
  Outcome,
  Publication,
  RequestedResolution,
  Watchlist,
  WatchlistEntry,
} from '../../protocol/model'
import type { OfferedTool, ToolResult } from '../../protocol/service-tools'
import type { Preferences } from '../../protocol/preferences'
import type { LevelRule } from '../format/chart-model'
import { formatValue } from '../format/value'
import { Asking, settled, settledJson } from './settled'
import { display } from './display.svelte'

/**
 * What a user can ask for. Called from events of the user alone, never from an effect. What has no field to show a
 * refusal by shows it as a toast.
 */
export class Actions extends Asking {
  async addIndex(listId: string, indexId: IndexId): Promise<void> {
    await this.attempt(this.api.addIndex({ listId, indexId }), `${indexId} could not be added`)
  }

  /** Adds a formula, in the place of another where one is given. Answers why it cannot. */
  async putFormula(list: Watchlist, id: IndexId, replaced: IndexId | undefined): Promise<Outcome<unknown>> {
    const at = list.entries.findIndex((entry) => entry.id === replaced)
    const maxResolution = list.entries[at]?.maxResolution ?? 'PER_SECOND'
    const place = at === -1 ? {} : { position: at }
    const added = await settled(this.api.addIndex({ listId: list.id, indexId: id, maxResolution, ...place }))
    if (!added.ok || replaced === undefined || replaced === id) return added
    return settled(this.api.removeIndex({ listId: list.id, indexId: replaced }))
  }

  /** Removes at once and offers to undo it, place and resolution included. `alertCount`: alerts that go on without the row. */
  async removeIndex(listId: string, { id, maxResolution }: WatchlistEntry, alertCount = 0): Promise<void> {
    const removed = await this.attempt(this.api.removeIndex({ listId, indexId: id }), `${id} could not be removed`)
    if (removed === undefined) return
    const goingOn =
      alertCount === 0 ? '' : `, ${alertCount === 1 ? 'its alert stays' : `its ${alertCount} alerts stay`} on`
    this.toasts.show(`${id} removed${goingOn}`, () => {
      const { position } = removed
      void this.attempt(
        this.api.addIndex({ listId, indexId: id, position, maxResolution }),
        `${id} could not be put back`,
      )
    })
  }

  async setResolution(listId: string, indexId: IndexId, maxResolution: RequestedResolution): Promise<void> {
    const asked = this.api.setResolution({ listId, indexId, maxResolution })
    await this.attempt(asked, `The frequency of ${indexId} could not be changed`)
  }

  /** Moves an alert at once and offers to put it back where it was. Answers whether it was moved. */
  async setAlertLevel({ id, indexId, terms }: LevelRule, level: DecimalText): Promise<boolean> {
    const failure = `The alert on ${indexId} could not be moved`
    const moved = await this.attempt(this.api.setAlertLevel({ ruleId: id, level }), failure)
    if (moved === undefined) return false
    this.toasts.show(`Alert on ${indexId} moved to ${formatValue(level, display)}`, () => {
      void this.attempt(this.api.setAlertLevel({ ruleId: id, level: terms.level }), failure)
    })
    return true
  }

  /** Answers with what the tool answered, or the problem to be shown by its form. */
  runServiceTool({ connectionId, name }: OfferedTool, argumentsJson: string): Promise<Outcome<ToolResult>> {
    return settledJson(this.api.runServiceTool({ connectionId, tool: name, argumentsJson }))
  }

  async cancelServiceTool(): Promise<void> {
    await this.attempt(this.api.cancelServiceTool({}), 'The call could not be cancelled')
  }

  async saveToolCsv(callId: string, table: number): Promise<void> {
    const saved = await this.attempt(this.api.saveServiceToolCsv({ callId, table }), 'The table could not be saved')
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  async markInboxRead(): Promise<void> {
    await this.attempt(this.api.markInboxRead({}), 'The inbox could not be marked as read')
  }

  async reconnect(): Promise<void> {
    await this.attempt(this.api.reconnect({}), 'A new attempt could not be started')
  }

  /** Answers with the refusal, to be shown by the field. */
  setProxyCredentials(args: CommandArguments<'setProxyCredentials'>): Promise<Outcome<null>> {
    return settled(this.api.setProxyCredentials(args))
  }

  saveProfile(args: CommandArguments<'saveProfile'>): Promise<Outcome<{ kept: SecretKept }>> {
    return settled(this.api.saveProfile(args))
  }

  /** Nothing is saved, or the secret is kept for the session alone. */
  async stopWaitingForKeyring(args: CommandArguments<'stopWaitingForKeyring'>): Promise<void> {
    await this.attempt(this.api.stopWaitingForKeyring(args), 'Saving could not be stopped')
  }

  async removeProfile(profileId: string): Promise<void> {
    await this.attempt(this.api.removeProfile({ profileId }), 'The connection could not be removed')
  }

  /** Answers whether the index is open now. */
  async openIndex(indexId: IndexId, isPreview = false): Promise<boolean> {
    const args = { indexId, ...(isPreview && { isPreview }) }
    return (await this.attempt(this.api.openIndex(args), `${indexId} could not be opened`)) !== undefined
  }

  async closeIndex(): Promise<void> {
    await this.attempt(this.api.closeIndex({}), 'The index could not be closed')
  }

  /** Makes the constituents as they are now the base of changes. */
  async setConstituentsBase(indexId: IndexId): Promise<void> {
    const failure = `The baseline of ${indexId} could not be set`
    const set = await this.attempt(this.api.setConstituentsBase({ indexId }), failure)
    if (set !== undefined) this.toasts.show(`Baseline of ${indexId} set`)
  }

  async clearConstituentsBase(indexId: IndexId): Promise<void> {
    const failure = `The baseline of ${indexId} could not be cleared`
    const cleared = await this.attempt(this.api.clearConstituentsBase({ indexId }), failure)
    if (cleared !== undefined) this.toasts.show(`Baseline of ${indexId} cleared`)
  }

  /** To where the user says; says nothing when they changed their mind. */
  async saveConstituentsCsv(indexId: IndexId): Promise<void> {
    const failure = `The constituents of ${indexId} could not be saved`
    const saved = await this.attempt(this.api.saveConstituentsCsv({ indexId }), failure)
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** As `saveConstituentsCsv`. */
  async savePointsCsv(indexId: IndexId, since: Since): Promise<void> {
    const failure = `The contributions of ${indexId} could not be saved`
    const saved = await this.attempt(this.api.savePointsCsv({ indexId, since }), failure)
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  async dismissNotice(noticeId: string): Promise<void> {
    await this.attempt(this.api.dismissNotice({ noticeId }), 'The notice could not be dismissed')
  }

  /** Answers in plain words what became of a notification that means nothing. */
  async testNotification(): Promise<string> {
    const answer = await settled(this.api.testNotification({}))
    return answer.ok ? answer.value.words : `No test alert was sent: ${answer.problem.message}`
  }

  async setPreferences(preferences: Partial<Preferences>): Promise<boolean> {
    const set = await this.attempt(this.api.setPreferences(preferences), 'This setting could not be changed')
    return set !== undefined
  }

  /** Ends the app and starts it again. */
  async restart(): Promise<void> {
    await this.attempt(this.api.restart({}), 'Indexwatch could not be restarted')
  }

  /** Puts an index at a place of the own order, 0 the first; answers whether it is there now. */
  async moveIndex(listId: string, indexId: IndexId, position: number): Promise<boolean> {
    const asked = this.api.moveIndex({ listId, indexId, position })
    return (await this.attempt(asked, `${indexId} could not be moved`)) !== undefined
  }

  async sortList(listId: string, sort: ListSort | null): Promise<void> {
    await this.attempt(this.api.arrangeList({ listId, sort }), 'The watchlist could not be sorted')
  }

  async setColumns(listId: string, columns: ListColumn[] | null): Promise<void> {
    await this.attempt(this.api.arrangeList({ listId, columns }), 'The columns could not be changed')
  }

  async setPinned(indexId: IndexId, isPinned: boolean): Promise<void> {
    const failure = `${indexId} could not be ${isPinned ? 'pinned to the tray' : 'unpinned from the tray'}`
    await this.attempt(this.api.setPinned({ indexId, isPinned }), failure)
  }

  /** Lets the user say where to; says nothing when they changed their mind. */
  async saveListCsv(listId: string): Promise<void> {
    const saved = await this.attempt(this.api.saveListCsv({ listId }), 'The watchlist could not be saved')
    if (saved) this.toasts.show(`Saved as ${saved.fileName}`)
  }

  /** Puts `text` on the clipboard; `what` is what the message calls it. */
  async copy(text: string, what: string): Promise<void> {
    const copied = await this.attempt(this.api.copyText({ text }), `${what} could not be copied`)
    if (copied !== undefined) this.toasts.show(`${what} copied`)
  }

  /** Answers with the refusal, to be shown by the field. */
  createList(name: string): Promise<Outcome<{ listId: string }>> {
    return settled(this.api.createList({ name }))
  }

  /** Answers with the refusal, to be shown by the field. */
  renameList(listId: string, name: string): Promise<Outcome<null>> {
    return settled(this.api.renameList({ listId, name }))
  }

  /** Removes at once and offers to undo it, place and entries included. Answers whether the list is gone. */
  async removeList({ id, name }: Watchlist, onrestored: () => void): Promise<boolean> {
    const removed = await this.attempt(this.api.removeList({ listId: id }), `${name} could not be deleted`)
    if (removed === undefined) return false
    this.toasts.show(`Watchlist ${name} deleted`, () => {
      void this.attempt(this.api.restoreList(removed), `${name} could not be put back`).then((restored) => {
        if (restored !== undefined) onrestored()
      })
    })
    return true
  }

  /** Answers whether the list has moved. `position` counts from 0, without the list itself. */
  async moveList({ id, name }: Watchlist, position: number): Promise<boolean> {
    const asked = this.api.moveList({ listId: id, position })
    return (await this.attempt(asked, `${name} could not be moved`)) !== undefined
  }

  async exportLists(listIds: string[]): Promise<void> {
    const saved = await this.attempt(this.api.exportLists({ listIds }), 'Nothing was exported')
    if (saved) this.toasts.show(`${listIds.length === 1 ? 'Watchlist' : 'Watchlists'} saved as ${saved.fileName}`)
  }

  /** Answers with nothing when the user changed their mind, or the file is no good and a message says why. */
  async chooseListFile(): Promise<ListImportPreview | undefined> {
    return (await this.attempt(this.api.chooseListFile({}), 'Nothing was imported')) ?? undefined
  }

  /** Answers with the refusal, to be shown in the dialog. */
  importLists(importId: string): Promise<Outcome<{ adds: number; changes: number }>> {
    return settled(this.api.importLists({ importId }))
  }

  /** The latest values of at most 30 indices. A refusal is not worth a message: the values stay unknown. */
  async getLatestValues(indexIds: IndexId[]): Promise<{ id: IndexId; publication: Publication }[]> {
    const answer = await settled(this.api.getLatestValues({ indexIds }))
    return answer.ok ? answer.value : []
  }

  async setProfileEnabled(profile: ConnectionProfile, isEnabled: boolean): Promise<void> {
    const asked = this.api.setProfileEnabled({ profileId: profile.id, isEnabled })
    await this.attempt(asked, `${profile.name} could not be ${isEnabled ? 'turned on' : 'turned off'}`)
  }

  /** Answers with what was found, or with the refusal, to be shown by the field. */
  testConnection(args: CommandArguments<'testConnection'>): Promise<Outcome<ConnectionTest>> {
    return settled(this.api.testConnection(args))
  }

  /** Answers with the problem, to be shown in place of what was asked for. */
  getHistorySize(): Promise<Outcome<HistorySize>> {
    return settled(this.api.getHistorySize({}))
  }

  /** Answers with the problem, to be shown in place of what was found. */
  verifyInbox(): Promise<Outcome<InboxCheck>> {
    return settled(this.api.verifyInbox({}))
  }

  /** Answers the size that is left, where it was cleared. */
  clearHistory(beforeMs: number): Promise<HistorySize | undefined> {
    return this.attempt(this.api.clearHistory({ beforeMs }), 'The history could not be cleared')
  }

  getDiagnostics(): Promise<Outcome<Diagnostics>> {
    return settledJson(this.api.getDiagnostics({}))
  }

  makeSpreadsheetToken(): Promise<Outcome<{ token: string }>> {
    return settled(this.api.makeSpreadsheetToken({}))
  }

  getAssistantSetup(): Promise<Outcome<AssistantSetup>> {
    return settled(this.api.getAssistantSetup({}))
  }

  getAbout(): Promise<Outcome<About>> {
    return settled(this.api.getAbout({}))
  }

  async checkForUpdates(): Promise<void> {
    await this.attempt(this.api.checkForUpdates({}), 'Updates could not be checked')
  }

  async restartToUpdate(): Promise<void> {
    await this.attempt(this.api.restartToUpdate({}), 'Indexwatch could not be restarted')
  }

  async openSite(): Promise<void> {
    await this.attempt(this.api.openSite({}), 'The website could not be opened')
  }

  async openFolder(folder: 'log' | 'data'): Promise<void> {
    await this.attempt(this.api.openFolder({ folder }), `The ${folder} folder could not be opened`)
  }
}
