import { expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'

const second = (id: string) => ({ stream: 'value' as const, id, maxResolution: 'PER_SECOND' as const })
const everyTick = (id: string) => ({ stream: 'value' as const, id, maxResolution: 'PER_200MS' as const })

test('sends info first, then everything wanted, and then is live', async () => {
  const { service, session, heard } = await openFeed({ wanted: [second('BRR'), everyTick('BRTI')] })
  session.connect()
  expect(session.status()).toEqual({ state: 'connecting', streamCount: 0 })
  await eventually(() =>
    expect(service.commands).toEqual([
      { type: 'info' },
      { type: 'subscribe', stream: 'value', id: 'BRR' },
      { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    ]),
  )
  expect(heard.order).toEqual(['status connecting', 'status live', 'wentLive'])
  expect(session.status()).toEqual({ state: 'live', streamCount: 2 })
})

test('the key goes only into the header', async () => {
  const { service, connect } = await openFeed()
  await connect()
  const [headers] = service.handshakes
  expect(headers?.authorization).toBe(`Basic ${Buffer.from('reader:correct horse').toString('base64')}`)
  expect(headers?.['sec-websocket-extensions']).toBeUndefined()
  expect(JSON.stringify({ ...headers, authorization: '' })).not.toContain('correct')
})

test('publishes values exactly, only of subscribed indices', async () => {
  const { service, heard, counters, connect } = await openFeed()
  await connect()
  service.sendValue('OTHER', '1')
  service.send('{"type":"value","time":1698840000000,"id":"BRTI","value":"79767.340","new":1}')
  await eventually(() => expect(heard.published).toHaveLength(1))
  expect(heard.published[0]).toEqual({
    id: 'BRTI',
    publication: { value: '79767.340', publishedAtMs: 1_698_840_000_000 },
  })
  expect(counters.read()).toEqual({ 'feed.unwanted': 1 })
})

test('publishes a burst whole and in order within one turn', async () => {
  const { service, session, heard, connect } = await openFeed()
  await connect()
  let inThisTurn = 0
  let maxInOneTurn = 0
  let isRunning = true
  const beginTurn = () => {
    inThisTurn = 0
    if (isRunning) setImmediate(beginTurn)
  }
  beginTurn()
  session.events.on('published', () => {
    maxInOneTurn = Math.max(maxInOneTurn, ++inThisTurn)
  })
  for (let i = 0; i < 2_000; i++) service.sendValue('BRTI', String(i))
  await eventually(() => expect(heard.published).toHaveLength(2_000))
  isRunning = false
  expect(heard.published.map(({ publication }) => Number(publication.value))).toEqual([...Array(2_000).keys()])
  expect(maxInOneTurn).toBeGreaterThan(1)
})

test('counts bad frames, and reads the good ones between them', async () => {
  const { service, heard, counters, log, connect } = await openFeed()
  await connect()
  const bad = ['{bad', '', '[]', '{"type":"value","id":"BRTI","time":1,"value":"1"}', '{"type":7}']
  for (const text of bad) {
    service.send(text)
    service.sendValue('BRTI', '5')
  }
  service.send(Buffer.from('{"type":"value"}'))
  service.send({ type: 'curve', id: 'BRTI' })
  service.send({ type: 'unsubscribe', success: false, reason: 'why not', id: 'BRTI', stream: 'value' })
  service.sendValue('BRTI', '6')
  await eventually(() => expect(heard.published).toHaveLength(6))
  expect(counters.read()).toEqual({ 'feed.dropped': 6, 'feed.unknownTypes': 1, 'feed.failedCommands': 1 })
  expect(log.entries.filter(({ text }) => text === 'Frame dropped').map(({ facts }) => facts['fault'])).toEqual([
    'notJson',
    'notJson',
    'notAnObject',
    'time',
    'type',
    'binary',
  ])
  expect(service.connectionCount).toBe(1)
})

test('passes on the list of streams', async () => {
  const { service, heard, counters, connect } = await openFeed()
  await connect()
  service.send({ type: 'info', streams: [{ id: 'BRTI', maxResolution: 'PER_200MS' }, { id: 9 }] })
  await eventually(() => expect(heard.streams).toEqual([[{ id: 'BRTI', maxResolution: 'PER_200MS' }]]))
  expect(counters.read()).toEqual({ 'feed.dropped': 1 })
})

test('reports a refused index with its reason, and only the user retries it', async () => {
  const { service, session, heard, connect } = await openFeed({ wanted: [second('NOPE'), second('BRTI')] })
  await connect()
  const refusal = { type: 'subscribe', stream: 'value', id: 'NOPE', success: false, reason: 'Unrecognised\u202e id' }
  service.send(refusal)
  service.sendValue('BRTI', '1')
  await eventually(() => expect(heard.published).toHaveLength(1))
  expect(heard.refused).toEqual([{ stream: 'value', id: 'NOPE', reason: 'Unrecognised id' }])
  expect(session.status().streamCount).toBe(1)

  const asked = () => service.commands.filter((command) => JSON.stringify(command).includes('NOPE')).length
  session.setWanted([second('NOPE'), second('BRTI'), second('BRR')])
  session.setWanted([everyTick('NOPE'), second('BRTI')])
  await eventually(() => expect(JSON.stringify(service.commands.at(-1))).toContain('unsubscribe'))
  expect(asked()).toBe(1)

  session.setWanted([second('BRTI')])
  session.setWanted([second('BRTI'), second('NOPE')])
  await eventually(() => expect(asked()).toBe(2))
})

test('a key echoed by the service reaches neither the screen nor the log (W39)', async () => {
  const { service, heard, log, connect } = await openFeed({ wanted: [second('NOPE')] })
  await connect()
  const encoded = Buffer.from('reader:correct horse').toString('base64')
  const reason = `${'x'.repeat(190)} correct horse ${encoded}`
  service.send({ type: 'subscribe', stream: 'value', id: 'NOPE', success: false, reason })
  await eventually(() => expect(heard.refused).toHaveLength(1))
  const seen = JSON.stringify([heard.refused, log.entries])
  expect(seen).not.toContain('correct')
  expect(seen).not.toContain(encoded.slice(12, 24))
})

test('subscribes to the whole list again after a drop, including refused ids', async () => {
  const { service, clock, session, heard, connect } = await openFeed({
    wanted: [second('A'), everyTick('B'), second('X')],
  })
  await connect()
  service.send({ type: 'subscribe', stream: 'value', id: 'X', success: false, reason: 'no' })
  await eventually(() => expect(heard.refused).toHaveLength(1))
  session.setWanted([second('A'), everyTick('B'), second('X'), second('C')])
  service.drop()
  await eventually(() => expect(session.status().state).toBe('reconnecting'))
  expect(session.status()).toMatchObject({ problem: 'The connection to the provider was lost.', streamCount: 0 })
  expect(clock.pending).toBe(1)
  session.setWanted([everyTick('B'), second('X'), second('C')])
  service.commands.length = 0
  clock.advance(session.status().retryInMs ?? 0)
  await eventually(() =>
    expect(service.commands).toEqual([
      { type: 'info' },
      { type: 'subscribe', stream: 'value', id: 'B', maxResolution: 'PER_200MS' },
      { type: 'subscribe', stream: 'value', id: 'X' },
      { type: 'subscribe', stream: 'value', id: 'C' },
    ]),
  )
  expect(heard.order.filter((name) => name === 'wentLive')).toHaveLength(2)
  expect(session.status()).toEqual({ state: 'live', streamCount: 3 })
})

test('logs a listener that throws, and continues', async () => {
  const { service, session, heard, log, connect } = await openFeed()
  session.events.on('published', () => {
    throw new Error('planted')
  })
  await connect()
  service.sendValue('BRTI', '1')
  service.sendValue('BRTI', '2')
  await eventually(() => expect(heard.published).toHaveLength(2))
  expect(log.texts('error')).toEqual(['A listener of the feed failed', 'A listener of the feed failed'])
})

test('a listener may reconnect in the middle of an event', async () => {
  const { service, clock, session, heard, connect } = await openFeed()
  let isFirst = true
  session.events.on('wentLive', () => {
    if (isFirst) session.connect()
    isFirst = false
  })
  await connect()
  await eventually(() => {
    expect(session.status().state).toBe('live')
    expect(service.connectionCount).toBe(1)
  })
  service.sendValue('BRTI', '1')
  await eventually(() => expect(heard.published).toHaveLength(1))
  expect(clock.pending).toBe(1)
})

test('dispose closes the connection properly and stops all work', async () => {
  const { service, session, clock, heard, connect } = await openFeed()
  await connect()
  const before = heard.order.length
  session.dispose()
  service.sendValue('BRTI', '1')
  await eventually(() => {
    expect(service.connectionCount).toBe(0)
    expect(service.closeCodes).toEqual([1000])
  })
  expect(heard.published).toEqual([])
  expect(heard.order).toHaveLength(before)
  expect(clock.pending).toBe(0)
})
