import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isPrivateWay } from '../../core/shapes'
import { isCertificateFault } from '../base/http'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'

/** Result of a POST: the answer with the first part of its text, or why there is none. */
export type PostResult =
  | { kind: 'answered'; status: number; text: string; retryAfter: string | undefined }
  /** `refusedAddress`: not https, or it has a name or password. Nothing was sent. */
  | { kind: 'proxy'; problem: string }
  | { kind: 'refusedAddress' | 'tooLarge' | 'timedOut' | 'certificate' | 'unreachable' }

/** Messages are far smaller. */
const maxBodyBytes = 64 * 1024
/** Answers are read up to this size. */
const maxAnswerBytes = 8 * 1024

/** False for an insecure address, or one with a name or password. */
function isAllowed(url: URL): boolean {
  return url.username === '' && url.password === '' && isPrivateWay(url)
}

/** Time limit of one POST. */
export const timeLimitMs = 10_000

export interface PostOptions {
  clock: Pick<Clock, 'after'>
  /** Aborts the POST. */
  controller: AbortController
  /** Proxy routes. Direct by default. */
  routes?: Routes
  headers?: Record<string, string>
  /** PEM certificates trusted instead of the usual ones. For tests. */
  ca?: string
}

/**
 * One POST of JSON on its own connection, without cookies, keys or retries. Redirects are not followed, and only the
 * first part of the response is read. Never throws.
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

function post(
  url: string,
  body: string,
  { controller: { signal }, routes, headers: own, ca }: PostOptions,
): Promise<PostResult> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target === undefined || !isAllowed(target)) return Promise.resolve({ kind: 'refusedAddress' })
  const bytes = Buffer.from(body)
  if (bytes.byteLength > maxBodyBytes) return Promise.resolve({ kind: 'tooLarge' })
  const headers = {
    ...own,
    'Content-Type': 'application/json',
    'Content-Length': bytes.byteLength,
    'User-Agent': 'Indexwatch',
  }
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable the check.
  const agent = routes?.agentFor(target) ?? false
  const options = { method: 'POST', headers, agent, signal, rejectUnauthorized: true }
  return new Promise((resolve) => {
    const isSecure = target.protocol === 'https:'
    const request = isSecure ? httpsRequest(target, { ...options, ca }) : httpRequest(target, options)
    const parts: Buffer[] = []
    let answer: IncomingMessage | undefined
    /** Once the status is known, an answer that is endless, late or cut off counts as well. */
    const end = (otherwise: PostResult) => {
      if (answer === undefined) {
        resolve(otherwise)
        return
      }
      const { statusCode: status = 0, headers: received } = answer
      const text = Buffer.concat(parts).subarray(0, maxAnswerBytes).toString()
      resolve({ kind: 'answered', status, text, retryAfter: received['retry-after'] })
      answer.destroy()
    }
    const failed = (): PostResult => ({ kind: signal.aborted ? 'timedOut' : 'unreachable' })
    request.on('response', (response) => {
      answer = response
      let size = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size >= maxAnswerBytes) end(failed())
      })
      for (const event of ['end', 'error', 'close']) response.on(event, () => end(failed()))
    })
    // Without this listener Node drops such a response silently.
    request.on('upgrade', (response, socket) => {
      answer = response
      end(failed())
      socket.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_PROXY') end({ kind: 'proxy', problem: error.message })
      else end(isCertificateFault(error.code ?? '') ? { kind: 'certificate' } : failed())
    })
    // Guarantees a result however the request ends.
    request.on('close', () => end(failed()))
    request.end(bytes)
  })
}
