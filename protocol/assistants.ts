/** Requests of AI assistants on this computer. The window shows them, so that the user sees who requested what. */
import type { AlertDraft } from '../core/alerts'

/** One request of an assistant. */
export interface AssistantCall {
  id: string
  atMs: number
  /** The assistant's name for itself. */
  client: string
  tool: string
  /** Ids, list or times of the request. Empty if it had none. */
  about: string
  /** Why it was refused. Undefined if it was answered. */
  problem?: string
}

/** An alert that an assistant proposes. It has no effect until the user saves it. */
export interface AlertProposal {
  id: string
  atMs: number
  client: string
  draft: AlertDraft
}

export interface AssistantsView {
  /** The connected assistants. */
  clients: { id: string; name: string; sinceMs: number }[]
  /** Newest first, at most 100 of this run of the app. */
  calls: AssistantCall[]
  /** Oldest first. */
  proposals: AlertProposal[]
  /** Why assistants cannot connect although they are allowed. */
  problem?: string
}

export const noAssistants: AssistantsView = { clients: [], calls: [], proposals: [] }

/** The command that starts the server for assistants on this computer. */
export interface AssistantSetup {
  command: string
  args: string[]
}
