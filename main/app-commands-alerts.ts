import { checkDraft } from '../protocol/alert-checks'
import type { AlertDraft } from '../protocol/alerts'
import { toJson, type CommandHandlers } from '../protocol/desktop'
import type { Outcome, Quote } from '../protocol/model'
import { draftContext } from './app-alert-preview'
import type { Owners } from './app-views'

type AlertCommand =
  | 'createAlert'
  | 'editAlert'
  | 'setAlertLevel'
  | 'armAlert'
  | 'deleteAlert'
  | 'explainAlert'
  | 'snoozeAlerts'
  | 'endSnooze'
  | 'getInbox'
  | 'markInboxRead'

const done: Outcome<null> = { ok: true, value: null }

/**
 * Rules, snoozes and the inbox: the engine owns all of them. A draft is held against what the services tell of its index,
 * whatever the page made of it.
 */
export function alertCommands(owners: Owners): Pick<CommandHandlers, AlertCommand> {
  const { alerts, values } = owners
  const faultOf = (draft: AlertDraft): Outcome<never> | undefined => {
    const [fault] = checkDraft(draft, draftContext(owners, draft.indexId))
    return fault && { ok: false, problem: { code: fault.field, message: fault.message } }
  }
  const latestOf = (ruleId: string): Quote | undefined => {
    const rule = alerts.views().find(({ id }) => id === ruleId)
    return rule && values.store.get(rule.indexId)
  }
  return {
    createAlert: ({ draft, whenAlreadyMet }) =>
      faultOf(draft) ?? alerts.create(draft, whenAlreadyMet, values.store.get(draft.indexId)),
    editAlert: ({ ruleId, draft, whenAlreadyMet }) =>
      faultOf(draft) ?? alerts.edit(ruleId, draft, whenAlreadyMet, values.store.get(draft.indexId)),
    setAlertLevel: ({ ruleId, level }) => {
      const rule = alerts.views().find(({ id }) => id === ruleId)
      const moved = rule && 'level' in rule.terms ? { ...rule, terms: { ...rule.terms, level } } : undefined
      return (moved && faultOf(moved)) ?? alerts.setLevel(ruleId, level, latestOf(ruleId))
    },
    armAlert: ({ ruleId }) => alerts.arm(ruleId, latestOf(ruleId)),
    deleteAlert: ({ ruleId }) => alerts.remove(ruleId),
    explainAlert: ({ ruleId }) => ({ ok: true, value: toJson(alerts.explain(ruleId)) }),
    snoozeAlerts: ({ scope, untilMs }) => alerts.snooze(scope, untilMs),
    endSnooze: ({ scope }) => alerts.endSnooze(scope),
    getInbox: ({ query }) => ({ ok: true, value: toJson(alerts.page(query)) }),
    markInboxRead: () => {
      alerts.markRead()
      return done
    },
  }
}
