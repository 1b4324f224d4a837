import { inject } from 'vitest'
import type { indexKinds } from '../../../scripts/service-arguments.js'

/** The suite needs one index of each kind. */
export type Kind = (typeof indexKinds)[number]

/** The service that the suite checks against the spec. */
export interface ServiceUnderTest {
  readonly ws: string
  /** The REST address before `/api/v1`. */
  readonly rest: string
  /** `null` if the service has no assistant tools. */
  readonly mcp: string | null
  readonly keyId: string
  readonly keySecret: string
  /** True for our own simulator, which must offer everything and is bound by docs/development/decisions/0007. */
  readonly isOurs: boolean
  /** Ids named on the command line, for kinds that the suite does not find by itself. */
  readonly indices: Readonly<Partial<Record<Kind, string>>>
}

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceUnderTest
  }
}

export const service = inject('service')

export function basic(id = service.keyId, secret = service.keySecret): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** Runs once per key, so that tests share a result that takes time to observe. */
export function once<T>(run: (key: string) => Promise<T>): (key?: string) => Promise<T> {
  const results = new Map<string, Promise<T>>()
  return (key = '') => {
    const result = results.get(key) ?? run(key)
    results.set(key, result)
    return result
  }
}
