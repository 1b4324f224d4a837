import { randomUUID } from 'node:crypto'
import { SystemClock, type Clock } from '../../main/base/clock'
import type { DeskAccess } from '../../main/desk/link'
import { createDesk } from '../../main/features/desk'
import { createLists } from '../../main/features/lists'
import type { NotificationText } from '../../main/desktop/notification-text'
import type { Connections } from '../../main/connections/connections'
import type { ReachWatch } from '../../main/alerts/reach-watch'
import type { QuoteData } from '../../main/quotes/quote-data'
import { JudgingEngine } from './desk-parts'
import { featureCore } from './feature-core'
import { memorySecrets } from './memory-encryption'
import { temporaryFolder } from './temporary-folder'

interface Parts {
  access: DeskAccess
  user: string
  password?: string
  clock?: Clock
  folder?: string
  judging?: JudgingEngine
}

/** The desk's feature of an app, with a real alert engine. Its window and its connections are left out. */
export async function startDeskApp({ access, user, password = 'word', ...parts }: Parts) {
  const judging = parts.judging ?? (await JudgingEngine.open())
  const { engine } = judging
  const notices: string[] = []
  const announced: NotificationText[] = []
  const core = {
    ...featureCore(),
    clock: parts.clock ?? new SystemClock(),
    folder: parts.folder ?? temporaryFolder(),
    hidden: new Set<string>(),
    newId: randomUUID,
    notice: (message: string) => void notices.push(message),
  }
  const secrets = memorySecrets(core.clock)
  const sources = {
    quotes: { store: { get: () => undefined } } as unknown as QuoteData,
    connections: {
      catalogue: [],
      views: [],
      refusal: () => undefined,
      askAgain: () => undefined,
    } as unknown as Connections,
    reachWatch: { constituentsOf: () => undefined, conditionsOf: () => undefined } as unknown as ReachWatch,
  }
  const announce = (text: NotificationText) => void announced.push(text)
  const desk = createDesk(core, { ...sources, alerts: engine, secrets, announce, isSeat: true })
  const { address, name } = access
  const lists = createLists(core, { ...sources, changeLists: desk.changeLists })
  desk.follow()
  const saved = await desk.commands.saveDesk({ desk: { address, name, user }, password })
  if (!saved.ok) throw new Error(saved.problem.message)
  desk.settingsChanged(core.settings.get())
  core.settings.events.on('changed', (changed) => desk.settingsChanged(changed))
  return {
    ...{ desk, engine, judging, core, notices, announced, secrets },
    ...desk.commands,
    ...lists.commands,
    /** Its lists by their names. */
    lists: () => new Map(core.settings.get().watchlists.map((list) => [list.name, list])),
    view: () => desk.slices[0].now().desk ?? undefined,
    seen: () => desk.slices[1].now().deskSeen,
    inbox: () => engine.inbox(),
    stop: () => desk.dispose(),
  }
}
