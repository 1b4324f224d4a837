import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'
import { ScriptedService } from '../support/scripted-service'

/** Drops the connection and waits until it is live again. Returns the wait before the attempt in milliseconds. */
async function dropAndReturn(opened: Awaited<ReturnType<typeof openFeed>>): Promise<number> {
  opened.service.drop()
  const waitMs = await opened.plannedRetryMs()
  opened.clock.advance(waitMs)
  await opened.reached('live')
  await eventually(() => expect(opened.service.connectionCount).toBe(1))
  return waitMs
}

/** A feed that was live until its service stopped. */
async function stoppedFeed() {
  const opened = await openFeed({ random: () => 0.999 })
  await opened.connect()
  await opened.service.stop()
  return opened
}

describe('a silent connection (F6)', () => {
  test('is pinged after 15 s and replaced after 10 s more', async () => {
    const opened = await openFeed()
    const { service, clock, session, connect } = opened
    await connect()
    service.stall()
    clock.advance(15_000)
    clock.advance(9_999)
    expect(session.status().state).toBe('live')
    clock.advance(1)
    expect(await opened.reached('reconnecting')).toMatchObject({
      problem: 'The provider stopped sending. Check the network connection.',
    })
    service.commands.length = 0
    clock.advance(await opened.plannedRetryMs())
    await eventually(() => expect(service.commands).toHaveLength(2))
    expect(session.status().state).toBe('live')
    service.resume()
    await eventually(() => expect(service.connectionCount).toBe(1))
  })

  test('twin: a connection that answers the ping is kept', async () => {
    const { service, clock, session, heard, connect } = await openFeed()
    await connect()
    clock.advance(15_000)
    await eventually(() => expect(service.pings).toBe(1))
    // The answer to the ping was sent before this value, so it has arrived too.
    service.sendValue('OTHER', '1')
    service.sendValue('BRTI', '1')
    await eventually(() => expect(heard.published).toHaveLength(1))
    clock.advance(10_000)
    expect(session.status().state).toBe('live')
    expect(service.handshakes).toHaveLength(1)
  })

  test('is kept after this process was suspended (L13)', async () => {
    const { service, clock, session, heard, connect } = await openFeed()
    await connect()
    clock.advance(15_000)
    clock.sleep(60_000)
    clock.advance(0)
    expect(session.status().state).toBe('live')
    service.sendValue('BRTI', '1')
    await eventually(() => expect(heard.published).toHaveLength(1))
    clock.advance(10_000)
    expect(session.status().state).toBe('live')
  })
})

