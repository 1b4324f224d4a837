import { describe, expect, test } from 'vitest'
import { Gate, isSmall, isTrusted, type Caller } from '../../../../main/ipc/gate'
import type { CommandHandlers } from '../../../../protocol/desktop'
import { RecordedLog } from '../../../support/recorded-log'

const own: Caller = { isOwnWindow: true, isTopFrame: true, url: 'app://indexwatch/index.html#alerts' }

function start(overrides: Partial<CommandHandlers> = {}) {
  const log = new RecordedLog()
  const themes: string[] = []
  const handlers = {
    setTheme: ({ theme }: { theme: string }) => {
      themes.push(theme)
      return { ok: true, value: null }
    },
    ...overrides,
  } as unknown as CommandHandlers
  return { gate: new Gate({ handlers, log }), log, themes }
}

describe('who may call', () => {
  test('the own page in its top frame', () => {
    expect(isTrusted(own)).toBe(true)
  })

  test.each([
    ['another window', { ...own, isOwnWindow: false }],
    ['a frame inside the page', { ...own, isTopFrame: false }],
    ['a page of the web', { ...own, url: 'https://indexwatch/index.html' }],
    ['another host', { ...own, url: 'app://indexwatch.example/index.html' }],
    ['a data address', { ...own, url: 'data:text/html,hello' }],
    ['a frame that is gone', { ...own, url: '' }],
    ['the development server, when there is none', { ...own, url: 'http://localhost:5173/' }],
  ])('not %s', (_name, caller) => {
    expect(isTrusted(caller)).toBe(false)
  })

  test('the development server and no other origin, when there is one', () => {
    const server = 'http://localhost:5173'
    expect(isTrusted({ ...own, url: `${server}/index.html` }, server)).toBe(true)
    expect(isTrusted({ ...own, url: 'http://localhost:5174/' }, server)).toBe(false)
  })
})

describe('how much may be sent', () => {
  test.each([
    ['long text', { theme: 'x'.repeat(20_000) }],
    ['long keys', { ['x'.repeat(20_000)]: 1 }],
    ['many items', Array.from({ length: 1_000 }, () => 1)],
    ['bytes', new Uint8Array(10)],
  ])('not %s', (_name, value) => {
    expect(isSmall(value)).toBe(false)
  })

  test('a circle ends the count', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(isSmall(circle)).toBe(false)
  })

  test('what a page really sends', () => {
    expect(isSmall({ profile: { name: 'A', webSocketUrl: `wss://${'x'.repeat(2_000)}` }, keySecret: 'k' })).toBe(true)
    expect(isSmall(undefined)).toBe(true)
  })
})

describe('the gate', () => {
  test('runs the command with checked arguments', async () => {
    const { gate, themes } = start()
    expect(await gate.call('setTheme', own, { theme: 'dark' })).toEqual({ ok: true, value: null })
    expect(themes).toEqual(['dark'])
  })

  test('answers a stranger with forbidden, logs it and runs nothing', async () => {
    const { gate, themes, log } = start()
    const answer = await gate.call('setTheme', { ...own, isTopFrame: false }, { theme: 'dark' })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(themes).toEqual([])
    expect(log.texts('warn')).toHaveLength(1)
  })

  test.each([
    ['a wrong value', { theme: 'pink' }],
    ['a missing field', {}],
    ['one field too many', { theme: 'dark', more: 1 }],
    ['nothing', undefined],
  ])('refuses %s before it reaches the command', async (_name, args: unknown) => {
    const { gate, themes } = start()
    expect(await gate.call('setTheme', own, args)).toMatchObject({ ok: false, problem: { code: 'badArguments' } })
    expect(themes).toEqual([])
  })

  test('refuses too much before it is looked at', async () => {
    const { gate } = start()
    const answer = await gate.call('setTheme', own, { theme: 'x'.repeat(100_000) })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'tooLarge' } })
  })

  test('answers with a problem when a command throws', async () => {
    const { gate, log } = start({
      setTheme: () => {
        throw new Error('a fault')
      },
    })
    expect(await gate.call('setTheme', own, { theme: 'dark' })).toMatchObject({
      ok: false,
      problem: { code: 'internal' },
    })
    expect(log.entries[0]?.facts['error']).toContain('a fault')
  })
})
