import { toJson, type CommandHandlers } from '../protocol/desktop'
import type { Outcome, Quote } from '../protocol/model'
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

/** Rules, snoozes and the inbox: the engine owns all of them. */
export function alertCommands({ alerts, values }: Owners): Pick<CommandHandlers, AlertCommand> {
  const latestOf = (ruleId: string): Quote | undefined => {
    const rule = alerts.views().find(({ id }) => id === ruleId)
    return rule && values.store.get(rule.indexId)
  }
  return {
    createAlert: ({ draft, whenAlreadyMet }) => alerts.create(draft, whenAlreadyMet, values.store.get(draft.indexId)),
    editAlert: ({ ruleId, draft, whenAlreadyMet }) =>
      alerts.edit(ruleId, draft, whenAlreadyMet, values.store.get(draft.indexId)),
    setAlertLevel: ({ ruleId, level }) => alerts.setLevel(ruleId, level, latestOf(ruleId)),
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
