import type { CommandHandlers } from '../protocol/desktop'
import type { Owners } from './app-views'

/** Notices: the test notification, and the sentences the user dismisses. */
export function noticeCommands({ notices }: Owners): Pick<CommandHandlers, 'testNotification' | 'dismissNotice'> {
  return {
    testNotification: () => ({ ok: true, value: { delivery: 'unknown', words: 'Not there yet.' } }),
    dismissNotice: ({ noticeId }) => {
      notices.dismiss(noticeId)
      return { ok: true, value: null }
    },
  }
}
