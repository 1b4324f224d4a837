import type { CommandArguments, CommandHandlers, Json, SecretKept, WindowSnapshot } from '../../protocol/desktop'
import type { AlertView, ConnectionProfile, Outcome } from '../../protocol/model'

/** The owners of what commands change; each decides and answers for itself. */
export interface CommandOwners {
  snapshot: () => Json<WindowSnapshot>
  settings: {
    addIndex: (args: CommandArguments<'addIndex'>) => Outcome<{ wasThere: boolean }>
    removeIndex: (args: CommandArguments<'removeIndex'>) => Outcome<{ position: number }>
    setResolution: (args: CommandArguments<'setResolution'>) => Outcome<null>
    setTheme: (args: CommandArguments<'setTheme'>) => Outcome<null>
  }
  alerts: {
    create: (args: CommandArguments<'createAlert'>) => Promise<Outcome<AlertView>>
    remove: (ruleId: string) => Promise<Outcome<null>>
    markRead: () => void
  }
  connection: {
    reconnect: () => void
    saveProfile: (profile: ConnectionProfile, keySecret: string) => Promise<Outcome<{ kept: SecretKept }>>
    removeProfile: () => Promise<Outcome<null>>
  }
  page: {
    open: (indexId: string) => void
    close: () => void
  }
  dismissNotice: (noticeId: string) => void
}

const done: Outcome<null> = { ok: true, value: null }

/** The complete table: which owner answers which command. */
export function commandHandlers({
  snapshot,
  settings,
  alerts,
  connection,
  page,
  dismissNotice,
}: CommandOwners): CommandHandlers {
  return {
    getSnapshot: () => ({ ok: true, value: snapshot() }),
    addIndex: (args) => settings.addIndex(args),
    removeIndex: (args) => settings.removeIndex(args),
    setResolution: (args) => settings.setResolution(args),
    setTheme: (args) => settings.setTheme(args),
    createAlert: (args) => alerts.create(args),
    deleteAlert: ({ ruleId }) => alerts.remove(ruleId),
    markInboxRead: () => {
      alerts.markRead()
      return done
    },
    reconnect: () => {
      connection.reconnect()
      return done
    },
    saveProfile: ({ profile, keySecret }) => connection.saveProfile(profile, keySecret),
    removeProfile: () => connection.removeProfile(),
    openIndex: ({ indexId }) => {
      page.open(indexId)
      return done
    },
    closeIndex: () => {
      page.close()
      return done
    },
    dismissNotice: ({ noticeId }) => {
      dismissNotice(noticeId)
      return done
    },
  }
}
