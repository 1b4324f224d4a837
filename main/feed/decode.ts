import { indexIdPattern } from '../../protocol/desktop-schema'
import type { IndexId, Publication, Resolution } from '../../protocol/model'
import { readPublication, readResolution } from '../base/publication'
import type { PublicationFault, RawPublication } from '../base/publication'
import { isNestedTooDeep, isRecord } from '../base/untrusted-text'

/** Why a frame could not be read: a field's name, or what was wrong with the whole. */
export type FrameFault =
  'binary' | 'tooDeep' | 'notJson' | 'notAnObject' | 'type' | 'id' | 'success' | 'reason' | 'streams' | PublicationFault

export interface ListedStream {
  id: IndexId
  maxResolution: Resolution
}

export type Frame =
  | { kind: 'value'; id: IndexId; publication: Publication }
  /** The subscription of this id was refused (spec 2.6). */
  | { kind: 'refused'; id: IndexId; reason: string }
  /** Any other command that the service says has failed (wire facts 1.2). */
  | { kind: 'failedCommand'; command: string; reason: string }
  /** The answer to `info`; `unreadable` counts entries that were left out. */
  | { kind: 'streams'; streams: ListedStream[]; unreadable: number }
  /** A command that succeeded: today's service does not say so, others may. */
  | { kind: 'acknowledged' }
  /** A message type of another version or channel. */
  | { kind: 'unknownType'; type: string }
  | { kind: 'unreadable'; fault: FrameFault }

/** The fields this app looks at; all others are ignored. */
interface RawMessage extends RawPublication {
  type?: unknown
  id?: unknown
  stream?: unknown
  success?: unknown
  reason?: unknown
  streams?: unknown
}

/**
 * Reads one WebSocket message (spec 2.4, 2.6, 4.1); `undefined` stands for a binary one. Never throws: what cannot be
 * read is answered with the fault. Reasons and unknown types are the service's words as they came.
 */
export function decodeFrame(text: string | undefined): Frame {
  if (text === undefined) return unreadable('binary')
  if (isNestedTooDeep(text)) return unreadable('tooDeep')
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return unreadable('notJson')
  }
  if (!isRecord(message)) return unreadable('notAnObject')
  return decodeMessage(message)
}

function decodeMessage(message: RawMessage): Frame {
  switch (message.type) {
    case 'value':
      return decodeValue(message)
    case 'info':
      return message.success === false ? decodeFailure('info', message) : decodeStreams(message)
    case 'subscribe':
    case 'unsubscribe':
      return decodeEcho(message.type, message)
    default:
      if (typeof message.type !== 'string') return unreadable('type')
      return { kind: 'unknownType', type: message.type }
  }
}

function decodeValue(message: RawMessage): Frame {
  if (!isIndexId(message.id)) return unreadable('id')
  const publication = readPublication(message)
  return typeof publication === 'string' ? unreadable(publication) : { kind: 'value', id: message.id, publication }
}

function decodeEcho(command: string, message: RawMessage): Frame {
  if (message.success === true) return { kind: 'acknowledged' }
  return message.success === false ? decodeFailure(command, message) : unreadable('success')
}

function decodeFailure(command: string, message: RawMessage): Frame {
  if (typeof message.reason !== 'string') return unreadable('reason')
  const { reason } = message
  const isOurChannel = message.stream === undefined || message.stream === 'value'
  if (command !== 'subscribe' || !isOurChannel) return { kind: 'failedCommand', command, reason }
  return isIndexId(message.id) ? { kind: 'refused', id: message.id, reason } : unreadable('id')
}

function decodeStreams({ streams: raw }: RawMessage): Frame {
  if (!Array.isArray(raw)) return unreadable('streams')
  const streams: ListedStream[] = []
  for (const entry of raw as unknown[]) {
    if (isRecord(entry) && isIndexId(entry['id'])) {
      streams.push({ id: entry['id'], maxResolution: readResolution(entry['maxResolution']) })
    }
  }
  return { kind: 'streams', streams, unreadable: raw.length - streams.length }
}

function isIndexId(id: unknown): id is IndexId {
  return typeof id === 'string' && indexIdPattern.test(id)
}

function unreadable(fault: FrameFault): Frame {
  return { kind: 'unreadable', fault }
}
