import type { HandlersOf } from '../../protocol/commands/contract'
import type { historyCommands } from '../../protocol/commands/history'
import { toJson } from '../../protocol/json'
import type { AppContext } from './context'
import { UserFiles } from './user-files'
import { amendmentPage, amendmentsCsv } from '../history/amendments'

/** What was published and amended, and when the app learned it. */
export function historyHandlers(context: AppContext): HandlersOf<typeof historyCommands> {
  const { tape } = context
  const files = new UserFiles(context)
  return {
    getAmendments: async (wanted) => {
      const page = await amendmentPage(tape, wanted)
      return page.ok ? { ok: true, value: toJson(page.value) } : page
    },
    saveAmendmentsCsv: ({ indexId }) =>
      files.save(async () => {
        const text = await amendmentsCsv(tape, indexId)
        const name = indexId === undefined ? 'Amendments' : `${indexId} amendments`
        return text.ok ? { ok: true, value: { name, kind: 'csv', text: text.value } } : text
      }),
  }
}
