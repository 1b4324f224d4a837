import type { AuthForm } from '../../protocol/model'

/** The subprotocol that says that a key follows, and which the service selects (wire facts 1.1). */
export const keySubprotocol = 'cfb'

/** What HTTP allows a subprotocol to be made of. */
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Whether the key can travel as subprotocols: each part made of what they may hold, no two of them alike. */
export function fitsSubprotocols(keyId: string, keySecret: string): boolean {
  const parts = [keySubprotocol, keyId, keySecret]
  return parts.every((part) => token.test(part)) && new Set(parts).size === parts.length
}

export const unfitKeyMessage =
  'This key cannot be sent as a WebSocket subprotocol, because it has spaces or other characters that are not allowed there. Choose the HTTP header for it in Settings.'

/** Why the key cannot be shown in this form; `undefined` when it can. */
export function keyFormProblem(auth: AuthForm | undefined, keyId: string, keySecret: string): string | undefined {
  return auth === 'subprotocol' && !fitsSubprotocols(keyId, keySecret) ? unfitKeyMessage : undefined
}
