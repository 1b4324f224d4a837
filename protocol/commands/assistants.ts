/** Commands about AI assistants on this computer. */
import type { AssistantSetup } from '../assistants'
import { command, localId } from './command'

export const assistantCommands = {
  /** What an assistant has to be configured with. */
  getAssistantSetup: command({}).answers<AssistantSetup>(),
  /** The alert was saved. */
  acceptProposal: command({ proposalId: localId }).answers<null>(),
  /** The user does not want it. */
  declineProposal: command({ proposalId: localId }).answers<null>(),
}
