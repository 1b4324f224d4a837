import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'

describe('what breaks the connection while it is open', () => {
  test('a message above 4 MiB does, one just below is read (W28)', async () => {
    const opened = await openFeed()
    const { service, session, heard, connect } = opened
    await connect()
    service.send(`{"type":"value","time":1698840000000,"id":"BRTI","value":"1","x":"${'x'.repeat(4_194_000)}"}`)
    await eventually(() => expect(heard.published).toHaveLength(1))
    service.send('x'.repeat(4_194_305))
    await opened.reached('reconnecting')
    expect(session.status()).toMatchObject({ retryInMs: 10_000 })
    expect(session.status().problem).toContain('larger than 4 MB')
    await eventually(() => expect(service.connectionCount).toBe(0))
  })

  const violations: [string, number[]][] = [
    ['invalid UTF-8', [0x81, 0x02, 0xc3, 0x28]],
    ['a reserved opcode', [0x83, 0x00]],
    ['a reserved bit', [0xc1, 0x01, 0x61]],
    ['a masked frame', [0x81, 0x81, 0, 0, 0, 0, 0x61]],
    ['a continuation without a start', [0x80, 0x01, 0x61]],
    ['a close frame of one byte', [0x88, 0x01, 0x03]],
  ]
  test.each(violations)('%s ends it immediately (W32, F4)', async (_name, bytes) => {
    const opened = await openFeed()
    await opened.connect()
    opened.service.sendBytes(Buffer.from(bytes))
    await opened.reached('reconnecting')
    expect(opened.log.texts('warn')).toEqual(['Connection ended: protocol'])
    await eventually(() => expect(opened.service.connectionCount).toBe(0))
  })

  test('fragments of a message are joined (W31)', async () => {
    const { service, heard, connect } = await openFeed()
    await connect()
    const text = Buffer.from('{"type":"value","time":1698840000000,"id":"BRTI","value":"1.50"}')
    const frames = [...text].map((byte, at) =>
      Buffer.from([(at === text.length - 1 ? 0x80 : 0) | (at === 0 ? 1 : 0), 1, byte]),
    )
    service.sendBytes(Buffer.concat(frames))
    await eventually(() => expect(heard.published.map(({ publication }) => publication.value)).toEqual(['1.50']))
  })
})
