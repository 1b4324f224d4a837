import type { Routes } from '../base/routes'

/** Why a session ended that no error of the protocol explains. */
export type SessionFault = 'tooLarge' | 'cut'

interface Options {
  authorization: string
  /** The way there; straight by default. */
  routes?: Routes | undefined
  /** Ends every request, also in the middle of a body. */
  signal: AbortSignal
  /** The session is to be ended. */
  onFault: (fault: SessionFault) => void
  onRetryAfter: (header: string) => void
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** All answers of one session together, counted after unpacking. */
const maxBytes = 8 * 1024 * 1024

/**
 * The `fetch` of one session with a service's assistant tools. The key goes to the address the user entered and to no
 * other: redirects end the question. Bodies are counted as they come and cut off where they pass the limit. The service
 * has nothing to say of its own accord, so no stream is opened for it.
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
