/** What every feature gets, made for this start of the app. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { app } from 'electron'
import type { SystemClock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { redactor, type Log } from '../base/log'
import { decimalSignOf } from '../base/region'
import { ProxyCredentials } from '../connections/proxy-credentials'
import { nativeFileDialogs } from '../desktop/file-dialogs'
import { isDevelopment } from '../desktop/launch-options'
import type { Core, CoreEvents } from '../features/feature'
import { NewHosts } from '../features/new-hosts'
import { Notices } from '../ipc/notices'
import { AtomicJsonFile } from '../storage/atomic-file'
import { keyringSecrets } from '../storage/keyring'
import { isSecretDocument } from '../storage/secret-keeper'
import { SettingsStore } from '../storage/settings'
import { SettingsFile } from '../storage/settings-file'
import { UnfinishedFiles } from '../storage/unfinished-files'
import { HistoryStore } from '../history-store/history-store'
import { createRoutes } from './routes'

interface Options {
  clock: SystemClock
  log: Log
  /** Texts that the log removes. Secrets in use are added. */
  hidden: Set<string>
  /** The webhooks of all alerts. */
  webhooks: () => readonly (string | undefined)[]
}

const maxFileBytes = 16 * 2 ** 20

/** Path of a built module that runs in another process or thread. */
export const modulePath = (name: string) => join(app.getAppPath(), 'out', 'main', name)

export function createCore({ clock, log, hidden, webhooks }: Options) {
  const folder = app.getPath('userData')
  const onError = (error: unknown) => log.error('A listener failed', { error: String(error) })
  /** A file of the profile without a copy. Content that `accepts` rejects is set aside as damaged. */
  const file = (name: string, accepts?: (value: unknown) => boolean) =>
    new AtomicJsonFile({ path: join(folder, name), clock, maxBytes: maxFileBytes, accepts })
  const startThread = (name: string, workerData?: unknown) => new Worker(modulePath(name), { workerData })
  const backend = new SettingsFile({ path: join(folder, 'settings.json'), clock })
  const settings = new SettingsStore({ backend, clock, onError })
  const secrets = keyringSecrets({ file: file('secret.json', isSecretDocument), clock, onError })
  const credentials = new ProxyCredentials(secrets, hidden)
  const notices = new Notices(onError)
  const core: Core = {
    clock,
    log,
    appVersion: app.getVersion(),
    folder,
    settings,
    history: new HistoryStore({ folder, clock, log, startThread: (task) => startThread('history-worker.js', task) }),
    routes: createRoutes({ settings, credentials, clock }),
    dialogs: nativeFileDialogs,
    unfinished: new UnfinishedFiles(folder),
    decimalSign: () => decimalSignOf(process.env, app.getSystemLocale()),
    newHosts: new NewHosts({
      settings,
      webhooks,
      dialogs: nativeFileDialogs,
      trustsLoopback: isDevelopment({ env: process.env, isPackaged: app.isPackaged }),
    }),
    notices,
    events: new Emitter<CoreEvents>(onError),
    hidden,
    redact: redactor(() => [...hidden]),
    newId: randomUUID,
    startThread,
    notice: (message) => {
      log.warn('Notice', { message })
      notices.add(message)
    },
    onError,
  }
  return { core, secrets, credentials, file }
}
