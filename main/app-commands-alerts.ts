import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }
const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

/** Rules and the inbox: the engine owns both. */
export function alertCommands({
  alerts,
  values,
}: Owners): Pick<CommandHandlers, 'createAlert' | 'setAlertLevel' | 'deleteAlert' | 'markInboxRead'> {
  return {
    createAlert: (args) => alerts.create(args, values.store.get(args.indexId)),
    setAlertLevel: () => notYet,
    deleteAlert: ({ ruleId }) => alerts.remove(ruleId),
    markInboxRead: () => {
      alerts.markRead()
      return done
    },
  }
}
