import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../main/base/log'
import type { JsonRead } from '../../../../main/base/json-file'
import { QuoteCache, isQuoteCache } from '../../../../main/quotes/quote-cache'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'

const startMs = Date.UTC(2023, 10, 1, 12)
const saved = { id: 'BRTI', value: '79767.340', publishedAtMs: startMs - 60_000 }

function opened(read: JsonRead = { kind: 'absent' }) {
  const clock = new FakeClock(startMs)
  const file = new MemoryJsonFile(read)
  const lines: string[] = []
  const store = new QuoteStore({
    clock,
    onError: (error) => {
      throw error
    },
  })
  const log = createLog({ write: (line) => lines.push(line), redact: (text) => text, clock })
  const cache = new QuoteCache({ file, clock, log, latest: () => store.all() })
  store.events.on('changed', () => {
    cache.noteChange()
  })
  const publish = (value: string) => {
    store.apply('BRTI', { value, publishedAtMs: clock.wallMs() }, 'stream')
  }
  return { clock, file, lines, store, cache, publish }
}

describe('writing', () => {
  test('happens at most once in five seconds, and with nothing new not at all', async () => {
    const { clock, file, cache, publish } = opened()
    for (let tick = 0; tick < 100; tick++) {
      publish(`${tick}.00`)
      clock.advance(200)
    }
    await cache.flush()
    // Twenty seconds of ticks.
    expect(file.written).toHaveLength(4)
    clock.advance(60_000)
    await cache.flush()
    expect(file.written).toHaveLength(4)
    expect(file.written.at(-1)).toEqual({
      version: 1,
      quotes: [{ id: 'BRTI', value: '99.00', publishedAtMs: startMs + 99 * 200 }],
    })
  })

  test('is done at once when the app ends', async () => {
    const { file, cache, publish } = opened()
    publish('1.00')
    expect(file.written).toEqual([])
    await cache.flush()
    expect(file.written).toMatchObject([{ quotes: [{ value: '1.00' }] }])
  })

  test('keeps every field of a value and every digit', async () => {
    const { clock, file, store, cache } = opened()
    const publication = {
      value: '1.350e-5',
      publishedAtMs: clock.wallMs(),
      amendedAtMs: clock.wallMs() + 1,
      isRepeatOfPrevious: true,
    } as const
    store.apply('SHIBUSD_RTI', publication, 'rest')
    await cache.flush()
    const { cache: next } = opened(await file.reopened().read())
    expect(await next.load()).toEqual({
      quotes: [{ ...publication, id: 'SHIBUSD_RTI', source: 'cache' }],
      read: 'ok',
    })
  })

  test('that fails is in the log and tried again with the next change', async () => {
    const { clock, file, lines, cache, publish } = opened()
    file.problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }
    publish('1.00')
    await cache.flush()
    expect(lines).toEqual([expect.stringContaining('Disk full')])
    file.problem = undefined
    clock.advance(1_000)
    publish('2.00')
    clock.advance(5_000)
    await cache.flush()
    expect(file.written).toMatchObject([{ quotes: [{ value: '2.00' }] }])
  })
})

describe('restoring', () => {
  test('gives the values as cached and is no news to the cache', async () => {
    const { clock, file, store, cache } = opened({ kind: 'ok', value: { version: 1, quotes: [saved] } })
    const { quotes, read } = await cache.load()
    expect({ quotes, read }).toEqual({ quotes: [{ ...saved, source: 'cache' }], read: 'ok' })
    store.seed(quotes)
    clock.advance(60_000)
    await cache.flush()
    expect(file.written).toEqual([])
  })

  test('keeps what has not been confirmed when another index is saved', async () => {
    const { file, store, cache } = opened({ kind: 'ok', value: { version: 1, quotes: [saved] } })
    store.seed((await cache.load()).quotes)
    store.apply('NCI', { value: '2835.55', publishedAtMs: startMs }, 'stream')
    await cache.flush()
    expect(file.written).toMatchObject([{ quotes: [saved, { id: 'NCI' }] }])
  })

  test.each([
    ['absent', { kind: 'absent' }, []],
    ['lost', { kind: 'lost', setAsidePath: '/x' }, []],
    [
      'restored',
      { kind: 'restored', value: { version: 1, quotes: [saved] }, setAsidePath: '/x' },
      [{ ...saved, source: 'cache' }],
    ],
    ['ok', { kind: 'ok', value: [1, 2] }, []],
  ] as const)('of a file that is %s says so', async (kind, read, quotes) => {
    expect(await opened(read as JsonRead).cache.load()).toEqual({ quotes, read: kind })
  })

  test('leaves out single values that cannot be read, and counts them in the log', async () => {
    const bad = [
      null,
      { ...saved, id: '__proto__' },
      { ...saved, value: 79_767.34 },
      { ...saved, value: 'NaN' },
      { ...saved, publishedAtMs: -1 },
      { ...saved, publishedAtMs: 1.5 },
      { ...saved, amendedAtMs: 'yesterday' },
      { ...saved, isRepeatOfPrevious: false },
    ]
    const { cache, lines } = opened({ kind: 'ok', value: { version: 1, quotes: [...bad, saved] } })
    expect((await cache.load()).quotes).toEqual([{ ...saved, source: 'cache' }])
    expect(lines).toEqual([expect.stringContaining(`count=${bad.length}`)])
  })

  test('leaves the file of a newer version alone', async () => {
    const { clock, file, cache, publish } = opened({ kind: 'ok', value: { version: 2, values: {} } })
    expect(await cache.load()).toEqual({ quotes: [], read: 'ok' })
    publish('1.00')
    clock.advance(60_000)
    await cache.flush()
    expect(file.written).toEqual([])
  })
})

test.each([
  [{ version: 1, quotes: [] }, true],
  [{ version: 2, values: {} }, true],
  [{ version: 1 }, false],
  [{ quotes: [] }, false],
  [{ version: 0, quotes: [] }, false],
  [[], false],
])('whether %j is a cache file: %j', (value, expected) => {
  expect(isQuoteCache(value)).toBe(expected)
})
