import { failure, type AuthForm } from '../../core/model'
import type { RestClient } from '../rest/client'

/** Which service, and with which key. */
export interface ServiceEndpoint {
  /** Of the connection, which stays when it is renamed; its name by default. */
  id?: string
  name: string
  isDemo: boolean
  /** How the stream is sent the key; in the header by default. REST and tools always get the header. */
  auth?: AuthForm
  webSocketUrl: string
  restUrl?: string
  /** Where the assistant tools answer. */
  mcpUrl?: string
  keyId: string
  keySecret: string
}

const withoutRest = Promise.resolve(
  failure('noRestAddress', 'This connection has no REST address, which this request needs. Enter one in Settings.'),
)

/** What a page asks of the service that answers for its index. */
export type IndexSource = Pick<RestClient, 'detail' | 'summary' | 'conditions' | 'corporateAction'>

/** Answers for a connection without a REST address. */
export const nothingToAsk: IndexSource = {
  detail: () => withoutRest,
  summary: () => withoutRest,
  conditions: () => withoutRest,
  corporateAction: () => withoutRest,
}
