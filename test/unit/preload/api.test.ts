import { expect, test } from 'vitest'
import { createApi, type Transport } from '../../../preload/api'
import { commandChannel, updateChannel } from '../../../protocol/commands/channels'
import type { Allowance } from '../../../protocol/commands/allowance'
import { commandNames, commands, type CommandName } from '../../../protocol/commands/contract'

const allowances = Object.fromEntries(commandNames.map((name) => [name, commands[name].allowance])) as Record<
  CommandName,
  Allowance
>

function recordingTransport() {
  const invoked: [string, unknown][] = []
  const listeners = new Map<string, (message: unknown) => void>()
  const transport: Transport = {
    invoke: (channel, args) => {
      invoked.push([channel, args])
      return Promise.resolve({ ok: true, value: null })
    },
    listen: (channel, listener) => {
      listeners.set(channel, listener)
      return () => listeners.delete(channel)
    },
  }
  return { transport, invoked, listeners }
}

test('the page has one function per command, and onUpdate', () => {
  const api = createApi(allowances, recordingTransport().transport)
  expect(Object.keys(api).sort()).toEqual([...commandNames, 'onUpdate'].sort())
  expect(Object.values(api).every((member) => typeof member === 'function')).toBe(true)
})

test('sends a command on its own channel with its arguments', async () => {
  const { transport, invoked } = recordingTransport()
  await createApi(allowances, transport).setPreferences({ theme: 'dark' })
  expect(invoked).toEqual([[commandChannel('setPreferences'), { theme: 'dark' }]])
})

test('refuses at once what is too large, and sends nothing', async () => {
  const { transport, invoked } = recordingTransport()
  const api = createApi(allowances, transport)
  const asked = api.getSnapshot as (args: unknown) => Promise<unknown>
  expect(await asked(new Array(3_000_000).fill(0))).toMatchObject({ ok: false, problem: { code: 'tooLarge' } })
  expect(invoked).toEqual([])
  // The same command with allowed arguments.
  await asked({})
  expect(invoked).toHaveLength(1)
})

test('a listener gets only what was pushed, until it unsubscribes', () => {
  const { transport, listeners } = recordingTransport()
  const received: unknown[][] = []
  const stop = createApi(allowances, transport).onUpdate((...all) => received.push(all))
  listeners.get(updateChannel)?.('{"number":1}')
  expect(received).toEqual([['{"number":1}']])
  stop()
  expect(listeners.has(updateChannel)).toBe(false)
})
