import { ok, type Outcome } from '../../core/model'
import type { CommandAnswer, CommandHandlers } from '../../protocol/commands/contract'
import { toJson } from '../../protocol/json'
import type { About, Diagnostics } from '../../protocol/responses'
import { CallLimit } from '../base/call-limit'
import { does, slice, type Core, type Feature } from './feature'

interface Options {
  diagnostics: () => Diagnostics
  testNotification: () => Promise<CommandAnswer<'testNotification'>>
  openFolder: (folder: 'log' | 'data') => Promise<Outcome<null>>
  about: () => Promise<About>
  /** Shows the app's website in the browser. */
  openSite: () => Promise<Outcome<null>>
}

/** Maximum number of test notifications in ten seconds. */
const maxTests = 5

/** Messages in the window, and diagnostics. */
export function createSupport(
  { clock, dialogs, notices }: Pick<Core, 'clock' | 'dialogs' | 'notices'>,
  { diagnostics, testNotification, openFolder, about, openSite }: Options,
) {
  const testLimit = new CallLimit(clock, maxTests)
  return {
    slices: [slice(() => ({ notices: notices.all() }), notices.events, 'changed')],
    commands: {
      copyText: ({ text }) => dialogs.copy(text),
      dismissNotice: does(({ noticeId }) => notices.dismiss(noticeId)),
      testNotification: async () => {
        const admitted = testLimit.admit()
        return admitted.ok ? ok(await testNotification()) : admitted
      },
      openFolder: ({ folder }) => openFolder(folder),
      getAbout: async () => ok(await about()),
      openSite,
      getDiagnostics: () => ok(toJson(diagnostics())),
    } satisfies Partial<CommandHandlers>,
  } satisfies Feature
}
