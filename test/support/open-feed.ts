import { expect, onTestFinished } from 'vitest'
import { Counters } from '../../main/base/log'
import { FeedSession } from '../../main/feed/session'
import type { FeedEvents } from '../../main/feed/session'
import type { ConnectionState, Subscription } from '../../core/model'
import { eventually } from './eventually'
import { FakeClock } from './fake-clock'
import { RecordedLog } from './recorded-log'
import { ScriptedService } from './scripted-service'

/** Everything that the session reported, by kind and in order. */
export interface Heard {
  order: string[]
  published: FeedEvents['published'][]
  refused: FeedEvents['refused'][]
  streams: FeedEvents['streamsListed'][]
  statuses: FeedEvents['statusChanged'][]
}

/**
 * A session on a fake clock with a scripted service on a real socket. Both end with the test. The key is `reader` with
 * `correct horse`. By default BRTI is wanted once a second.
 */
export async function openFeed(
  options: { wanted?: readonly Subscription[]; random?: () => number; url?: string; tls?: TlsFiles } = {},
) {
  const service = await ScriptedService.start(options.tls === undefined ? {} : { tls: options.tls })
  const clock = new FakeClock()
  const log = new RecordedLog()
  const counters = new Counters()
  const session = new FeedSession({
    endpoint: { url: options.url ?? service.webSocketUrl, keyId: 'reader', keySecret: 'correct horse' },
    clock,
    random: options.random ?? (() => 0.5),
    log,
    counters,
  })
  const heard = listen(session)
  const wanted = options.wanted ?? [{ stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' }]
  session.setWanted(wanted)
  onTestFinished(async () => {
    session.dispose()
    await service.stop()
  })
  return {
    service,
    clock,
    log,
    counters,
    session,
    heard,
    /** Starts the session. Resolves when the service has received all subscriptions. */
    connect: async () => {
      session.connect()
      await eventually(() => expect(service.commands.length).toBeGreaterThanOrEqual(1 + wanted.length))
    },
    /** Waits for this state and returns its status. */
    reached: async (state: ConnectionState) => {
      await eventually(() => expect(session.status().state).toBe(state))
      return session.status()
    },
    /** Waits until a retry is planned. Returns its delay in milliseconds. */
    plannedRetryMs: async () => {
      await eventually(() => expect(session.status().retryInMs).toBeDefined())
      return session.status().retryInMs ?? 0
    },
  }
}

interface TlsFiles {
  key: string
  cert: string
}

function listen(session: FeedSession): Heard {
  const heard: Heard = { order: [], published: [], refused: [], streams: [], statuses: [] }
  session.events.on('published', (event) => heard.published.push(event))
  session.events.on('refused', (event) => heard.refused.push(event))
  session.events.on('streamsListed', (event) => heard.streams.push(event))
  session.events.on('statusChanged', (status) => {
    heard.statuses.push(status)
    heard.order.push(`status ${status.state}`)
  })
  session.events.on('wentLive', () => heard.order.push('wentLive'))
  return heard
}
