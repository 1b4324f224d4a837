import { Worker } from 'node:worker_threads'
import { Emitter } from '../../main/base/emitter'
import type { Core, CoreEvents } from '../../main/features/feature'
import { NewHosts } from '../../main/features/new-hosts'
import { Notices } from '../../main/ipc/notices'
import { SettingsStore } from '../../main/storage/settings'
import { UnfinishedFiles } from '../../main/storage/unfinished-files'
import type { HistoryStore } from '../../main/history-store/history-store'
import { childProgram } from './child-programs'
import { FakeClock } from './fake-clock'
import { MemoryJsonFile } from './memory-json-file'
import { MemoryHistory } from './memory-history'
import { RecordedLog } from './recorded-log'
import { ScriptedDialogs } from './scripted-dialogs'
import { onError } from './on-error'
import { temporaryFolder } from './temporary-folder'

/** The dependencies of every feature, in memory, with real threads. `webhooks` belong to all alerts. */
export function featureCore({
  clock = new FakeClock(),
  history = new MemoryHistory(),
  webhooks = () => [],
}: { clock?: FakeClock; history?: MemoryHistory; webhooks?: () => readonly (string | undefined)[] } = {}) {
  let made = 0
  const settings = new SettingsStore({ backend: new MemoryJsonFile(), clock, onError })
  const dialogs = new ScriptedDialogs()
  const core = {
    clock,
    log: new RecordedLog(),
    settings,
    history: history as unknown as HistoryStore,
    dialogs,
    unfinished: new UnfinishedFiles(temporaryFolder()),
    decimalSign: () => ',' as const,
    newHosts: new NewHosts({ settings, webhooks, dialogs }),
    notices: new Notices(onError),
    events: new Emitter<CoreEvents>(onError),
    newId: () => `id-${++made}`,
    startThread: (name: string, workerData: unknown) =>
      new Worker(childProgram(name.replace(/\.js$/, '') as Parameters<typeof childProgram>[0]), { workerData }),
    onError,
  } satisfies Partial<Core>
  return core as typeof core & Core
}
