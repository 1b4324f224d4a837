/** Commands about alert rules, snoozes and the inbox. */
import * as v from 'valibot'
import {
  inboxQuerySchema,
  type AlertEvaluation,
  type AlertImportPreview,
  type AlertPreview,
  type InboxPage,
  type PastExplanation,
  type RangeTest,
  type RangeTestProgress,
} from '../../core/alert-events'
import { draftSchema } from '../../core/alert-schema'
import { timeSchema } from '../../core/shapes'
import { scopeSchema, type AlertView } from '../../core/alerts'
import { isDecimalText } from '../../core/decimal'
import { listTargetSchema } from '../../core/list-alerts'
import type { Json } from '../json'
import { command, localId, type SavedFile } from './command'

/** What to do if the condition is already true. */
const whenAlreadyMet = v.picklist(['wait', 'fire'])
const target = v.exactOptional(listTargetSchema)
const level = v.pipe(v.string(), v.check(isDecimalText, 'A level is a number such as 68500.00.'))

export const alertCommands = {
  /**
   * The level is stored as typed. With `target` one alert follows all indices of a list, whatever index the draft has. The
   * other commands take its id like that of a rule.
   */
  createAlert: command({ draft: draftSchema, whenAlreadyMet, target }).answers<AlertView>(),
  /** The rule restarts with the draft, and its version increases. `target` moves an alert on a list to another list. */
  editAlert: command({ ruleId: localId, draft: draftSchema, whenAlreadyMet, target }).answers<AlertView>(),
  /** The level is stored as typed, and the rule restarts with it. */
  setAlertLevel: command({ ruleId: localId, level }).answers<AlertView>(),
  /** Re-arms a rule that has finished or is suspended. */
  armAlert: command({ ruleId: localId }).answers<AlertView>(),
  deleteAlert: command({ ruleId: localId }).answers<null>(),
  /** Undoes `deleteAlert`, including the state of the rule. */
  restoreAlert: command({ ruleId: localId }).answers<AlertView>(),
  /** What a draft would do. `ruleId` is the rule being edited, which does not count as a duplicate. */
  previewAlert: command({ draft: draftSchema, ruleId: v.exactOptional(localId) }).answers<AlertPreview>(),
  /**
   * When a draft would have fired in a range of the history, without its end. One test at a time: a new one ends the
   * running one. `null` if it was cancelled. Problems are those of the draft, `badRange`, and those of the history.
   */
  testAlert: command({ draft: draftSchema, fromMs: timeSchema, toMs: timeSchema }).answers<RangeTest | null>(),
  /** `null` if none is running. */
  getAlertTestProgress: command({}).answers<RangeTestProgress | null>(),
  cancelAlertTest: command({}).answers<null>(),
  /** The last evaluations of a rule in this run, newest first. */
  explainAlert: command({ ruleId: localId }).answers<Json<AlertEvaluation[]>>(),
  /** The same for a past time, evaluated again from the history. */
  explainAlertAt: command({ ruleId: localId, atMs: timeSchema }).answers<Json<PastExplanation>>(),
  /** `untilMs` is null for a snooze without end. */
  snoozeAlerts: command({ scope: scopeSchema, untilMs: v.nullable(timeSchema) }).answers<null>(),
  endSnooze: command({ scope: scopeSchema }).answers<null>(),
  getInbox: command({ query: inboxQuerySchema }).answers<Json<InboxPage>>(),
  markInboxRead: command({}).answers<null>(),
  saveInboxTable: command({ query: inboxQuerySchema }).answers<SavedFile>(),
  /** All of them without `ruleIds`. */
  exportAlerts: command({ ruleIds: v.exactOptional(v.pipe(v.array(localId), v.minLength(1))) }).answers<SavedFile>(),
  /** Lets the user choose a file of rules and returns what importing it would do. `null` if the user cancelled. */
  chooseAlertFile: command({}).answers<AlertImportPreview | null>(),
  /** Imports all of the file or nothing. */
  importAlerts: command({ importId: localId }).answers<{ adds: number }>(),
}
