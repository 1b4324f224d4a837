import { ruleWords } from '../../core/alert-words'
import { draftOf } from '../../core/alert-schema'
import type { AlertDraft, AlertView, SnoozeScope } from '../../core/alerts'
import type { DecimalText, IndexId, ListSection, Outcome, Problem, Watchlist } from '../../core/model'
import { isSame } from '../../core/same'
import type { CommandArguments, CommandName } from '../../protocol/commands/contract'
import { scopeWords } from '../format/alert-states'
import type { LevelRule } from '../format/chart-model'
import { movedWords, rowsWords } from '../format/list-words'
import { untilText } from '../format/alert-words'
import { formatValue } from '../format/value'
import type { Answer, Commands } from './api'
import { display } from './display.svelte'
import type { Toasts } from './toasts.svelte'

export type SavedAlert = CommandArguments<'createAlert'> & {
  ruleId: string | undefined
  /** The assistant's proposal that the user saves. */
  proposalId?: string | undefined
  /** The version that the user looked at, for an alert of the desk. */
  deskVersion?: number | undefined
}

/** What was done with an alert, in words, or with several, by their number. */
function alertsWords(rules: readonly AlertView[], did: string): string {
  const [only] = rules
  const isOne = only !== undefined && rules.length === 1
  return isOne ? `Alert ${did}: ${ruleWords(only, display.number)}` : `${rules.length} alerts ${did}`
}

/** What the deletion of a list or section means for the alerts on it. */
function endedWords(alertCount: number): string {
  if (alertCount === 0) return ''
  return alertCount === 1 ? ', its alert watches nothing now' : `, its ${alertCount} alerts watch nothing now`
}

type ListName = Pick<Watchlist, 'id' | 'name'>

/** Actions that take several commands or can be undone. Call them in event handlers, not in effects. */
export class Actions {
  readonly #api: Commands
  readonly #toasts: Toasts

  constructor(api: Commands, toasts: Toasts) {
    this.#api = api
    this.#toasts = toasts
  }

  /** Adds a formula, or replaces another one at its place. Returns a refusal, which the form shows. */
  async putFormula(list: Watchlist, id: IndexId, replaced: IndexId | undefined): Promise<Outcome<unknown>> {
    const at = list.entries.findIndex((entry) => entry.id === replaced)
    const maxResolution = list.entries[at]?.maxResolution ?? 'PER_SECOND'
    const position = at === -1 ? undefined : at
    const added = await this.#api.addIndex({ listId: list.id, indexId: id, maxResolution, position })
    if (!added.ok || replaced === id) return added
    if (replaced !== undefined) return this.#api.removeRows({ listId: list.id, rowIds: [replaced] })
    if (!added.value.wasThere) this.#rememberAdded(list.id, id)
    return added
  }

  /** Ctrl+Z undoes it. */
  async addIndex(listId: string, id: IndexId): Promise<void> {
    const added = await this.#try('addIndex', { listId, indexId: id }, `${id} could not be added`)
    if (added?.wasThere === false) this.#rememberAdded(listId, id)
  }

