import { createServer, type Server } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { Heartbeat, type Beat } from '../../../../main/webhook/heartbeat'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { listenInTest } from '../../../support/local-server'
import { selfSignedCertificate } from '../../../support/self-signed'

const certificate = selfSignedCertificate()
const minuteMs = 60_000

/** A real server that answers beats with `status`, and a heartbeat that calls it. */
async function open() {
  const is = { status: 204, live: true, minutes: 5 }
  const bodies: Record<string, unknown>[] = []
  const server: Server = createServer(certificate, (request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => (body += data.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(body) as Record<string, unknown>)
      response.writeHead(is.status).end(is.status === 204 ? undefined : request.url)
    })
  })
  const host = `127.0.0.1:${await listenInTest(server)}`
  const clock = new FakeClock()
  const failures: string[] = []
  const heartbeat = new Heartbeat({
    clock,
    wanted: (): Beat | undefined =>
      is.minutes === 0 ? undefined : { url: `https://${host}/beat`, everyMs: is.minutes * minuteMs },
    isAllLive: () => is.live,
    onFailing: (reason) => failures.push(reason),
    ca: certificate.cert,
  })
  onTestFinished(() => heartbeat.dispose())
  /** Resolves when this many beats were received and answered and only the next one is planned. */
  const beats = (count: number) => eventually(() => expect([bodies.length, clock.pending]).toEqual([count, 1]))
  return { is, bodies, host, clock, failures, heartbeat, beats }
}

test('beats are sent immediately and at the interval while all is live, and none after that', async () => {
  const { is, bodies, clock, heartbeat, beats } = await open()
  heartbeat.changed()
  await beats(1)
  expect(bodies[0]).toEqual({
    text: 'Indexwatch: every connection is live and alerts are checked',
    at: new Date(clock.wallMs()).toISOString(),
    nextWithinMs: 5 * minuteMs,
  })
  heartbeat.changed()
  clock.advance(5 * minuteMs - 1)
  await beats(1)
  clock.advance(1)
  await beats(2)
  is.live = false
  heartbeat.changed()
  clock.advance(60 * minuteMs)
  expect([bodies.length, clock.pending]).toEqual([2, 0])
  is.live = true
  heartbeat.changed()
  await beats(3)
})

test('other times count from then on, and turned off it is silent', async () => {
  const { is, bodies, clock, heartbeat, beats } = await open()
  heartbeat.changed()
  await beats(1)
  is.minutes = 1
  heartbeat.changed()
  await beats(2)
  clock.advance(minuteMs)
  await beats(3)
  is.minutes = 0
  heartbeat.changed()
  clock.advance(60 * minuteMs)
  expect([bodies.length, clock.pending]).toEqual([3, 0])
})

test('a failing beat is reported once, without the answer, and not retried before the interval', async () => {
  const { is, host, clock, failures, heartbeat, beats } = await open()
  is.status = 500
  heartbeat.changed()
  await beats(1)
  for (const count of [2, 3]) {
    clock.advance(5 * minuteMs)
    await beats(count)
  }
  expect(failures).toEqual([`${host} answered 500`])
  is.status = 204
  clock.advance(5 * minuteMs)
  await beats(4)
  is.status = 500
  clock.advance(5 * minuteMs)
  await beats(5)
  expect(failures).toHaveLength(2)
})
