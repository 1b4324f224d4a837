import type { CommandHandlers } from '../protocol/desktop'
import type { Messengers } from './app-notifications'
import type { Owners } from './app-views'

/** Notices: the test notification, and the sentences the user dismisses. */
export function noticeCommands(
  { notices }: Owners,
  { testNotification }: Pick<Messengers, 'testNotification'>,
): Pick<CommandHandlers, 'testNotification' | 'dismissNotice'> {
  return {
    testNotification: async () => ({ ok: true, value: await testNotification() }),
    dismissNotice: ({ noticeId }) => {
      notices.dismiss(noticeId)
      return { ok: true, value: null }
    },
  }
}
