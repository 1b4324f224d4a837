/** What a GET gave: an answer with any status, or the reason why there is none. */
export type HttpResult = HttpAnswer | HttpFault

export interface HttpAnswer {
  kind: 'answer'
  status: number
  body: string
  retryAfter?: string
}

export interface HttpFault {
  kind: 'fault'
  /** `cut`: the answer broke off or could not be unpacked; `notText`: it is not UTF-8. */
  fault: 'aborted' | 'redirected' | 'unreachable' | 'certificate' | 'cut' | 'tooLarge' | 'notText'
}

/** Counted after unpacking, so that a small file cannot become a large one. */
const largestBodyBytes = 8 * 1024 * 1024

/**
 * One authorised GET. Redirects are not followed: the key goes to the address the user entered and to no other. The
 * caller's `signal` ends it at any moment, also in the middle of a body. Never throws.
 */
export async function get(url: string, authorization: string, signal: AbortSignal): Promise<HttpResult> {
  try {
    const headers = { Authorization: authorization, Accept: 'application/json' }
    const response = await fetch(url, { headers, redirect: 'error', signal })
    const bytes = await readBody(response)
    if (bytes === undefined) return { kind: 'fault', fault: 'tooLarge' }
    const retryAfter = response.headers.get('retry-after')
    const answer: HttpAnswer = { kind: 'answer', status: response.status, body: decodeText(bytes) }
    return retryAfter === null ? answer : { ...answer, retryAfter }
  } catch (error) {
    return { kind: 'fault', fault: signal.aborted ? 'aborted' : faultOf(error) }
  }
}

async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  // Leaving the loop early cancels the stream and with it the connection.
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array
    byteLength += bytes.byteLength
    if (byteLength > largestBodyBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

class NotTextError extends Error {}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotTextError()
  }
}

function faultOf(error: unknown): HttpFault['fault'] {
  if (error instanceof NotTextError) return 'notText'
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return 'unreachable'
  if (cause.message === 'unexpected redirect') return 'redirected'
  const code = String((cause as NodeJS.ErrnoException).code)
  if (/CERT|SIGNATURE|TRUST/.test(code)) return 'certificate'
  return /^(UND_ERR_(SOCKET|HEADERS_OVERFLOW|RES)|ECONNRESET|EPIPE|HPE_|Z_)/.test(code) ? 'cut' : 'unreachable'
}
