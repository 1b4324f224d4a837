import { serviceIdForm } from '../../core/formula-id'
import { isServiceId } from '../../core/shapes'
import { streams as knownStreams } from '../../core/model'
import type {
  ConstituentsPublication,
  CorporateAction,
  IndexId,
  MarketConditions,
  Publication,
  Resolution,
  Stream,
} from '../../core/model'
import {
  readConstituents,
  readCorporateAction,
  readConditions,
  type ConstituentsFault,
  type RawConstituents,
  type ConditionsFault,
  type RawConditions,
} from '../base/payloads'
import { readPublication, readResolution, readTimeMs } from '../../core/publication'
import { anyJson, isNestedTooDeep, isRecord } from '../base/sanitize'

/** Why a frame could not be read: the name of a field, or a fault of the whole message. */
type FrameFault =
  | 'binary'
  | 'tooDeep'
  | 'notJson'
  | 'notAnObject'
  | 'type'
  | 'id'
  | 'success'
  | 'reason'
  | 'streams'
  | 'action'
  | ConstituentsFault
  | ConditionsFault

interface ListedStream {
  id: IndexId
  maxResolution: Resolution
}

export type Frame =
  | { kind: 'value'; id: IndexId; publication: Publication }
  /** `leftOut` is the number of constituents beyond the limit. */
  | { kind: 'constituents'; id: IndexId; publication: ConstituentsPublication; leftOut: number }
  | { kind: 'conditions'; id: IndexId; publication: MarketConditions }
  /** `null` if none is active. */
  | { kind: 'corporateAction'; id: IndexId; publishedAtMs: number; action: CorporateAction | null }
  /** A refused subscription (protocol, 2.6). */
  | { kind: 'refused'; stream: Stream; id: IndexId; reason: string }
  /** Any other failed command (protocol, 2.6). */
  | { kind: 'failedCommand'; command: string; reason: string }
  /** The answer to `info`. `unreadable` is the number of entries left out. */
  | { kind: 'streams'; streams: ListedStream[]; unreadable: number }
  /** A successful command. The service does not acknowledge commands, but others may. */
  | { kind: 'acknowledged' }
  /** A message type of another version or channel. */
  | { kind: 'unknownType'; type: string }
  /** `constituentsOf` is set if it was the constituents message of this index. */
  | { kind: 'unreadable'; fault: FrameFault; constituentsOf?: IndexId }

/** The fields that this app reads. */
interface RawMessage extends RawConstituents, RawConditions {
  type?: unknown
  id?: unknown
  stream?: unknown
  success?: unknown
  reason?: unknown
  streams?: unknown
}

/**
 * Reads one WebSocket message (protocol, 2.4 to 2.11). `undefined` is a binary one. Never throws: an unreadable
 * message returns the fault. Reasons and unknown types are the service's raw text.
 */
export function decodeFrame(text: string | undefined): Frame {
  if (text === undefined) return unreadable('binary')
  const plain = decodePlainValue(text)
  if (plain !== undefined) return plain
  const message = anyJson(text)
  const isObject = isRecord(message)
  // These are the largest messages. Their reader takes only known fields, so the depth of others does not matter.
  const isForConstituents = isObject && message['type'] === 'constituents'
  if (!isForConstituents && isNestedTooDeep(text)) return unreadable('tooDeep')
  if (message === undefined) return unreadable('notJson')
  return isObject ? decodeMessage(message) : unreadable('notAnObject')
}

/** The form of nearly all value messages: these four fields in this order, without spaces. */
const plainValue = new RegExp(
  `^\\{"type":"value","time":([1-9]\\d{12}),"id":"(${serviceIdForm})","value":"(-?\\d{1,60}(?:\\.\\d{1,60})?)"\\}$`,
)

/** Fast path. Takes half the time of `JSON.parse` and the checks. Undefined for a message of any other form. */
function decodePlainValue(text: string): Frame | undefined {
  const match = plainValue.exec(text)
  if (match === null) return undefined
  const [, time = '', id = '', value = ''] = match
  const publishedAtMs = readTimeMs(Number(time))
  return publishedAtMs === undefined ? unreadable('time') : { kind: 'value', id, publication: { value, publishedAtMs } }
}

function decodeMessage(message: Record<string, unknown> & RawMessage): Frame {
  switch (message.type) {
    case 'value':
    case 'constituents':
    case 'rti_stats':
    case 'active_corporate_action':
      return isServiceId(message.id) ? decodePublished(message.type, message.id, message) : unreadable('id')
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

function decodePublished(stream: Stream, id: IndexId, message: Record<string, unknown> & RawMessage): Frame {
  switch (stream) {
    case 'value': {
      const publication = readPublication(message)
      return typeof publication === 'string' ? unreadable(publication) : { kind: 'value', id, publication }
    }
    case 'constituents': {
      const read = readConstituents(message)
      if (typeof read === 'string') return { kind: 'unreadable', fault: read, constituentsOf: id }
      return { kind: 'constituents', id, ...read }
    }
    case 'rti_stats': {
      const publication = readConditions(message)
      return typeof publication === 'string' ? unreadable(publication) : { kind: 'conditions', id, publication }
    }
    case 'active_corporate_action': {
      const read = readCorporateAction(message)
      return typeof read === 'string' ? unreadable(read) : { kind: 'corporateAction', id, ...read }
    }
  }
}

function decodeEcho(command: string, message: RawMessage): Frame {
  if (message.success === true) return { kind: 'acknowledged' }
  return message.success === false ? decodeFailure(command, message) : unreadable('success')
}

function decodeFailure(command: string, { id, stream: named = 'value', reason }: RawMessage): Frame {
  if (typeof reason !== 'string') return unreadable('reason')
  const stream = knownStreams.find((known) => known === named)
  if (command !== 'subscribe' || stream === undefined) return { kind: 'failedCommand', command, reason }
  return isServiceId(id) ? { kind: 'refused', stream, id, reason } : unreadable('id')
}

function decodeStreams({ streams: raw }: RawMessage): Frame {
  if (!Array.isArray(raw)) return unreadable('streams')
  const streams: ListedStream[] = []
  for (const entry of raw as unknown[]) {
    if (isRecord(entry) && isServiceId(entry['id'])) {
      streams.push({ id: entry['id'], maxResolution: readResolution(entry['maxResolution']) })
    }
  }
  return { kind: 'streams', streams, unreadable: raw.length - streams.length }
}

function unreadable(fault: FrameFault): Frame {
  return { kind: 'unreadable', fault }
}
