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
import type { Json } from '../json'
import { command, localId, type SavedFile } from './command'

/** What to do when the condition already holds. */
const whenAlreadyMet = v.picklist(['wait', 'fire'])
const level = v.pipe(v.string(), v.check(isDecimalText, 'A level is a number such as 68500.00.'))

export const alertCommands = {
  /** The level is kept as typed. */
  createAlert: command({ draft: draftSchema, whenAlreadyMet }).answers<AlertView>(),
  /** The rule starts again with the draft; its version counts up. */
  editAlert: command({ ruleId: localId, draft: draftSchema, whenAlreadyMet }).answers<AlertView>(),
  /** The level is kept as typed; the rule starts again with it. */
  setAlertLevel: command({ ruleId: localId, level }).answers<AlertView>(),
  /** A rule that is done or suspended waits for its condition once more. */
  armAlert: command({ ruleId: localId }).answers<AlertView>(),
  deleteAlert: command({ ruleId: localId }).answers<null>(),
  /** Undoes `deleteAlert`: the same rule, whatever state it was in. */
  restoreAlert: command({ ruleId: localId }).answers<AlertView>(),
  /** What a draft would do; `ruleId` is the rule being edited, which is no duplicate of itself. */
  previewAlert: command({ draft: draftSchema, ruleId: v.exactOptional(localId) }).answers<AlertPreview>(),
  /**
   * When a draft would have fired over a range of the history on this computer, its end not included. One test at a time:
   * another one ends it. `null`: it was ended. Problems are those of the draft, `badRange`, and those of the history.
   */
  testAlert: command({ draft: draftSchema, fromMs: timeSchema, toMs: timeSchema }).answers<RangeTest | null>(),
  /** `null`: none is running. */
  getAlertTestProgress: command({}).answers<RangeTestProgress | null>(),
  cancelAlertTest: command({}).answers<null>(),
  /** The last evaluations of a rule in this run, newest first. */
  explainAlert: command({ ruleId: localId }).answers<Json<AlertEvaluation[]>>(),
  /** The same for a time that is over, however long ago, folded again from the history. */
  explainAlertAt: command({ ruleId: localId, atMs: timeSchema }).answers<Json<PastExplanation>>(),
  /** `untilMs` is null for: until the user ends it. */
  snoozeAlerts: command({ scope: scopeSchema, untilMs: v.nullable(timeSchema) }).answers<null>(),
  endSnooze: command({ scope: scopeSchema }).answers<null>(),
  getInbox: command({ query: inboxQuerySchema }).answers<Json<InboxPage>>(),
  /** Whether every event is there as it was recorded; reads all of them. */
  markInboxRead: command({}).answers<null>(),
  saveInboxCsv: command({ query: inboxQuerySchema }).answers<SavedFile>(),
  /** Without `ruleIds` all of them. */
  exportAlerts: command({ ruleIds: v.exactOptional(v.pipe(v.array(localId), v.minLength(1))) }).answers<SavedFile>(),
  /** Lets the user choose a file of rules and answers what importing it would do. `null`: the user cancelled. */
  chooseAlertFile: command({}).answers<AlertImportPreview | null>(),
  /** All of the file or nothing. */
  importAlerts: command({ importId: localId }).answers<{ adds: number }>(),
}
