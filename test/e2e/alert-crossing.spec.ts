import { expect, test } from '@playwright/test'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { compareDecimals, formatDecimal, parseDecimal, writeOut } from '../../protocol/decimal'
import { fromJson } from '../../protocol/desktop'
import type { ValueMessage } from '../../protocol/wire'
import { addressOf } from '../../simulator/address'
import { startSimulator, type Simulator } from '../../simulator/server'
import { AppBench, connectionVariables } from '../support/app-bench'
import { levelDraft } from '../support/sample-alerts'
import type { WatchPage } from '../support/watch-page'

// A crossing as the market of the embedded service makes it, heard beside the app by a second client.
let bench: AppBench
let simulator: Simulator
let line: WebSocket

test.beforeEach(async () => {
  simulator = await startSimulator()
  bench = await AppBench.create()
  const authorization = `Basic ${btoa(`${simulator.keyId}:${simulator.keySecret}`)}`
  line = new WebSocket(simulator.wsUrl, { headers: { authorization } })
  await once(line, 'open')
})

test.afterEach(async () => {
  line.terminate()
  await bench.dispose()
  await simulator.close()
})

/** Watched indices that publish each second, with their present values. */
async function secondlyIndices(watch: WatchPage): Promise<{ id: string; value: string }[]> {
  const answer = await watch.ask('getSnapshot', {})
  if (!answer.ok) throw new Error(answer.problem.message)
  const { state, quotes } = fromJson(answer.value)
  const secondly = new Set(state.catalogue.filter((info) => info.maxResolution === 'PER_SECOND').map(({ id }) => id))
  return quotes.filter(({ id, source }) => source === 'stream' && secondly.has(id))
}

/** The first value on the other side of the level or on it, after one that was off it. */
function crossing(values: readonly string[], level: string): number {
  const against = parseDecimal(level)
  if (against === undefined) throw new Error('no level')
  const sides = values.map((value) => {
    const read = parseDecimal(value)
    return read === undefined ? 0 : compareDecimals(read, against)
  })
  const first = sides.findIndex((side) => side !== 0)
  return sides.findIndex((side, at) => at > first && side !== sides[first])
}

test('a rule inside the range of the market fires on the value that crosses, before the one after the next', async () => {
  const running = await bench.launch([], connectionVariables(addressOf(simulator)))
  const watch = await running.watch()
  await watch.expectState('Live')
  await expect.poll(async () => (await secondlyIndices(watch)).length).toBeGreaterThan(2)
  const heard = new Map<string, string[]>()
  line.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Partial<ValueMessage>
    if (message.type === 'value' && message.id !== undefined && message.value !== undefined)
      heard.get(message.id)?.push(message.value)
  })
  const rules = new Map<string, string>()
  for (const { id } of await secondlyIndices(watch)) {
    heard.set(id, [])
    line.send(JSON.stringify({ type: 'subscribe', stream: 'value', id }))
    // The rule sees what is heard here: it is made between two values.
    await expect.poll(() => heard.get(id)?.length, { intervals: [20] }).toBeGreaterThan(0)
    const latest = heard.get(id)?.at(-1) ?? ''
    // As a user would have to type it; small values are published with an exponent.
    const level = writeOut(latest)
    heard.set(id, [latest])
    rules.set(id, level)
    const made = await watch.ask('createAlert', {
      draft: levelDraft(level, { indexId: id, condition: 'crosses' }),
      whenAlreadyMet: 'wait',
    })
    expect(made).toMatchObject({ ok: true })
  }
  const shown = await bench.peer.nextNotification()
  const id = [...rules.keys()].find((each) => shown.summary.startsWith(`${each} `)) ?? ''
  const level = rules.get(id) ?? ''
  const values = heard.get(id) ?? []
  const at = crossing(values, level)
  const value = values[at] ?? ''
  const verb = compareDecimals(parseDecimal(value) ?? zero, parseDecimal(level) ?? zero) > 0 ? 'rose' : 'fell'
  // A value equal to the level is reached from the side of the one before.
  const words = value === level ? /rose|fell/.exec(shown.summary)?.[0] : verb
  expect(shown.summary).toBe(`${id} ${words} to ${formatDecimal(value)} (level ${formatDecimal(level)})`)
  expect(values.length - 1 - at).toBeLessThanOrEqual(1)
})

const zero = { sign: 0, digits: '', point: 0 } as const
