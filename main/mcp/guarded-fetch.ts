import type { Routes } from '../base/routes'

/** Faults that end a session and are not errors of the protocol. */
export type SessionFault = 'tooLarge' | 'cut'

interface Options {
  authorization: string
  /** Proxy routes. Direct by default. */
  routes?: Routes | undefined
  /** Aborts every request, even within a body. */
  signal: AbortSignal
  /** Called when the session must end. */
  onFault: (fault: SessionFault) => void
  onRetryAfter: (header: string) => void
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Limit of all responses of one session together, after decompression. */
const maxBytes = 8 * 1024 * 1024

/**
 * The `fetch` of one session with a provider's tools. The key goes only to the address the user entered, so redirects
 * fail. Bodies are counted while they arrive and cut off at the limit. The event stream is refused, because the service
 * sends nothing unrequested.
 */
export function guardedFetch({ authorization, routes, signal, onFault, onRetryAfter }: Options): Fetch {
  let byteCount = 0
  return async (url, init = {}) => {
    if (init.method === 'GET') return new Response(null, { status: 405 })
    const headers = new Headers(init.headers)
    headers.set('Authorization', authorization)
    const signals = init.signal instanceof AbortSignal ? [init.signal, signal] : [signal]
    const guarded: RequestInit = { ...init, headers, redirect: 'error', signal: AbortSignal.any(signals) }
    const response = await (routes?.fetch(url, guarded) ?? fetch(url, guarded))
    const retryAfter = response.headers.get('retry-after')
    if (response.status === 429) onRetryAfter(retryAfter ?? '')
    if (response.body === null) return response
    const counted = countedBody(response.body, (bytes) => (byteCount += bytes) <= maxBytes, onFault)
    return new Response(counted, { status: response.status, headers: response.headers })
  }
}

function countedBody(
  body: ReadableStream<Uint8Array>,
  takes: (bytes: number) => boolean,
  onFault: (fault: SessionFault) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        onFault('cut')
        throw error
      })
      if (done) {
        controller.close()
      } else if (takes(value.byteLength)) {
        controller.enqueue(value)
      } else {
        onFault('tooLarge')
        await reader.cancel()
        controller.error(new Error('too large'))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
