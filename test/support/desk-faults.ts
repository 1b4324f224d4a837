/** Faults of watchers and seats that the endurance test must find. */
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { DeskEvent } from '../../core/desk'
import { writeMessage } from '../../core/desk'
import { failure, ok } from '../../core/model'
import type { DeskAccess, DeskLink, Inflow } from '../../main/desk/link'
import type { MemoryJsonFile } from './memory-json-file'

export type WatcherFault = 'noKey' | 'keepsLeading'

/** The link with some members replaced. */
export function replaced(link: DeskLink, members: Partial<Record<keyof DeskLink, unknown>>): DeskLink {
  return new Proxy(link, {
    get: (target, name) => {
      if (Object.hasOwn(members, name)) return members[name as keyof DeskLink]
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

/**
 * `noKey`: messages have neither id nor expected number, and none is found by its key, so the stream takes all of them. `keepsLeading`: the watcher does
 * not notice that its lease has ended.
 */
export async function faultyLink(access: DeskAccess, fault: WatcherFault): Promise<(link: DeskLink) => DeskLink> {
  const signIn = access.signIn !== undefined && 'user' in access.signIn ? access.signIn : undefined
  const servers = access.address.replace('nats://', '')
  const raw = await connect({ servers, user: signIn?.user, pass: signIn?.password, maxReconnectAttempts: -1 })
  const publish = async (message: DeskEvent) => {
    const options = fault === 'noKey' ? {} : { msgID: message.key }
    const subject = `desk.${access.name}.event.${message.key}`
    try {
      const { seq } = await jetstream(raw).publish(subject, writeMessage('event', message), options)
      return ok({ kind: 'stored', seq })
    } catch (error) {
      return failure('timedOut', String(error))
    }
  }
  return (link) => {
    const lasting = link.lasting()
    const put: typeof lasting.put = async (key, text, revision) => {
      const written = await lasting.put(key, text, revision)
      return key === 'lease' && revision !== undefined ? ok(revision) : written
    }
    const keepsLease = {
      get: lasting.get.bind(lasting),
      all: lasting.all.bind(lasting),
      put,
      remove: lasting.remove.bind(lasting),
    }
    if (fault === 'noKey') return replaced(link, { publish, lastEvent: () => Promise.resolve(ok(undefined)) })
    return replaced(link, { publish, lasting: () => keepsLease })
  }
}

/** Makes a seat write down its position before it has stored the events. */
export function positionFirst(link: DeskLink, memory: MemoryJsonFile): DeskLink {
  return replaced(link, {
    receive: async (from: Parameters<DeskLink['receive']>[0]) => {
      const opened = await link.receive(from)
      if (!opened.ok) return opened
      const { batches, stop } = opened.value
      const inflow: Inflow = {
        stop,
        batches: async function* () {
          for await (const batch of batches()) {
            const before = memory.written.at(-1) as object
            const last = batch.at(-1)
            await memory.write({ ...before, storedThrough: last?.seq, storedAtMs: last?.atMs })
            yield batch
          }
        },
      }
      return ok(inflow)
    },
  })
}
