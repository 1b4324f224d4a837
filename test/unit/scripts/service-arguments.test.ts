import { expect, test } from 'vitest'
import { readServiceArguments } from '../../../scripts/service-arguments.js'

const service = ['--ws', 'wss://a/ws/v4', '--rest', 'https://a', '--key-id', 'me', '--key-secret', 'mine']

test('without arguments the suite runs against its own simulator', () => {
  expect(readServiceArguments([])).toEqual({ task: 'suite', filters: [] })
  expect(readServiceArguments(['value', 'key'])).toEqual({ task: 'suite', filters: ['value', 'key'] })
})

test('another service is named by its addresses and its key', () => {
  const named = { ws: 'wss://a/ws/v4', rest: 'https://a', keyId: 'me', keySecret: 'mine', isOurs: false, indices: {} }
  expect(readServiceArguments(service)).toEqual({ task: 'suite', filters: [], service: { ...named, mcp: null } })
  expect(readServiceArguments([...service, '--mcp', 'https://a/mcp', '--index', 'basket=A=B'])).toEqual({
    task: 'suite',
    filters: [],
    service: { ...named, mcp: 'https://a/mcp', indices: { basket: 'A=B' } },
  })
})

test('the other tasks', () => {
  expect(readServiceArguments(['--mutants'])).toEqual({ task: 'mutants' })
  expect(readServiceArguments(['--write-table'])).toEqual({ task: 'table' })
})

test.each([
  ['half a service', ['--ws', 'wss://a']],
  ['assistant tools alone', ['--mcp', 'https://a']],
  ['a wrong scheme of the stream', service.with(1, 'https://a')],
  ['a wrong scheme of REST', service.with(3, 'wss://a')],
  ['a kind that does not exist', [...service, '--index', 'house=1']],
  ['a kind without an id', [...service, '--index', 'basket=']],
  ['a flag that does not exist', ['--mutant']],
])('%s is explained', (_name, args) => expect(readServiceArguments(args)).toEqual(expect.any(String)))
