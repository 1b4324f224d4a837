import type { Json, WindowSnapshot } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'
import type { CommandOwners } from './ipc/commands'

const done: Outcome<null> = { ok: true, value: null }

/** Which owner does what a command asks for. */
export function commandOwners(owners: Owners, snapshot: () => Json<WindowSnapshot>): CommandOwners {
  const { settings, alerts, services, values, page, notices } = owners
  return {
    snapshot,
    settings: {
      addIndex: (args) => {
        const added = settings.addIndex(args)
        // Adding what the service refused is how a user asks for it again.
        if (added.ok && added.value.wasThere) services.connection?.askAgain(args.indexId)
        return added
      },
      removeIndex: (args) => settings.removeIndex(args),
      setResolution: (args) => settings.setResolution(args),
      setTheme: ({ theme }) => {
        settings.setTheme(theme)
        return done
      },
    },
    alerts: {
      create: (args) => alerts.create(args, values.store.get(args.indexId)),
      remove: (ruleId) => alerts.remove(ruleId),
      markRead: () => {
        alerts.markRead()
      },
    },
    connection: {
      reconnect: () => {
        services.reconnect()
      },
      saveProfile: (profile, keySecret) => services.saveProfile(profile, keySecret),
      removeProfile: async () => {
        await services.removeProfile()
        return done
      },
    },
    page: {
      open: (indexId) => {
        page.open(indexId)
      },
      close: () => {
        page.close()
      },
    },
    dismissNotice: (noticeId) => {
      notices.dismiss(noticeId)
    },
  }
}
