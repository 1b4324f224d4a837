import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }

/** Rules and the inbox: the engine owns both. */
export function alertCommands({
  alerts,
  values,
}: Owners): Pick<CommandHandlers, 'createAlert' | 'setAlertLevel' | 'deleteAlert' | 'markInboxRead'> {
  return {
    createAlert: (args) => alerts.create(args, values.store.get(args.indexId)),
    setAlertLevel: ({ ruleId, level }) => {
      const rule = alerts.views().find(({ id }) => id === ruleId)
      return alerts.setLevel(ruleId, level, rule && values.store.get(rule.indexId))
    },
    deleteAlert: ({ ruleId }) => alerts.remove(ruleId),
    markInboxRead: () => {
      alerts.markRead()
      return done
    },
  }
}
