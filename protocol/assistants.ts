/** What AI assistants on this computer ask of the app: shown in the window, so that the user sees who asked what. */
import type { AlertDraft } from '../core/alerts'

/** One question of an assistant. */
export interface AssistantCall {
  id: string
  atMs: number
  /** What the assistant calls itself. */
  client: string
  tool: string
  /** What it was about: the ids, the list, the times; empty where nothing was given. */
  about: string
  /** Why it was refused, in plain words; absent where it was answered. */
  problem?: string
}

/** An alert that an assistant proposes. Nothing comes of it unless the user saves it. */
export interface AlertProposal {
  id: string
  atMs: number
  client: string
  draft: AlertDraft
}

export interface AssistantsView {
  /** Assistants that are connected now, by what they call themselves. */
  clients: { id: string; name: string; sinceMs: number }[]
  /** Newest first, at most 100 of this run of the app. */
  calls: AssistantCall[]
  /** Oldest first. */
  proposals: AlertProposal[]
  /** Why no assistant can connect although they are allowed, in plain words. */
  problem?: string
}

export const noAssistants: AssistantsView = { clients: [], calls: [], proposals: [] }

/** What starts the server for assistants on this computer. */
export interface AssistantSetup {
  command: string
  args: string[]
}
