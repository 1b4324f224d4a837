import type { assistantCommands } from '../../protocol/commands/assistants'
import type { HandlersOf } from '../../protocol/commands/contract'
import type { AppContext } from './context'

/** AI assistants on this computer: how to connect one, and what became of what they propose. */
export function assistantHandlers({
  assistants,
  assistantSetup,
}: Pick<AppContext, 'assistants' | 'assistantSetup'>): HandlersOf<typeof assistantCommands> {
  return {
    getAssistantSetup: () => ({ ok: true, value: assistantSetup }),
    acceptProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'accepted'),
    declineProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'declined'),
  }
}
