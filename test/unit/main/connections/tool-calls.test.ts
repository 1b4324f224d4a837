import { describe, expect, test } from 'vitest'
import { ToolCalls, type LookedUpValues } from '../../../../main/connections/tool-calls'
import type { ServiceToolsClient } from '../../../../main/mcp/service-tools'
import type { ToolData } from '../../../../protocol/service-tools'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

const tool = { name: 'get_historical_results', description: '', connectionId: 'demo', connection: 'Demo', isDemo: true }

function openCalls(call: ServiceToolsClient['call']) {
  const clock = new FakeClock()
  let made = 0
  const calls = new ToolCalls({
    clock,
    newId: () => `c${++made}`,
    offered: () => [tool],
    clientOf: (id) => (id === 'demo' ? { call } : undefined),
    onError,
  })
  const run = (argumentsJson = '{}', name = tool.name) => calls.run('demo', name, argumentsJson)
  return { calls, clock, run }
}

const answering =
  (data: ToolData): ServiceToolsClient['call'] =>
  () =>
    Promise.resolve({ ok: true, value: { data, texts: [], omittedCount: 0 } })

describe('calls of the tools of services', () => {
  test('are kept with arguments, time and result, the newest fifty first', async () => {
    const { calls, clock, run } = openCalls((...asked) => {
      clock.advance(1_200)
      return answering([])(...asked)
    })
    for (let n = 0; n < 52; n++) await run(`{"n":${n}}`)
    expect(calls.view).toHaveLength(50)
    expect(calls.view[0]).toMatchObject({
      state: 'answered',
      durationMs: 1_200,
      argumentsJson: '{"n":51}',
      connection: 'Demo',
      isDemo: true,
    })
    expect(calls.resultOf('c52')?.answer.data).toEqual([])
    expect(calls.resultOf('c51')).toBeUndefined()
  })

  test('run one at a time, and report a cancellation', async () => {
    const { calls, run } = openCalls(
      (_name, _args, { signal, onProgress }) =>
        new Promise((resolve) => {
          onProgress({ done: 1, total: 4 })
          signal.addEventListener('abort', () =>
            resolve({ ok: false, problem: { code: 'timedOut', message: 'Ended.' } }),
          )
        }),
    )
    const first = run()
    expect(calls.view).toMatchObject([{ state: 'running', progress: { done: 1, total: 4 } }])
    expect(await run()).toMatchObject({ ok: false, problem: { code: 'toolRunning' } })
    calls.cancel()
    expect(await first).toMatchObject({ ok: false, problem: { code: 'cancelled' } })
    expect(calls.view).toMatchObject([{ state: 'cancelled' }])
  })

  test('are not sent for an unknown tool or without an object', async () => {
    const { calls, run } = openCalls(() => Promise.reject(new Error('was sent')))
    expect(await run('{}', 'other')).toMatchObject({ problem: { code: 'unknownTool' } })
    for (const text of ['', '[]', '1', '{"a":', '['.repeat(100_000)]) {
      expect(await run(text)).toMatchObject({ problem: { code: 'badArguments' } })
    }
    expect(calls.view).toEqual([])
  })

  test('report the past values they looked up, exactly as sent', async () => {
    const publishedAtMs = 1_795_017_600_000
    const { calls, run } = openCalls(
      answering({
        results: [
          { index: 'BRR', datetime: 'x', time: publishedAtMs, value: '91740.10' },
          { index: 'BRR', datetime: 'x', time: publishedAtMs + 1, value: 1 },
          { index: 'NOPE', datetime: 'x', error: 'Unknown id' },
          'odd',
        ],
      }),
    )
    const reported: LookedUpValues[] = []
    calls.events.on('valuesLookedUp', (values) => reported.push(values))
    await run()
    expect(reported).toEqual([
      { connectionId: 'demo', connection: 'Demo', values: new Map([['BRR', [{ publishedAtMs, value: '91740.10' }]]]) },
    ])
  })
})