  #rememberAdded(listId: string, id: IndexId): void {
    this.#toasts.announceChange(`${id} added`, () => {
      void this.#try('removeRows', { listId, rowIds: [id] }, `${id} could not be removed`)
    })
  }

  /** Adds a section or renames it. Returns a refusal, which the form shows. */
  async nameSection(args: CommandArguments<'nameSection'>): Promise<string | undefined> {
    const named = await this.#api.nameSection(args)
    if (!named.ok) return named.problem.message
    if (args.sectionId !== undefined) return undefined
    const { listId, name } = args
    this.#toasts.announceChange(`Section ${name} added`, () => {
      void this.#try('removeRows', { listId, rowIds: [named.value.sectionId] }, `Section ${name} could not be removed`)
    })
    return undefined
  }

  /** Its indices stay. `alertCount` is the number of alerts on the section. */
  async removeSection(listId: string, { id, name }: ListSection, alertCount = 0): Promise<void> {
    const undo = await this.#try('removeRows', { listId, rowIds: [id] }, `Section ${name} could not be removed`)
    if (undo !== undefined)
      this.#toasts.showChange(`Section ${name} deleted${endedWords(alertCount)}`, this.#undoRows(undo))
  }

  /** `alertCount` is the number of alerts on the indices, which stay on. Undo restores places and frequencies. */
  async removeRows(listId: string, rowIds: IndexId[], alertCount = 0): Promise<void> {
    const what = rowsWords(rowIds)
    const undo = await this.#try('removeRows', { listId, rowIds }, `${what} could not be removed`)
    if (undo === undefined) return
    const its = rowIds.length === 1 ? 'its' : 'their'
    const alerts = alertCount === 1 ? `${its} alert stays` : `${its} ${alertCount} alerts stay`
    this.#toasts.showChange(
      `${what} removed${alertCount === 0 ? '' : `, ${alerts} on`}`,
      this.#undoRows(undo),
      // The user may add an index again before the toast goes.
      ({ settings: { watchlists } }) =>
        !watchlists.some(({ id, entries }) => id === listId && entries.some((entry) => rowIds.includes(entry.id))),
    )
  }

  /** Moves rows to another list. With `isCopy` they also stay. */
  async moveRows(from: ListName, to: ListName, rowIds: IndexId[], isCopy: boolean): Promise<void> {
    const moved = await this.#try(
      'moveRows',
      { fromId: from.id, toId: to.id, rowIds, isCopy },
      `${rowsWords(rowIds)} could not be ${isCopy ? 'added' : 'moved'}`,
    )
    if (moved === undefined) return
    const { present, undo } = moved
    const text = movedWords({ rowIds, from: from.name, to: to.name, isCopy, present })
    if (isCopy && present.length === rowIds.length) this.#toasts.show(text)
    else this.#toasts.showChange(text, this.#undoRows(undo))
  }

  /** Moves indices or sections in the manual order of their list. `text` says what was done. Returns whether it was done. */
  async reorderRows(listId: string, rowIds: string[], position: number, text: string): Promise<boolean> {
    const args = { fromId: listId, toId: listId, rowIds, position }
    const moved = await this.#try('moveRows', args, 'The rows could not be moved')
    if (moved !== undefined) this.#toasts.announceChange(text, this.#undoRows(moved.undo))
    return moved !== undefined
  }

  /** Undo removes the new rows and lists. An import that changed frequencies has none. */
  imported({ adds, changes, undo }: Answer<'importLists'>): void {
    const text = `Import done: ${adds} added, ${changes} changed`
    if (undo === undefined) this.#toasts.show(text)
    else this.#toasts.showChange(text, this.#undoRows(undo))
  }

  #undoRows(undo: CommandArguments<'undoRows'>): () => void {
    return () => void this.#try('undoRows', undo, 'The rows could not be put back')
  }

  /** Undo restores place and entries. `alertCount` is the number of alerts on the list. Returns whether it was deleted. */
  async removeList({ id, name }: Watchlist, alertCount: number, onrestored: () => void): Promise<boolean> {
    const removed = await this.#try('removeList', { listId: id }, `${name} could not be deleted`)
    if (removed === undefined) return false
    this.#toasts.show(`Watchlist ${name} deleted${endedWords(alertCount)}`, () => {
      void this.#try('restoreList', removed, `${name} could not be put back`).then((restored) => {
        if (restored !== undefined) onrestored()
      })
    })
    return true
  }

  /** Copies `text`. `what` names it in the toast. */
  async copy(text: string, what: string): Promise<void> {
    const copied = await this.#try('copyText', { text }, `${what} could not be copied`)
    if (copied !== undefined) this.#toasts.show(`${what} copied`)
  }

  /** Shows a toast once the file is saved. Returns a refusal, which the dialog shows. */
  async exportValues(request: CommandArguments<'exportValues'>): Promise<'saved' | 'cancelled' | Problem> {
    const answer = await this.#api.exportValues(request)
    if (!answer.ok) return answer.problem
    if (answer.value === null) return 'cancelled'
    const { fileName, rowCount } = answer.value
    const rows = `${display.number(String(rowCount))} ${rowCount === 1 ? 'row' : 'rows'}`
    this.#toasts.show(`${rows} saved as ${fileName}`)
    return 'saved'
  }

  /** Edits the rule with `ruleId`, or creates one, which can be undone. Returns a refusal, which the form shows. */
  async saveAlert({ ruleId, proposalId, deskVersion: version, ...args }: SavedAlert): Promise<Outcome<unknown>> {
    if (ruleId !== undefined && version !== undefined) {
      const { draft } = args
      const edited = await this.#api.editDeskAlert({ ruleId, version, draft })
      if (edited.ok) this.#toasts.show(`Alert of the desk saved: ${ruleWords(draft, display.number)}`)
      return edited
    }
    const isNew = ruleId === undefined
    const answer = await (isNew ? this.#api.createAlert(args) : this.#api.editAlert({ ...args, ruleId }))
    if (!answer.ok) return answer
    // Fails if assistants were turned off since. The alert is saved either way.
    if (proposalId !== undefined) await this.#api.acceptProposal({ proposalId })
    const words = ruleWords(answer.value, display.number)
    const undo = async () => {
      const removed = await this.#try('deleteAlert', { ruleId: answer.value.id }, `${words} could not be removed`)
      if (removed !== undefined) this.#toasts.show(`Alert removed: ${words}`)
    }
    this.#toasts.show(`Alert saved: ${words}`, isNew ? () => void undo() : undefined)
    return answer
  }

  /**
   * Creates an alert on each of these indices, with states of their own. Undo deletes them. Indices that cannot have it are
   * counted. Returns the first refusal if none was created.
   */
  async saveAlertOnEach(draft: AlertDraft, ids: readonly IndexId[]): Promise<Outcome<unknown>> {
    const create = (indexId: IndexId) => this.#api.createAlert({ draft: { ...draft, indexId }, whenAlreadyMet: 'wait' })
    // The first one alone, because it may ask for consent to a new host.
    const [first = draft.indexId, ...others] = ids
    const answers = [await create(first), ...(await Promise.all(others.map(create)))]
    const made = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    const refused = answers.flatMap((answer, at) => (answer.ok ? [] : [{ id: ids[at], answer }]))
    const [skipped] = refused
    if (made.length === 0 && skipped !== undefined) return skipped.answer
    const which = refused.length === 1 ? (skipped?.id ?? '') : `${refused.length} indices`
    const but = skipped === undefined ? '' : `. Not on ${which}: ${skipped.answer.problem.message}`
    this.#toasts.show(`${alertsWords(made, 'saved')}${but}`, () => void this.deleteAlerts(made))
    return { ok: true, value: null }
  }

  /** Returns whether the alert was moved to the level. */
  async setAlertLevel({ id, indexId, terms }: LevelRule, level: DecimalText): Promise<boolean> {
    const failure = `The alert on ${indexId} could not be moved`
    if ((await this.#try('setAlertLevel', { ruleId: id, level }, failure)) === undefined) return false
    this.#toasts.show(
      `Alert on ${indexId} moved to ${formatValue(level, display)}`,
      () => void this.#try('setAlertLevel', { ruleId: id, level: terms.level }, failure),
    )
    return true
  }

  /** Re-arms alerts that fired once or are suspended. Returns whether all were re-armed. */
  async rearmAlerts(rules: readonly AlertView[]): Promise<boolean> {
    const armed = await this.#each(rules, ({ id }) => this.#api.armAlert({ ruleId: id }), 're-armed')
    if (armed.length > 0) this.#toasts.show(alertsWords(armed, 're-armed'))
    return armed.length === rules.length
  }

  /** Returns whether all were deleted. Undo restores those that were. */
  async deleteAlerts(rules: readonly AlertView[]): Promise<boolean> {
    const deleted = await this.#each(rules, ({ id }) => this.#api.deleteAlert({ ruleId: id }), 'deleted')
    const restore = ({ id }: AlertView) => this.#api.restoreAlert({ ruleId: id })
    const undo = async () => {
      const restored = await this.#each(deleted, restore, 'put back')
      if (restored.length > 0) this.#toasts.show(alertsWords(restored, 'restored'))
    }
    if (deleted.length > 0) this.#toasts.show(alertsWords(deleted, 'deleted'), () => void undo())
    return deleted.length === rules.length
  }

  /** Changes a field of rules, which start again. Undo changes it back. */
  async editAlerts(rules: readonly AlertView[], change: Partial<AlertDraft>, done: string): Promise<void> {
    const edit = (draft: AlertDraft, ruleId: string) => this.#api.editAlert({ ruleId, draft, whenAlreadyMet: 'wait' })
    const changed = await this.#each(rules, (rule) => edit({ ...draftOf(rule), ...change }, rule.id), 'changed')
    const undo = () => void this.#each(changed, (rule) => edit(draftOf(rule), rule.id), 'changed back')
    if (changed.length > 0) this.#toasts.show(alertsWords(changed, done), undo)
  }

  /** `untilMs` is null to snooze until the user ends it. `until` is the same in words. */
  async snooze(scopes: readonly SnoozeScope[], untilMs: number | null, until: string): Promise<void> {
    const snoozed: SnoozeScope[] = []
    for (const scope of scopes) {
      const done = await this.#try('snoozeAlerts', { scope, untilMs }, 'The alerts could not be snoozed')
      if (done === undefined) break
      snoozed.push(scope)
    }
    const [first] = snoozed
    if (first === undefined) return
    const one = first.of === 'all' ? 'All alerts are muted' : `${scopeWords(first)} is snoozed`
    const words = snoozed.length === 1 ? one : `${snoozed.length} alerts are snoozed`
    const end = async () => {
      for (const scope of snoozed) await this.#try('endSnooze', { scope }, 'The snooze could not be ended')
    }
    this.#toasts.show(`${words} ${until}`, () => void end(), {
      // The tray or the clock may end the snooze before the toast goes.
      isStillTrue: ({ snoozes }) => snoozes.some((each) => isSame(each.scope, first) && each.untilMs === untilMs),
      // A banner there says it and can end it.
      ...(first.of === 'all' ? { repeatedIn: 'alerts' as const } : {}),
    })
  }

  async muteForAnHour(): Promise<void> {
    const nowMs = Date.now()
    const untilMs = nowMs + 3_600_000
    await this.snooze([{ of: 'all' }], untilMs, `until ${untilText(untilMs, nowMs, display)}`)
  }

  /** Sends a test notification and shows its outcome in a toast. */
  async sendTestAlert(): Promise<void> {
    const sent = await this.#try('testNotification', {}, 'No test alert was sent')
    if (sent === undefined) return
    if (sent.delivery === 'failed' || sent.delivery === 'unanswered') this.#toasts.fail(sent.words)
    else this.#toasts.show(sent.words)
  }

  /** Runs a command on each rule. Shows the first refusal. Returns the rules on which it was done. */
  async #each(
    rules: readonly AlertView[],
    run: (rule: AlertView) => Promise<Outcome<unknown>>,
    did: string,
  ): Promise<AlertView[]> {
    const answers = await Promise.all(rules.map(run))
    const refusals = answers.flatMap((answer, at) => (answer.ok ? [] : [{ rule: rules[at], ...answer.problem }]))
    const [first] = refusals
    if (first?.code === 'duplicate' && first.rule !== undefined && rules.length === 1) {
      this.#toasts.show(`You have this alert again already: ${ruleWords(first.rule, display.number)}`)
    } else if (first !== undefined) {
      const which = refusals.length === 1 ? `The alert on ${first.rule?.indexId ?? ''}` : `${refusals.length} alerts`
      this.#toasts.fail(`${which} could not be ${did}: ${first.message}`)
    }
    return rules.filter((_, at) => answers[at]?.ok === true)
  }

  async #try<N extends CommandName>(
    command: N,
    args: CommandArguments<N>,
    failed: string,
  ): Promise<Answer<N> | undefined> {
    const answer = await this.#api[command](args)
    if (answer.ok) return answer.value
    this.#toasts.fail(`${failed}: ${answer.problem.message}`)
    return undefined
  }
}
