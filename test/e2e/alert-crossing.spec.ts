import { once } from 'node:events'
import { WebSocket } from 'ws'
import { compareDecimals, formatDecimal, parseDecimal, writeOut } from '../../core/decimal'
import type { ValueMessage } from '../../protocol/wire'
import { addressOf } from '../../simulator/address'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import type { WatchPage } from '../support/watch-page'

// Waits for a crossing of the simulated market. A second client receives the same values as the app.

/** Watched indices that publish every second, with their current values. */
async function secondlyIndices(watch: WatchPage): Promise<{ id: string; value: string }[]> {
  const { state, quotes } = await watch.snapshot()
  const secondly = new Set(state.catalogue.filter((info) => info.maxResolution === 'PER_SECOND').map(({ id }) => id))
  return quotes.filter(({ id, source }) => source === 'stream' && secondly.has(id))
}

/** Position of the first value that reaches or passes the level, after a value on one side of it. */
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

interface MarketRule {
  id: string
  level: string
  /** The values of the index since the rule was created. The first one is the level. */
  values: string[]
}

test(
  'a rule fires on the value that crosses its level, at most one value later',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    const { watch } = await bench.launchLive(addressOf(simulator))
    await expect.poll(async () => (await secondlyIndices(watch)).length).toBeGreaterThan(2)
    const authorization = `Basic ${btoa(`${simulator.keyId}:${simulator.keySecret}`)}`
    const line = new WebSocket(simulator.wsUrl, { headers: { authorization } })
    await once(line, 'open')
    const rules: MarketRule[] = []
    const latest = new Map<string, string>()
    const amended = new Set<string>()
    line.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Partial<ValueMessage>
      if (message.type !== 'value' || message.id === undefined || message.value === undefined) return
      if (message.amendTime !== undefined) amended.add(message.id)
      latest.set(message.id, message.value)
      for (const { id, values } of rules) if (id === message.id) values.push(message.value)
    })
    for (const { id } of await secondlyIndices(watch))
      line.send(JSON.stringify({ type: 'subscribe', stream: 'value', id }))
    const ruleOf = ({ summary }: { summary: string }) =>
      rules.find(({ id, level }) => summary.startsWith(`${id} `) && summary.endsWith(`(level ${formatDecimal(level)})`))
    // The market may stay away from a level for long, so every new value becomes another level until one is crossed.
    const fired = async () => {
      while (bench.peer.unreadCount > 0) {
        const shown = await bench.peer.nextNotification()
        const rule = ruleOf(shown)
        // An amended value is skipped, because the order of receipt then does not show the crossing.
        if (rule !== undefined && !amended.has(rule.id))
          return { summary: shown.summary, rule, heard: rule.values.length }
      }
      for (const [id, value] of latest) {
        // Written as a user would type it. Small values are published with an exponent.
        const level = writeOut(value)
        const rule: MarketRule = { id, level, values: [value] }
        latest.delete(id)
        rules.push(rule)
        const draft = levelDraft(level, { indexId: id, condition: 'crosses' })
        const made = await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })
        // Drops a rule that exists already, or whose first value is unclear because another one came in between.
        if (!made.ok || rule.values.length > 1) rules.splice(rules.indexOf(rule), 1)
      }
      return undefined
    }
    let found: Awaited<ReturnType<typeof fired>>
    await expect.poll(async () => (found = await fired()), { intervals: [20], timeout: 45_000 }).toBeDefined()
    const { summary, rule, heard } = found ?? { summary: '', rule: { id: '', level: '', values: [] }, heard: 0 }
    const { id, level, values } = rule
    // A rule created before the app received the value of its level may fire on that value.
    const isOfLevel = summary.endsWith(` to ${formatDecimal(level)} (level ${formatDecimal(level)})`)
    await expect.poll(() => isOfLevel || crossing(values, level) >= 0).toBe(true)
    const crossedAt = crossing(values, level)
    const at = isOfLevel && writeOut(values[crossedAt] ?? '0') !== level ? 0 : crossedAt
    const value = values[at] ?? ''
    const verb = compareDecimals(parseDecimal(value) ?? zero, parseDecimal(level) ?? zero) > 0 ? 'rose' : 'fell'
    // For a value equal to the level, the direction depends on the previous value.
    const words = writeOut(value) === level ? /rose|fell/.exec(summary)?.[0] : verb
    expect(summary).toBe(`${id} ${words} to ${formatDecimal(value)} (level ${formatDecimal(level)})`)
    expect(heard - 1 - at).toBeLessThanOrEqual(1)
    line.terminate()
  },
)

const zero = { sign: 0, digits: '', point: 0 } as const
