import type { assistantCommands } from '../../protocol/commands/assistants'
import type { HandlersOf } from '../../protocol/commands/contract'
import { toJson } from '../../protocol/json'
import { done, failure, type Outcome, ok } from '../../core/model'
import { shapeOf, type ToolResult } from '../../protocol/service-tools'
import { toCsv } from '../base/csv'
import type { AppContext } from './context'
import { UserFiles, type FileToSave } from './user-files'

/** AI assistants on this computer, and the tools of the services that the user runs. */
export function assistantHandlers(
  context: Pick<AppContext, 'assistants' | 'assistantSetup' | 'toolCalls' | 'dialogs' | 'newId' | 'unfinished'>,
): HandlersOf<typeof assistantCommands> {
  const { assistants, assistantSetup, toolCalls } = context
  const files = new UserFiles(context)
  return {
    getAssistantSetup: () => ok(assistantSetup),
    acceptProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'accepted'),
    declineProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'declined'),
    runServiceTool: async ({ connectionId, tool, argumentsJson }) => {
      const result = await toolCalls.run(connectionId, tool, argumentsJson)
      return result.ok ? ok(toJson(result.value)) : result
    },
    cancelServiceTool: () => {
      toolCalls.cancel()
      return done
    },
    saveServiceToolCsv: ({ callId, table }) => files.save(() => tableAsCsv(toolCalls.resultOf(callId), table)),
  }
}

function tableAsCsv(result: ToolResult | undefined, at: number): Outcome<FileToSave> {
  const found = result?.answer.data === undefined ? undefined : shapeOf(result.answer.data).tables[at]
  if (result === undefined || found === undefined) {
    return failure('noValues', 'That table no longer exists. Run the tool again.')
  }
  const { name, table } = found
  const file = name === '' ? result.call.tool : `${result.call.tool} ${name}`
  return ok({ name: file, kind: 'csv', text: toCsv([table.columns, ...table.rows]) })
}
