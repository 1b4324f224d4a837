import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ServiceToolsClient } from '../../main/mcp/service-tools'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { RecordedLog } from '../support/recorded-log'
import { ToolService } from '../support/tool-service'

const secret = 'correct horse'

async function openTool(
  answer: (progress: (done: number) => Promise<void>) => CallToolResult | Promise<CallToolResult>,
) {
  const service = await ToolService.start((server: McpServer) => {
    server.registerTool('look_up', { inputSchema: { id: z.string() } }, (_args, { _meta, sendNotification }) =>
      answer(async (progress) => {
        const progressToken = _meta?.progressToken ?? ''
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 4 } })
      }),
    )
  })
  const clock = new FakeClock()
  const log = new RecordedLog()
  const client = new ServiceToolsClient({
    ...{ url: service.url, keyId: 'reader', keySecret: secret, clock, log, appVersion: '1.2.3' },
  })
  onTestFinished(() => client.dispose())
  await client.list()
  const progress: object[] = []
  const ending = new AbortController()
  const call = (args: Record<string, unknown> = { id: 'BRR' }) =>
    client.call('look_up', args, { signal: ending.signal, onProgress: (each) => progress.push(each) })
  return {
    service,
    clock,
    log,
    call,
    progress,
    cancel: () => ending.abort(),
  }
}

const saying = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

describe('a tool of a service that is run', () => {
  test('returns its data with every digit as sent, and its progress', async () => {
    const { call, progress, log } = await openTool(async (tell) => {
      await tell(1)
      return { ...saying('{"value":1.10}'), structuredContent: { value: 1.1 } }
    })
    expect(await call()).toEqual({ ok: true, value: { data: { value: '1.10' }, texts: [], omittedCount: 0 } })
    expect(progress).toEqual([{ done: 1, total: 4 }])
    expect(log.entries).toEqual([])
  })

  test('is not called if the arguments do not fit its schema', async () => {
    const { call, service } = await openTool(() => saying('x'))
    const { length } = service.requests
    expect(await call({})).toMatchObject({ ok: false, problem: { code: 'badRequest' } })
    expect(service.requests).toHaveLength(length)
  })

  test('shows the provider’s reason for a refusal, sanitized', async () => {
    const { call } = await openTool(() => ({ ...saying('Unknown\u202e id: NOPE\u0000'), isError: true }))
    expect(await call()).toMatchObject({ problem: { message: 'The provider answered: Unknown id: NOPE.' } })
  })

  test('never returns our key in names, values, texts, errors or the log', async () => {
    const encoded = Buffer.from(`reader:${secret}`).toString('base64')
    const texts = [JSON.stringify({ [secret]: [encoded, `c\u200borrect horse`] }), `Your key: ${secret}`]
    for (const isError of [false, true]) {
      for (const text of texts) {
        const { call, log } = await openTool(() => ({ ...saying(text), isError }))
        const said = JSON.stringify([await call(), log.entries])
        expect(said).toContain('[removed]')
        expect(said).not.toContain(secret)
        expect(said).not.toContain(encoded)
      }
    }
  })

  test('is cut off at an answer of 50 MB', async () => {
    const { call } = await openTool(() => saying('x'.repeat(50 * 1024 * 1024)))
    expect(await call()).toMatchObject({ problem: { code: 'tooLarge' } })
  })

  test('can be cancelled, and ends by itself after a minute', async () => {
    let askedCount = 0
    const never = () => {
      askedCount++
      return new Promise<CallToolResult>(() => undefined)
    }
    const first = await openTool(never)
    const cancelled = first.call()
    await eventually(() => expect(askedCount).toBe(1))
    first.cancel()
    expect(await cancelled).toMatchObject({ ok: false })
    // A cancelled call is not logged as a failure.
    expect(first.log.entries).toEqual([])
    const second = await openTool(never)
    const late = second.call()
    await eventually(() => expect(askedCount).toBe(2))
    second.clock.advance(60_000)
    expect(await late).toMatchObject({ problem: { code: 'timedOut' } })
  })
})
