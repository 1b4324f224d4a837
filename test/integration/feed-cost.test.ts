import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { SystemClock } from '../../main/base/clock'
import { Counters } from '../../main/base/log'
import { FeedSession } from '../../main/feed/session'
import { Batcher } from '../../main/ipc/batcher'
import { eventually } from '../support/eventually'
import { RecordedLog } from '../support/recorded-log'

const messageCount = 5_000

/** The feed and its pushes on the real clock, against a service that offers compression. */
async function openPath() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true })
  const sockets: WebSocket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clock = new SystemClock()
  const session = new FeedSession({
    endpoint: { url: `ws://127.0.0.1:${port}/`, keyId: 'reader', keySecret: 'secret' },
    clock,
    random: Math.random,
    log: new RecordedLog(),
    counters: new Counters(),
  })
  let pushCount = 0
  const batcher = new Batcher({
    clock,
    send: () => pushCount++,
    ageMs: () => 0,
    lists: () => ({ alerts: [], inbox: [] }),
  })
  batcher.resume()
  let publishedCount = 0
  session.events.on('published', ({ id, publication }) => {
    publishedCount++
    batcher.quoteChanged({ id, ...publication, source: 'stream' })
  })
  session.setWanted([{ stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' }])
  onTestFinished(() => {
    session.dispose()
    batcher.pause()
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  const live = new Promise((resolve) => session.events.on('wentLive', resolve))
  session.connect()
  await live
  return { sockets, published: () => publishedCount, pushes: () => pushCount }
}

test('compresses nothing, even if the service offers it', async () => {
  const { sockets } = await openPath()
  expect(sockets.map(({ extensions }) => extensions)).toEqual([''])
})

test('a message causes no extra turn, timer or promise, nor its own push', async () => {
  const { sockets, published, pushes } = await openPath()
  let waits = 0
  const hook = createHook({
    init: (_id, type) => {
      if (['Immediate', 'Timeout', 'PROMISE'].includes(type)) waits++
    },
  })
  hook.enable()
  onTestFinished(() => {
    hook.disable()
  })
  const time = Date.now() - messageCount
  for (let at = 0; at < messageCount; at++) {
    for (const socket of sockets)
      socket.send(JSON.stringify({ type: 'value', time: time + at, id: 'BRTI', value: String(at) }))
  }
  await eventually(() => {
    expect(published()).toBe(messageCount)
    expect(pushes()).toBeGreaterThan(0)
  })
  hook.disable()
  expect(waits).toBeLessThan(messageCount / 10)
  expect(pushes()).toBeLessThan(messageCount / 10)
})
