/** Commands about AI assistants on this computer and the tools that services offer. */
import * as v from 'valibot'
import type { AssistantSetup } from '../assistants'
import type { Json } from '../json'
import { maxTables, type ToolResult } from '../service-tools'
import { command, localId, type SavedFile } from './command'

/** Arguments of a tool of the service, as JSON text. */
const maxArgumentsLength = 65_536

export const assistantCommands = {
  /** What an assistant has to be configured with. */
  getAssistantSetup: command({}).answers<AssistantSetup>(),
  /** The alert was saved. */
  acceptProposal: command({ proposalId: localId }).answers<null>(),
  /** The user does not want it. */
  declineProposal: command({ proposalId: localId }).answers<null>(),
  /**
   * Runs a tool of a service; done when it has answered. Problems `unknownTool`, `toolRunning`, `cancelled`,
   * `badArguments` and those of the service.
   */
  runServiceTool: command(
    {
      connectionId: localId,
      tool: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
      argumentsJson: v.pipe(v.string(), v.maxLength(maxArgumentsLength)),
    },
    { nodes: 8, characters: maxArgumentsLength + 512 },
  ).answers<Json<ToolResult>>(),
  /** Ends the call that runs, if one does. */
  cancelServiceTool: command({}).answers<null>(),
  /** A table of the last answer as CSV, the first being 0, to where the user says. Problem `noValues`: it is not there. */
  saveServiceToolCsv: command({
    callId: localId,
    table: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxTables - 1)),
  }).answers<SavedFile>(),
}
