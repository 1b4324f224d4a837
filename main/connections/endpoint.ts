import { failure, type AuthForm } from '../../core/model'
import type { RestClient } from '../rest/client'

/** A service and its key. */
export interface ServiceEndpoint {
  /** Id of the connection, stable when it is renamed. Its name by default. */
  id?: string
  name: string
  isDemo: boolean
  /** How the stream gets the key, by default in the header. REST and tools always use the header. */
  auth?: AuthForm
  webSocketUrl: string
  restUrl?: string
  /** Address of the assistant tools. */
  mcpUrl?: string
  keyId: string
  keySecret: string
}

export const withoutRest = failure(
  'noRestAddress',
  'This connection has no REST address, which this request needs. Enter one in Settings.',
)

/** The requests that a page makes to its index's service. */
export type IndexSource = Pick<RestClient, 'detail' | 'summary' | 'conditions' | 'corporateAction'>

/** For a connection without a REST address. Every request fails. */
export const nothingToAsk: IndexSource = {
  detail: () => Promise.resolve(withoutRest),
  summary: () => Promise.resolve(withoutRest),
  conditions: () => Promise.resolve(withoutRest),
  corporateAction: () => Promise.resolve(withoutRest),
}
