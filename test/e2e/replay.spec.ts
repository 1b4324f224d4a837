/** Replays a day that one app recorded to another app. The same rules give the same events. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertDraft } from '../../core/alerts'
import { addressOf as addressOfSimulator } from '../../simulator/address'
import type { PublishedValue } from '../../simulator/publications'
import { AlertRun } from '../support/alert-run'
import { AppBench, type ServiceAddress } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'

const simulatorCommand = join(import.meta.dirname, '../../out/main/simulator-cli.js')
const drafts: AlertDraft[] = [
  levelDraft('500000'),
  { ...levelDraft('510000'), repeat: { mode: 'everyCrossing' } },
  { ...levelDraft(), terms: { condition: 'fallsTo', level: '100' } },
  {
    ...levelDraft(),
    terms: { condition: 'moves', direction: 'up', amount: '300', unit: 'percent', withinMs: 2_000 },
    repeat: { mode: 'everyCrossing' },
  },
]

/** The events of an inbox by the times of the service. Also returns the times of events late from history. */
function happened(events: readonly AlertEvent[]) {
  const late = events.filter(({ kind }) => kind === 'lateFromHistory')
  const lines = events
    .map(({ kind, terms, inputs: { publishedAtMs, amendedAtMs, value } }) => {
      const what = kind === 'lateFromHistory' ? 'fired' : kind
      return [what, terms.condition, publishedAtMs, amendedAtMs, value].join(' ')
    })
    .sort()
  return { lines, lateMs: late.map(({ inputs }) => inputs.publishedAtMs) }
}

/** The values that a replay returns when its clock is at the end of the day. */
async function valuesOf({ rest = '', keyId, keySecret }: ServiceAddress, fromMs: number): Promise<PublishedValue[]> {
  const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
  const answer = await fetch(`${rest}/api/v1/values?id=BRTI&maxResolution=PER_200MS`, { headers })
  const { payload } = (await answer.json()) as { payload: PublishedValue[] }
  return payload.filter(({ time }) => time >= fromMs)
}

/** Starts `npm run simulator` on this file. Returns its address and a function that ends it. */
async function replay(file: string, fromMs: number): Promise<{ address: ServiceAddress; end: () => Promise<void> }> {
  const args = ['--tape', file, '--from', new Date(fromMs).toISOString(), '--port', '0']
  const child = spawn('node', [simulatorCommand, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const end = async () => {
    child.kill()
    await once(child, 'exit')
  }
  return { address: JSON.parse(line) as ServiceAddress, end }
}

test(
  'replaying a recorded day raises the same alerts at the same times',
  { tag: '@deep' },
  async ({ bench, simulator, service }) => {
    test.setTimeout(240_000)
    simulator.holdMarket()
    const { running, watch } = await bench.launchLive(addressOfSimulator(simulator))
    const run = new AlertRun(running, watch)
    await expect.poll(async () => watch.published('BRTI')).not.toBeNull()
    for (const draft of drafts) await run.make(draft)

    // The values rise and fall again. One amendment undoes a crossing and one causes a crossing.
    const startMs = Math.ceil(Date.now() / 1_000) * 1_000
    const at = (seconds: number) => startMs + seconds * 1_000
    const published: PublishedValue[] = [
      { time: at(1), value: '400000.10' },
      { time: at(2), value: '500000.00' },
      { time: at(2.2), value: '511000.500' },
      { time: at(3), value: '300000.00' },
      { time: at(4), value: '512000.00' },
      { time: at(5), value: '300000.50' },
      { time: at(6), value: '300001.00' },
      { time: at(4), value: '450000.00', amendTime: at(6.5) },
      { time: at(5), value: '99.00', amendTime: at(7) },
      { time: at(8), value: '300002.00' },
    ]
    // Publishes each value at its own time. An amendment that arrives early would be evaluated with the wrong value.
    for (const each of published) {
      await pause(Math.max(0, (each.amendTime ?? each.time) - Date.now()))
      simulator.publish('BRTI', each)
    }
    await watch.expectValue('BRTI', '300002.00', '300,002.00')
    await expect.poll(async () => (await run.inbox()).map(({ kind }) => kind)).toContain('lateByAmendment')
    await expect.poll(async () => (await run.inbox()).map(({ kind }) => kind)).toContain('retracted')
    const first = happened(await run.inbox())
    expect(first.lines).toEqual([
      `fired risesTo ${at(2)}  500000.00`,
      `fired risesTo ${at(2.2)}  511000.500`,
      `fired risesTo ${at(4)}  512000.00`,
      `lateByAmendment fallsTo ${at(5)} ${at(7)} 99.00`,
      `lateByAmendment moves ${at(6)}  300001.00`,
      `retracted risesTo ${at(4)} ${at(6.5)} 450000.00`,
    ])
    // Only this tick may be late from history, because it can come before the app subscribes to ticks.
    expect(first.lateMs.filter((ms) => ms !== at(2.2))).toEqual([])

    const path = join(bench.folder, 'day.csv')
    await running.chooseFile(path)
    const exported = await watch.ask('exportValues', {
      ...{ indexIds: ['BRTI'], fromMs: startMs - 60_000, toMs: at(10), resolution: 'every', format: 'csv' },
    })
    expect(exported).toMatchObject({ ok: true })
    const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.split(','))
    const iso = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString())
    const key = (time: string, amended: string, value: string) => `${time} ${amended} ${value}`
    const asExported = lines.slice(1).map(([, value = '', time = '', amended = '']) => key(time, amended, value))
    const asPublished = published.map(({ time, amendTime, value }) => key(iso(time), iso(amendTime), value))
    expect(asExported.filter((line) => line >= iso(at(1)) && line.length > 2)).toEqual(asPublished.sort())

    // The export and the open database of the app replay the same day.
    for (const file of [path, join(bench.userData, 'tape.db')]) {
      const { address, end } = await replay(file, at(8))
      const answered = (await valuesOf(address, at(1))).map(({ time, value }) => [time, value])
      await end()
      const stands = published.filter(({ time, amendTime }) => {
        return amendTime !== undefined || !published.some((each) => each.time === time && each.amendTime !== undefined)
      })
      expect(answered).toEqual(stands.map(({ time, value }) => [time, value]).sort())
    }

    // Another user creates the same rules before the day begins.
    const other = await AppBench.create()
    const { address, end } = await replay(path, at(0))
    try {
      const before = await other.launchLive(addressOf(service))
      for (const draft of drafts) await new AlertRun(before.running, before.watch).make(draft)
      await before.running.quit()
      const again = await other.launchLive(address)
      await again.watch.expectValue('BRTI', '300002.00', '300,002.00')
      const second = new AlertRun(again.running, again.watch)
      await expect.poll(async () => happened(await second.inbox()).lines).toEqual(first.lines)
      const { lateMs } = happened(await second.inbox())
      expect(lateMs.filter((ms) => ms !== at(2.2))).toEqual([])
      process.stdout.write(
        `replay: ${first.lines.length} events again, late from history ${first.lateMs.length} recorded, ${lateMs.length} played\n`,
      )
    } finally {
      await other.dispose()
      await end()
    }
  },
)
