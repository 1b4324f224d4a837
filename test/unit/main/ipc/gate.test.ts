import { describe, expect, test } from 'vitest'
import { gateTo, isTrusted, type Caller } from '../../../../main/ipc/gate'
import type { CommandHandlers } from '../../../../protocol/commands/contract'
import { RecordedLog } from '../../../support/recorded-log'

const own: Caller = { page: 'window', isTopFrame: true, url: 'app://indexwatch/index.html#alerts' }

function start(overrides: Partial<CommandHandlers> = {}) {
  const log = new RecordedLog()
  const opened: string[] = []
  const handlers = {
    openIndex: ({ indexId }: { indexId: string }) => {
      opened.push(indexId)
      return { ok: true, value: null }
    },
    ...overrides,
  } as unknown as CommandHandlers
  return { gate: gateTo({ handlers, log }), log, opened }
}

describe('trusted callers', () => {
  test('are the own page in its top frame', () => expect(isTrusted(own)).toBe(true))

  test.each([
    ['another window', { ...own, page: undefined }],
    ['a frame inside the page', { ...own, isTopFrame: false }],
    ['a page of the web', { ...own, url: 'https://indexwatch/index.html' }],
    ['the ticker at the address of the window', { ...own, page: 'ticker' as const }],
    ['another host', { ...own, url: 'app://indexwatch.example/index.html' }],
    ['a data address', { ...own, url: 'data:text/html,hello' }],
    ['a frame that is gone', { ...own, url: '' }],
    ['the development server, when there is none', { ...own, url: 'http://localhost:5173/' }],
  ])('are not %s', (_name, caller) => expect(isTrusted(caller)).toBe(false))

  test('are also the development server if there is one, and no other origin', () => {
    const server = 'http://localhost:5173'
    expect(isTrusted({ ...own, url: `${server}/index.html` }, server)).toBe(true)
    expect(isTrusted({ ...own, url: 'http://localhost:5174/' }, server)).toBe(false)
  })
})

describe('the gate', () => {
  test('runs the command with checked arguments', async () => {
    const { gate, opened } = start()
    expect(await gate('openIndex', own, { indexId: 'NCI' })).toEqual({ ok: true, value: null })
    expect(opened).toEqual(['NCI'])
  })

  test('lets each page use only its own commands', async () => {
    const ticker: Caller = { page: 'ticker', isTopFrame: true, url: 'app://ticker/ticker.html' }
    const closeTicker = () => ({ ok: true, value: null }) as const
    const { gate, opened, log } = start({ closeTicker })
    expect(await gate('closeTicker', ticker, {})).toEqual({ ok: true, value: null })
    expect(await gate('openIndex', ticker, { indexId: 'NCI' })).toMatchObject({ problem: { code: 'forbidden' } })
    expect(await gate('closeTicker', own, {})).toMatchObject({ problem: { code: 'forbidden' } })
    expect(opened).toEqual([])
    expect(log.texts('warn')).toHaveLength(2)
  })

  test('refuses an unknown caller with forbidden, logs it and runs nothing', async () => {
    const { gate, opened, log } = start()
    const answer = await gate('openIndex', { ...own, isTopFrame: false }, { indexId: 'NCI' })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(opened).toEqual([])
    expect(log.texts('warn')).toHaveLength(1)
  })

  test.each([
    ['a wrong value', { indexId: '<b>' }],
    ['a missing field', {}],
    ['one field too many', { indexId: 'NCI', more: 1 }],
    ['nothing', undefined],
  ])('refuses %s before it reaches the command', async (_name, args: unknown) => {
    const { gate, opened } = start()
    expect(await gate('openIndex', own, args)).toMatchObject({ ok: false, problem: { code: 'badArguments' } })
    expect(opened).toEqual([])
  })

  test.each([
    ['name', { name: ' ' }],
    ['webSocketUrl', { webSocketUrl: 'ws://a.example' }],
    ['restUrl', { restUrl: 'http://a.example' }],
    ['mcpUrl', { mcpUrl: 'http://a.example' }],
    ['keyId', { keyId: '' }],
  ])('names the refused field: %s', async (field, change) => {
    const good = { id: 'p', auth: 'basic', isEnabled: true, name: 'Desk', webSocketUrl: 'wss://a.example', keyId: 'k' }
    const answer = await start().gate('saveProfile', own, { profile: { ...good, ...change }, keySecret: '' })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'badArguments', field } })
  })

  test('accepts a whole list and a long text to copy, within limits', async () => {
    const asked: string[] = []
    const handlers = {
      copyText: ({ text }: { text: string }) => {
        asked.push(`copy ${text.length}`)
        return { ok: true, value: null }
      },
      restoreList: ({ list }: { list: { entries: unknown[] } }) => {
        asked.push(`restore ${list.entries.length}`)
        return { ok: true, value: null }
      },
    } as unknown as Partial<CommandHandlers>
    const { gate } = start(handlers)
    const entries = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `${'X'.repeat(60)}${at}`, maxResolution: 'PER_SECOND' }))
    const back = (count: number) => ({ list: { id: 'a', name: 'A', entries: entries(count) }, position: 0 })
    expect(await gate('restoreList', own, back(2_000))).toMatchObject({ ok: true })
    expect(await gate('copyText', own, { text: 'x'.repeat(300_000) })).toMatchObject({ ok: true })
    expect(asked).toEqual(['restore 2000', 'copy 300000'])
    const tooLarge = { ok: false, problem: { code: 'tooLarge' } }
    expect(await gate('restoreList', own, back(4_000))).toMatchObject(tooLarge)
    expect(await gate('copyText', own, { text: 'x'.repeat(2_000_000) })).toMatchObject(tooLarge)
  })

  test('refuses too much before it is checked', async () => {
    const { gate } = start()
    const answer = await gate('openIndex', own, { indexId: 'x'.repeat(100_000) })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'tooLarge' } })
  })

  test('returns a problem if a command throws', async () => {
    const { gate, log } = start({
      openIndex: () => {
        throw new Error('a fault')
      },
    })
    expect(await gate('openIndex', own, { indexId: 'NCI' })).toMatchObject({
      ok: false,
      problem: { code: 'internal' },
    })
    expect(log.entries[0]?.facts['error']).toContain('a fault')
  })
})
