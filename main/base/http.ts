/** Shared by the stream, REST and MCP: how the key is sent, and what an HTTP answer asks for. */
import type { AuthForm, Problem } from '../../core/model'
import type { ServiceProblemCode } from '../../core/problems'
import { keySubprotocol } from '../../protocol/wire'

/**
 * The key as an HTTP Basic header (protocol, 5). It is never part of an address, because addresses end up in logs and
 * errors.
 */
export function basicAuthorization(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
}

/** The characters that HTTP allows in a subprotocol. */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** True if the key can be sent as subprotocols: each part has allowed characters only, and all parts differ. */
export function fitsSubprotocols(keyId: string, keySecret: string): boolean {
  const parts = [keySubprotocol, keyId, keySecret]
  return parts.every((part) => token.test(part)) && new Set(parts).size === parts.length
}

export const unfitKeyMessage =
  'This key cannot be sent as a WebSocket subprotocol, because it has spaces or other characters that are not allowed there. Choose the HTTP header for it in Settings.'

/** Why the key cannot be sent in this form. Undefined if it can. */
export function keyFormProblem(auth: AuthForm | undefined, keyId: string, keySecret: string): string | undefined {
  return auth === 'subprotocol' && !fitsSubprotocols(keyId, keySecret) ? unfitKeyMessage : undefined
}

const minWaitMs = 1_000
const maxWaitMs = 3_600_000

/**
 * The wait that a Retry-After header asks for, as seconds or an HTTP date. Limited to between one second and one hour.
 * Undefined if the header is missing or invalid.
 */
export function retryAfterMs(header: string | undefined, wallMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const waitMs = /^-?\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - wallMs
  return Number.isNaN(waitMs) ? undefined : Math.min(maxWaitMs, Math.max(minWaitMs, waitMs))
}

/** True if Node's error code means an untrusted, expired or mismatching certificate. */
export function isCertificateFault(code: string): boolean {
  return /CERT|SIGNATURE|TRUST|ALTNAME/.test(code)
}

/** The problem of a response from REST or MCP. */
export interface ServiceProblem extends Problem {
  code: ServiceProblemCode
}

export type ServiceOutcome<T> = { ok: true; value: T } | { ok: false; problem: ServiceProblem }
