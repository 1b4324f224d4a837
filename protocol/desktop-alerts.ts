/** The commands about alerts; part of the window's contract in `desktop.ts`. */
import type { AlertEvaluation, AlertImportPreview, AlertPreview, Delivery, InboxPage, InboxQuery } from './alert-events'
import type { AlertDraft, AlertView, SnoozeScope } from './alerts'
import type { Json } from './json'
import type { DecimalText } from './model'

export interface AlertCommands {
  /** `whenAlreadyMet`: what to do when the condition already holds. The level is kept as typed. */
  createAlert: { arguments: { draft: AlertDraft; whenAlreadyMet: 'wait' | 'fire' }; answer: AlertView }
  /** The rule starts anew with the draft; its version counts up. */
  editAlert: { arguments: { ruleId: string; draft: AlertDraft; whenAlreadyMet: 'wait' | 'fire' }; answer: AlertView }
  /** A rule that is done or suspended waits for its condition once more. */
  armAlert: { arguments: { ruleId: string }; answer: AlertView }
  /** What a draft would do; `ruleId` is the rule being edited, which is no duplicate of itself. */
  previewAlert: { arguments: { draft: AlertDraft; ruleId?: string }; answer: AlertPreview }
  /** The last evaluations of a rule in this run, newest first. */
  explainAlert: { arguments: { ruleId: string }; answer: Json<AlertEvaluation[]> }
  snoozeAlerts: { arguments: { scope: SnoozeScope; untilMs: number | null }; answer: null }
  endSnooze: { arguments: { scope: SnoozeScope }; answer: null }
  getInbox: { arguments: { query: InboxQuery }; answer: Json<InboxPage> }
  saveInboxCsv: { arguments: { query: InboxQuery }; answer: { fileName: string } | null }
  /** Shows a notification and tells what became of it. */
  testNotification: { arguments: Record<string, never>; answer: { delivery: Delivery; words: string } }
  /** Without `ruleIds` all of them. `null`: the user changed their mind. */
  exportAlerts: { arguments: { ruleIds?: string[] }; answer: { fileName: string } | null }
  chooseAlertFile: { arguments: Record<string, never>; answer: AlertImportPreview | null }
  /** All of the file or nothing. */
  importAlerts: { arguments: { importId: string }; answer: { adds: number } }
  deleteAlert: { arguments: { ruleId: string }; answer: null }
  markInboxRead: { arguments: Record<string, never>; answer: null }
  /** The level is kept as typed; the rule starts anew with it. */
  setAlertLevel: { arguments: { ruleId: string; level: DecimalText }; answer: AlertView }
}
