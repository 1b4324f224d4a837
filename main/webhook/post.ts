import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isPrivateWay } from '../../core/shapes'
import { isCertificateFault } from '../base/http'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'

/** Result of a POST: the status, or why there is none. */
export type PostResult =
  | { kind: 'answered'; status: number }
  /** `refusedAddress`: not https, or it has a name or password. Nothing was sent. */
  | { kind: 'proxy'; problem: string }
  | { kind: 'refusedAddress' | 'tooLarge' | 'timedOut' | 'certificate' | 'unreachable' }

/** Messages are far smaller. */
const maxBodyBytes = 16 * 1024

/** False for an insecure address, or one with a name or password. */
function isAllowed(url: URL): boolean {
  return url.username === '' && url.password === '' && isPrivateWay(url)
}

/** Time limit of one POST. */
export const timeLimitMs = 5_000

export interface PostOptions {
  clock: Pick<Clock, 'after'>
  /** Aborts the POST. */
  controller: AbortController
  /** Proxy routes. Direct by default. */
  routes?: Routes
  /** PEM certificates trusted instead of the usual ones. For tests. */
  ca?: string
}

/**
 * One POST of JSON on its own connection, without cookies, keys or retries. Redirects are not followed, and only the
 * status of the response is read. Never throws.
 */
export async function postJson(url: string, body: string, options: PostOptions): Promise<PostResult> {
  const { clock, controller } = options
  const cancel = clock.after(timeLimitMs, () => controller.abort())
  try {
    return await post(url, body, options)
  } finally {
    cancel()
  }
}

function post(url: string, body: string, { controller: { signal }, routes, ca }: PostOptions): Promise<PostResult> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target === undefined || !isAllowed(target)) return Promise.resolve({ kind: 'refusedAddress' })
  const bytes = Buffer.from(body)
  if (bytes.byteLength > maxBodyBytes) return Promise.resolve({ kind: 'tooLarge' })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.byteLength, 'User-Agent': 'Indexwatch' }
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable the check.
  const agent = routes?.agentFor(target) ?? false
  const options = { method: 'POST', headers, agent, signal, rejectUnauthorized: true }
  return new Promise((resolve) => {
    const isSecure = target.protocol === 'https:'
    const request = isSecure ? httpsRequest(target, { ...options, ca }) : httpRequest(target, options)
    request.on('response', (response) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      response.destroy()
    })
    // Without this listener Node drops such a response silently.
    request.on('upgrade', (response, socket) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      socket.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve({ kind: 'timedOut' })
      else if (error.code === 'ERR_PROXY') resolve({ kind: 'proxy', problem: error.message })
      else resolve({ kind: isCertificateFault(error.code ?? '') ? 'certificate' : 'unreachable' })
    })
    // Guarantees a result however the request ends.
    request.on('close', () => resolve({ kind: signal.aborted ? 'timedOut' : 'unreachable' }))
    request.end(bytes)
  })
}
