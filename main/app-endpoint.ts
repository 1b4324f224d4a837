import type { AuthForm } from '../protocol/model'
import type { IndexSource } from './index-page/index-page'

/** Which service, and as whom. */
export interface ServiceEndpoint {
  name: string
  isDemo: boolean
  /** How the stream is shown the key; in the header unless told otherwise. REST and tools always get the header. */
  auth?: AuthForm
  webSocketUrl: string
  restUrl?: string
  /** Where the assistant tools answer. */
  mcpUrl?: string
  keyId: string
  keySecret: string
}

const withoutRest = Promise.resolve({
  ok: false as const,
  problem: {
    code: 'noRestAddress',
    message: 'This connection has no REST address, where this would be asked for. Enter one in Settings.',
  },
})
/** Answers for a connection without a REST address. */
export const nothingToAsk: IndexSource = { detail: () => withoutRest, summary: () => withoutRest }