describe('waiting between attempts', () => {
  test('grows with every attempt while the service accepts and drops (C9)', async () => {
    const opened = await openFeed({ random: () => 0.999 })
    const { service, clock, session } = opened
    service.welcome = 'acceptThenDrop'
    session.connect()
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      waits.push(await opened.plannedRetryMs())
      clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([999, 1_998, 3_996, 7_992, 15_984, 31_968, 59_940, 59_940])
  })

  test('starts again only after a stable minute', async () => {
    const opened = await openFeed({ random: () => 0.999 })
    const { service, clock, heard, connect } = opened
    await connect()
    const waits: number[] = []
    // Connections that lasted 59 s, 59 s and 60 s.
    for (const heldMs of [59_000, 59_000, 60_000]) {
      for (let passedMs = 0; passedMs < heldMs; passedMs += 1_000) {
        clock.advance(1_000)
        if (passedMs % 10_000 === 0) {
          const count = heard.published.length
          service.sendValue('BRTI', String(count))
          await eventually(() => expect(heard.published).toHaveLength(count + 1))
        }
      }
      waits.push(await dropAndReturn(opened))
    }
    expect(waits).toEqual([999, 1_998, 999])
    // Only values kept it alive.
    expect(service.pings).toBe(0)
  })

  test('stays below 3 s after each connection that lasted 5 s', async () => {
    const opened = await openFeed({ random: () => 0.999 })
    const { clock, connect } = opened
    await connect()
    const waits: number[] = []
    for (const heldMs of [5_000, 5_000, 5_000, 5_000, 4_999]) {
      clock.advance(heldMs)
      waits.push(await dropAndReturn(opened))
    }
    expect(waits).toEqual([999, 1_998, 2_997, 2_997, 15_984])
  })

  test('stays below 3 s while the service is not reached, so that it is live 5 s after it returns', async () => {
    const opened = await stoppedFeed()
    const { clock, session } = opened
    const { port } = opened.service
    await opened.reached('reconnecting')
    const waits: number[] = []
    for (let i = 0; i < 6; i++) {
      waits.push(await opened.plannedRetryMs())
      clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([999, 999, 1_998, 2_997, 2_997, 2_997])
    expect(await opened.plannedRetryMs()).toBeLessThanOrEqual(3_000)
    const returned = await ScriptedService.start({ port })
    clock.advance(await opened.plannedRetryMs())
    await eventually(() => expect(returned.commands).toHaveLength(2))
    expect(session.status().state).toBe('live')
    session.dispose()
    await returned.stop()
  })

  test('does not continue a long backoff when a restart follows an outage', async () => {
    const opened = await stoppedFeed()
    const { clock, session } = opened
    const { port } = opened.service
    for (let i = 0; i < 6; i++) clock.advance(await opened.plannedRetryMs())
    await opened.plannedRetryMs()
    const returned = await ScriptedService.start({ port })
    clock.advance(await opened.plannedRetryMs())
    await opened.reached('live')
    await eventually(() => expect(returned.connectionCount).toBe(1))
    returned.drop()
    expect(await opened.plannedRetryMs()).toBe(1_998)
    session.dispose()
    await returned.stop()
  })

  test('starts small again once the service has answered', async () => {
    const opened = await openFeed({ random: () => 0.999 })
    const { service, clock, session } = opened
    const { port } = service
    await service.stop()
    session.connect()
    for (let i = 0; i < 4; i++) clock.advance(await opened.plannedRetryMs())
    expect(await opened.plannedRetryMs()).toBe(2_997)
    const troubled = await ScriptedService.start({ port })
    troubled.welcome = { status: 500 }
    clock.advance(2_997)
    expect(await opened.plannedRetryMs()).toBe(999)
    await troubled.stop()
    clock.advance(999)
    expect(await opened.plannedRetryMs()).toBe(999)
  })

  test('is short once after a restart code, then ordinary (C6)', async () => {
    const opened = await openFeed({ random: () => 0.5 })
    const { service, clock, connect } = opened
    await connect()
    service.closeAll(1012)
    expect(await opened.plannedRetryMs()).toBe(1_500)
    clock.advance(1_500)
    await opened.reached('live')
    await eventually(() => expect(service.connectionCount).toBe(1))
    service.closeAll(1012)
    expect(await opened.plannedRetryMs()).toBe(1_000)
  })

  test('ends when the user retries', async () => {
    const opened = await openFeed()
    const { service, clock, session } = opened
    service.welcome = { status: 503 }
    session.connect()
    await opened.plannedRetryMs()
    service.welcome = 'accept'
    session.connect()
    expect(session.status().retryInMs).toBeUndefined()
    expect((await opened.reached('live')).problem).toBeUndefined()
    clock.advance(10_000)
    expect(service.handshakes).toHaveLength(2)
  })
})

describe('an old socket', () => {
  test('that closes late does not touch the new one', async () => {
    const opened = await openFeed()
    const { service, clock, session, heard, connect } = opened
    await connect()
    service.stall()
    session.connect()
    await eventually(() => expect(service.commands).toHaveLength(4))
    expect(session.status().state).toBe('live')
    const heardBefore = heard.order.length
    service.resume()
    await eventually(() => expect(service.closeCodes).toEqual([1000]))
    service.sendValue('BRTI', '1')
    await eventually(() => expect(heard.published).toHaveLength(1))
    expect(heard.order).toHaveLength(heardBefore)
    expect(session.status()).toEqual({ state: 'live', streamCount: 1 })
    clock.advance(1_000)
    expect(service.handshakes).toHaveLength(2)
  })

  test('is ignored, although it still sends', async () => {
    const { service, session, heard, connect } = await openFeed()
    await connect()
    service.sendValue('BRTI', '1')
    session.connect()
    await eventually(() => expect(service.commands).toHaveLength(4))
    service.sendValue('BRTI', '2')
    await eventually(() => expect(heard.published).not.toHaveLength(0))
    expect(heard.published.map(({ publication }) => publication.value)).toEqual(['2'])
  })
})
