import type { appCommands } from '../../protocol/commands/app'
import type { CommandAnswer, HandlersOf } from '../../protocol/commands/contract'
import type { WindowSnapshot } from '../../protocol/desktop'
import { toJson, type Json } from '../../protocol/json'
import { done, type Outcome, ok } from '../../core/model'
import type { Preferences } from '../../core/preferences'
import type { HistorySize } from '../../protocol/responses'
import { CallLimit } from '../base/call-limit'
import type { TapeSize } from '../tape/contract'
import type { AppContext } from './context'

/** What the window asks of its own feed, of the notifications and of the app's life. */
export interface WindowSources {
  snapshot: () => Json<WindowSnapshot>
  testNotification: () => Promise<CommandAnswer<'testNotification'>>
  restart: () => void
}

/** Notifications that mean nothing, in ten seconds. */
const maxTests = 5

/** What the settings say of how services are reached. */
function wayOf({ proxy, proxyServer, proxyScript }: Preferences): string {
  return JSON.stringify([proxy, proxyServer, proxyScript])
}

/** The app itself: what the window shows, preferences, messages, support. */
export function appHandlers(
  {
    clock,
    settings,
    tape,
    dialogs,
    notices,
    diagnostics,
    openFolder,
    about,
    openSite,
    updates,
    connections,
    newHosts,
    routes,
    spreadsheets,
  }: AppContext,
  { snapshot, testNotification, restart }: WindowSources,
): HandlersOf<typeof appCommands> {
  const testLimit = new CallLimit(clock, maxTests)
  return {
    getSnapshot: () => ok(snapshot()),
    setPreferences: async (preferences) => {
      const { proxyServer = '', proxyScript = '', secondWebhook = '', heartbeatWebhook = '' } = preferences
      const urls = [proxyServer, proxyScript, secondWebhook, heartbeatWebhook].filter((url) => url !== '')
      const refusal = await newHosts.refusal(urls)
      if (refusal !== undefined) return refusal
      const before = wayOf(settings.get())
      await settings.setPreferences(preferences)
      if (wayOf(settings.get()) !== before) {
        routes.forgetAsking()
        if (!connections.isPaused) connections.reconnect()
      }
      return done
    },
    copyText: ({ text }) => dialogs.copy(text),
    dismissNotice: ({ noticeId }) => {
      notices.dismiss(noticeId)
      return done
    },
    testNotification: async () => {
      const admitted = testLimit.admit()
      return admitted.ok ? ok(await testNotification()) : admitted
    },
    getHistorySize: async () => shown(await tape.ask('size', null)),
    clearHistory: async ({ beforeMs }) => shown(await tape.ask('clearBefore', { beforeMs })),
    restart: () => {
      restart()
      return done
    },
    openFolder: ({ folder }) => openFolder(folder),
    getAbout: async () => ok(await about()),
    checkForUpdates: () => {
      // What comes of it is in the window's state.
      void updates?.check()
      return done
    },
    restartToUpdate: () => {
      updates?.restart()
      return done
    },
    makeSpreadsheetToken: async () => ok({ token: await spreadsheets.makeToken() }),
    openSite: () => openSite(),
    getDiagnostics: () => ok(toJson(diagnostics())),
  }
}

/** Room that is free in the file is not counted: the next values fill it. */
function shown(size: Outcome<TapeSize>): Outcome<HistorySize> {
  if (!size.ok) return size
  const { bytes, freeBytes, oldestMs } = size.value
  return ok({ bytes: bytes - freeBytes, ...(oldestMs !== undefined && { oldestMs }) })
}
