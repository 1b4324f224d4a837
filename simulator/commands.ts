import { requestedResolutions } from '../protocol/model'
import type { RequestedResolution } from '../protocol/model'

/** What a client asked for, as understood. */
export type Command =
  | { kind: 'info' }
  | { kind: 'subscribe'; id: string; resolution: RequestedResolution }
  | { kind: 'unsubscribe'; id: string }

/** `failed`: goes back to the client with the reason. `unreadable`: nothing can go back, it has no type. */
export type ReadCommand =
  | { kind: 'command'; command: Command }
  | { kind: 'failed'; echo: { type: string; id?: unknown; stream?: unknown }; reason: string }
  | { kind: 'unreadable' }

/** The words of the service for an id it does not know (wire facts 1.2). */
export const unknownIdReason = 'Unrecognised id'

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Reads a client's message (spec 2.1 to 2.3, 4.1). Strict: what the spec does not name fails with a reason. */
export function readCommand(text: string): ReadCommand {
  const message = parse(text)
  if (message === undefined || typeof message['type'] !== 'string') return { kind: 'unreadable' }
  const { type, id, stream, maxResolution } = message as { type: string } & Record<string, unknown>
  if (type === 'info') return { kind: 'command', command: { kind: 'info' } }
  const failed = (reason: string): ReadCommand => ({ kind: 'failed', echo: { type, id, stream }, reason })
  if (type !== 'subscribe' && type !== 'unsubscribe') return failed('Unrecognised type')
  if (stream !== 'value') return failed('Unrecognised stream')
  if (typeof id !== 'string') return failed(unknownIdReason)
  if (type === 'unsubscribe') return { kind: 'command', command: { kind: 'unsubscribe', id } }
  const resolution = requestedResolutions.find((known) => known === (maxResolution ?? 'PER_SECOND'))
  if (resolution === undefined) return failed('Unrecognised maxResolution')
  return { kind: 'command', command: { kind: 'subscribe', id, resolution } }
}
