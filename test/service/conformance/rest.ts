import { expect } from 'vitest'
import { basic, service } from './service'

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Asks below `/api/v1/`, with the key unless told otherwise. */
export async function get(path: string, authorization: string | null = basic(), method = 'GET'): Promise<Answer> {
  return ask(`/api/v1/${path}`, authorization, method)
}

/** Asks any path. */
export async function ask(path: string, authorization: string | null = basic(), method = 'GET'): Promise<Answer> {
  // A connection for each question: one that is kept may be closed just as the next question goes out.
  const headers = { connection: 'close', ...(authorization !== null && { authorization }) }
  const response = await fetch(service.rest.replace(/\/$/, '') + path, { method, headers })
  const text = await response.text()
  return { status: response.status, body: parsed(text) }
}

/** The payload of an answer that is a success. */
export async function payload<T>(path: string): Promise<T> {
  const { status, body } = await get(path)
  expect([path, status, Object.keys(body)]).toEqual([path, 200, ['serverTime', 'payload']])
  return body['payload'] as T
}

/** Holds an answer to be a refusal: a 4xx in the envelope, with a reason and nothing else. */
export function expectRefusal({ status, body }: Answer): void {
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
