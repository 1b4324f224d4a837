import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect } from 'vitest'
import { connect, isRefused } from './connection'
import { one, required } from './offers'
import { get } from './rest'
import { basic, service } from './service'
import { holds, refuses } from './spec-test'
import { openTools } from './tools'

const wrong = [
  basic(service.keyId, 'not-the-secret'),
  basic('not-the-id', service.keySecret),
  basic('', ''),
  `Bearer ${service.keySecret}`,
]

holds('5 WebSocket and REST accept the same key by HTTP Basic', async (context) => {
  const id = await one('daily', context)
  const connection = await connect({ authorization: basic() })
  connection.subscribe('value', id)
  await connection.some(1, 'value', id)
  expect((await get(`values?id=${id}`)).status).toBe(200)
})

holds('5 the assistant tools accept the same key', async (context) => {
  const client = await openTools(context)
  expect(client).toBeInstanceOf(Client)
})

holds('5 a browser presents the key as subprotocols, and "cfb" is selected', async (context) => {
  const id = await one('daily', context)
  const connection = await connect({ protocols: ['cfb', service.keyId, service.keySecret] })
  expect(connection.socket.protocol).toBe('cfb')
  connection.subscribe('value', id)
  await connection.some(1, 'value', id)
})

refuses('5 WebSocket: without a key or with a wrong one there is no data', async (context) => {
  const id = await one('daily', context)
  const attempts = [{}, ...wrong.map((authorization) => ({ authorization }))]
  expect(await Promise.all(attempts.map((attempt) => isRefused(attempt, id)))).toEqual(attempts.map(() => true))
})

refuses('5 WebSocket: a wrong key in subprotocols is refused', async (context) => {
  const id = await one('daily', context)
  const attempts = [['cfb'], ['cfb', service.keyId], ['cfb', service.keyId, 'not-the-secret']].map((protocols) => ({
    protocols,
  }))
  expect(await Promise.all(attempts.map((attempt) => isRefused(attempt, id)))).toEqual(attempts.map(() => true))
})

refuses('5 REST: without a key or with a wrong one there is no payload', async (context) => {
  const id = await one('daily', context)
  for (const authorization of [null, ...wrong]) {
    const { status, body } = await get(`values?id=${id}`, authorization)
    expect([status >= 400, status < 500, 'payload' in body]).toEqual([true, true, false])
  }
})

refuses('5 assistant tools: without a key or with a wrong one nothing is listed', async (context) => {
  required(service.mcp ?? undefined, 'assistant tools', context)
  for (const authorization of [null, ...wrong]) {
    await expect(openTools(context, authorization)).rejects.toThrow()
  }
})
