import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isPrivateWay } from '../../core/shapes'
import { isCertificateFault } from '../base/http'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'

/** What a POST gave: the status alone, or why there is none. */
export type PostResult =
  | { kind: 'answered'; status: number }
  /** `refusedAddress`: not https, or with a name or password in it; nothing was sent. */
  | { kind: 'proxy'; problem: string }
  | { kind: 'refusedAddress' | 'tooLarge' | 'timedOut' | 'certificate' | 'unreachable' }

/** A message is far smaller. */
const maxBodyBytes = 16 * 1024

/** Whether anything may be sent here; a secret in the address is not taken along. */
function isAllowed(url: URL): boolean {
  return url.username === '' && url.password === '' && isPrivateWay(url)
}

/** For one POST, all of it. */
export const timeLimitMs = 5_000

export interface PostOptions {
  clock: Pick<Clock, 'after'>
  /** Ends it. */
  controller: AbortController
  /** The way there; straight by default. */
  routes?: Routes
  /** In PEM, trusted in place of the usual authorities; tests have their own. */
  ca?: string
}

/**
 * One POST of JSON, on a connection of its own: no cookie, no key, no second attempt. A redirect is not followed and of
 * the answer nothing but the status is read. Never throws.
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
  // Not even a variable of the environment switches the check of the certificate off.
  const agent = routes?.agentFor(target) ?? false
  const options = { method: 'POST', headers, agent, signal, rejectUnauthorized: true }
  return new Promise((resolve) => {
    const isSecure = target.protocol === 'https:'
    const request = isSecure ? httpsRequest(target, { ...options, ca }) : httpRequest(target, options)
    request.on('response', (response) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      response.destroy()
    })
    // Without a listener Node drops such an answer and says nothing of it.
    request.on('upgrade', (response, socket) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      socket.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve({ kind: 'timedOut' })
      else if (error.code === 'ERR_PROXY') resolve({ kind: 'proxy', problem: error.message })
      else resolve({ kind: isCertificateFault(error.code ?? '') ? 'certificate' : 'unreachable' })
    })
    // Whatever else may end it: who waits for a result gets one.
    request.on('close', () => resolve({ kind: signal.aborted ? 'timedOut' : 'unreachable' }))
    request.end(bytes)
  })
}
