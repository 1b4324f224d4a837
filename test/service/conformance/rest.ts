import { expect } from 'vitest'
import { basic, service } from './service'

export interface RestResponse {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A request below `/api/v1/`, with the key by default. */
export async function get(path: string, authorization: string | null = basic(), method = 'GET'): Promise<RestResponse> {
  return request(`/api/v1/${path}`, authorization, method)
}

/** A request of any path. */
export async function request(
  path: string,
  authorization: string | null = basic(),
  method = 'GET',
): Promise<RestResponse> {
  // A new connection for each request, because the service may close an idle one just as the next request is sent.
  const headers = { connection: 'close', ...(authorization !== null && { authorization }) }
  const response = await fetch(service.rest.replace(/\/$/, '') + path, { method, headers })
  const text = await response.text()
  return { status: response.status, body: parsed(text) }
}

/** The payload of a successful response. */
export async function payload<T>(path: string): Promise<T> {
  const { status, body } = await get(path)
  expect([path, status, Object.keys(body)]).toEqual([path, 200, ['serverTime', 'payload']])
  return body['payload'] as T
}

/** Expects a refusal: status 4xx and an envelope with only a reason. */
export function expectRefusal({ status, body }: RestResponse): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(Object.keys(body).sort()).toEqual(['error', 'serverTime'])
  expect(body['error']).toMatch(/./)
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { unreadable: text.slice(0, 200) }
  }
}
