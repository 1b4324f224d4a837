import { expect, onTestFinished, test } from 'vitest'
import type { AttemptEnd } from '../../main/feed/verdict'
import { FeedSocket } from '../../main/feed/socket'
import { feedTiming } from '../../main/feed/connection'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { ScriptedService } from '../support/scripted-service'

/** One attempt against a scripted service. Open when this returns. */
async function openSocket() {
  const service = await ScriptedService.start()
  const seen = { opened: 0, heard: 0, messages: [] as (string | undefined)[], ends: [] as AttemptEnd[] }
  const endpoint = { url: service.webSocketUrl, keyId: 'reader', keySecret: 'correct horse' }
  const timing = { ...feedTiming, closeTimeoutMs: 20 }
  const socket = new FeedSocket(endpoint, timing, new FakeClock(), {
    opened: () => seen.opened++,
    onActivity: () => seen.heard++,
    message: (text) => seen.messages.push(text),
    ended: (end) => seen.ends.push(end),
  })
  onTestFinished(async () => {
    socket.close()
    await service.stop()
  })
  await eventually(() => {
    expect(seen.opened).toBe(1)
    expect(service.connectionCount).toBe(1)
  })
  return { service, socket, seen }
}

/** Both ends of the connection are in this process. */
const tcpSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

test('receives the answer to a ping', async () => {
  const { socket, seen } = await openSocket()
  expect(seen.heard).toBe(0)
  socket.ping()
  await eventually(() => expect(seen.heard).toBe(1))
})

test('receives pings and every message, a binary one without its bytes', async () => {
  const { service, seen } = await openSocket()
  service.sendBytes(Buffer.from([0x89, 0x00]))
  service.send('text')
  service.send(Buffer.from('bytes'))
  await eventually(() => expect(seen.messages).toEqual(['text', undefined]))
  expect(seen.heard).toBe(3)
})

test('an attempt ends once, with its first cause', async () => {
  const { service, socket, seen } = await openSocket()
  socket.abandon({ kind: 'silent' })
  socket.abandon({ kind: 'tooLarge' })
  service.closeAll(1001)
  await eventually(() => expect(service.connectionCount).toBe(0))
  socket.send('too late')
  socket.ping()
  expect(seen.ends).toEqual([{ kind: 'silent' }])
})

test('drops a peer that breaks the protocol and keeps the connection (F4)', async () => {
  const { service, seen } = await openSocket()
  await eventually(() => expect(tcpSockets()).toBe(2))
  service.stall()
  service.sendBytes(Buffer.from([0x83, 0x00]))
  await eventually(() => {
    expect(seen.ends).toEqual([{ kind: 'protocol', code: 'WS_ERR_INVALID_OPCODE' }])
    expect(tcpSockets()).toBe(1)
  })
})

test('drops a peer that does not answer the close, after the time-out (C8)', async () => {
  const { service, socket, seen } = await openSocket()
  await eventually(() => expect(tcpSockets()).toBe(2))
  service.stall()
  socket.close()
  await eventually(() => expect(tcpSockets()).toBe(1))
  expect(seen.ends).toEqual([])
})
