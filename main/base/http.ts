/** What the stream, REST and the assistant tools have in common: how a key is sent and what an HTTP answer asks for. */
import type { AuthForm, Problem } from '../../core/model'
import type { ServiceProblemCode } from '../../core/problems'
import { keySubprotocol } from '../../protocol/wire'

/** The key as an HTTP Basic header (wire facts 1.1). Never part of an address: addresses end up in logs and errors. */
export function basicAuthorization(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
}

/** What HTTP allows a subprotocol to be made of. */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Whether the key can travel as subprotocols: each part made of what they may hold, no two of them alike. */
export function fitsSubprotocols(keyId: string, keySecret: string): boolean {
  const parts = [keySubprotocol, keyId, keySecret]
  return parts.every((part) => token.test(part)) && new Set(parts).size === parts.length
}

export const unfitKeyMessage =
  'This key cannot be sent as a WebSocket subprotocol, because it has spaces or other characters that are not allowed there. Choose the HTTP header for it in Settings.'

/** Why the key cannot be sent in this form; `undefined` when it can. */
export function keyFormProblem(auth: AuthForm | undefined, keyId: string, keySecret: string): string | undefined {
  return auth === 'subprotocol' && !fitsSubprotocols(keyId, keySecret) ? unfitKeyMessage : undefined
}

const minWaitMs = 1_000
const maxWaitMs = 3_600_000

/**
 * How long a Retry-After header asks to wait: seconds or an HTTP date, kept between one second and one hour;
 * `undefined` when there is none or it says neither.
 */
export function retryAfterMs(header: string | undefined, wallMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const waitMs = /^-?\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - wallMs
  return Number.isNaN(waitMs) ? undefined : Math.min(maxWaitMs, Math.max(minWaitMs, waitMs))
}

/** Whether Node's code of a failed connection means an untrusted, expired or foreign certificate. */
export function isCertificateFault(code: string): boolean {
  return /CERT|SIGNATURE|TRUST|ALTNAME/.test(code)
}

/** What is wrong with a response of REST or of the assistant tools. */
export interface ServiceProblem extends Problem {
  code: ServiceProblemCode
}

export type ServiceOutcome<T> = { ok: true; value: T } | { ok: false; problem: ServiceProblem }
