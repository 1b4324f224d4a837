/** Commands about AI assistants on this computer and the tools of services. */
import * as v from 'valibot'
import type { AssistantSetup } from '../assistants'
import type { Json } from '../json'
import { maxTables, type ToolResult } from '../service-tools'
import { command, localId, type SavedFile } from './command'

/** For the arguments of a service's tool, as JSON text. */
const maxArgumentsLength = 65_536

export const assistantCommands = {
  /** The configuration for an assistant. */
  getAssistantSetup: command({}).answers<AssistantSetup>(),
  /** The user saved the alert. */
  acceptProposal: command({ proposalId: localId }).answers<null>(),
  /** The user declined it. */
  declineProposal: command({ proposalId: localId }).answers<null>(),
  /**
   * Runs a tool of a service and returns its answer. Problems: `unknownTool`, `toolRunning`, `cancelled`,
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
  /** Cancels the running call, if there is one. */
  cancelServiceTool: command({}).answers<null>(),
  /** Saves a table of the last answer as CSV, counted from 0. Problem `noValues` if there is no such table. */
  saveServiceToolTable: command({
    callId: localId,
    table: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxTables - 1)),
  }).answers<SavedFile>(),
}
