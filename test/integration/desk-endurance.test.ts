import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { isFiring, type AlertEvent } from '../../core/alert-events'
import { readMessage, writeMessage } from '../../core/desk'
import { failure, ok, type Publication } from '../../core/model'
import { SystemClock } from '../../main/base/clock'
import { DeskLink } from '../../main/desk/link'
import { DeskSeat } from '../../main/desk/seat'
import { childProgram } from '../support/child-programs'
import { positionFirst, type WatcherFault } from '../support/desk-faults'
import { valueOf } from '../support/desk-parts'
import { MemoryJsonFile } from '../support/memory-json-file'
import { NatsServer } from '../support/nats-server'
import { RecordedLog } from '../support/recorded-log'
import { ruleOf } from '../support/rule-bench'
import { temporaryFolder } from '../support/temporary-folder'

interface Plan {
  ruleCount: number
  sweeps: number
  seatCount: number
  /** Time between two troubles. */
  troubleMs: number
  /** Time between two values. */
  valueMs: number
  fault?: WatcherFault | 'positionFirst'
}

const rulesInStep = 50
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const signIn = { user: 'd', password: 'd' }

/** A watcher in a process that can be killed and stopped. It is told what it missed when it is back. */
class Watcher {
  readonly name: string
  readonly #folder = temporaryFolder()
  readonly #address: string
  readonly #fault: WatcherFault | undefined
  readonly #values: readonly Publication[]
  #child: ChildProcess | undefined
  leads = false
  rules = 0
  waiting = 0

  constructor(name: string, address: string, values: readonly Publication[], fault?: WatcherFault) {
    this.name = name
    this.#address = address
    this.#values = values
    this.#fault = fault
  }

  start(): void {
    const args = [
      this.#address,
      'london',
      this.name,
      this.#folder,
      'd',
      ...(this.#fault === undefined ? [] : [this.#fault]),
    ]
    const child = spawn(process.execPath, [childProgram('desk-watcher'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    let isNew = true
    createInterface(child.stdout).on('line', (line) => {
      Object.assign(this, JSON.parse(line))
      if (isNew && this.#values.length > 0) child.stdin.write(`${JSON.stringify(this.#values)}\n`)
      isNew = false
    })
    child.once('exit', () => {
      this.leads = false
    })
  }

  see(value: Publication): void {
    this.#child?.stdin?.write(`${JSON.stringify(value)}\n`)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }
}

/** A seat with a disk in memory. Its process may end at any moment. */
class Seat {
  /** Ids in the order of the inbox. */
  readonly disk = new Map<string, AlertEvent>()
  firedCount = 0
  #memory = new MemoryJsonFile()
  #running: { seat: DeskSeat; link: DeskLink } | undefined
  readonly #address: string
  readonly #isFaulty: boolean
  hasFailingDisk = false

  constructor(address: string, isFaulty: boolean) {
    this.#address = address
    this.#isFaulty = isFaulty
  }

  async start(): Promise<void> {
    const opened = await DeskLink.open({ address: this.#address, name: 'london', signIn }, 'seat')
    if (!opened.ok) return
    const link = this.#isFaulty ? positionFirst(opened.value, this.#memory) : opened.value
    const seat = new DeskSeat({
      ...{ clock: new SystemClock(), log: new RecordedLog(), link },
      memory: this.#memory,
      store: (events) => {
        if (this.hasFailingDisk) return Promise.resolve(failure('diskFull', 'The disk is full.'))
        for (const event of events.filter(({ id }) => !this.disk.has(id))) {
          this.disk.set(event.id, event)
          if (isFiring(event)) this.firedCount++
        }
        return Promise.resolve(ok(null))
      },
      onWatch: () => undefined,
      notice: () => undefined,
    })
    const started = await seat.start()
    if (started.ok) this.#running = { seat, link }
    else await link.close()
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  async end(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    // As if the process ended: what it had not written down comes again.
    await running?.link.close()
    await running?.seat.stop()
    this.#memory = this.#memory.reopened()
  }
}

async function putRules(admin: DeskLink, count: number, levelOf: (at: number) => string): Promise<void> {
  for (let at = 0; at < count; at++) {
    const rule = { ...ruleOf({ condition: 'risesTo', level: levelOf(at) }), id: `rule-${at}`, createdAtMs: Date.now() }
    valueOf(await admin.kept().put(`rule.${rule.id}`, writeMessage('rule', { rule, by: 'Ana', atMs: Date.now() })))
  }
}

async function endure({ ruleCount, sweeps, seatCount, troubleMs, valueMs, fault }: Plan) {
  const nodes = await NatsServer.startCluster()
  const [{ address } = { address: '' }] = nodes
  const values: Publication[] = []
  const ofWatcher = fault === 'positionFirst' ? undefined : fault
  const watchers = ['watch-1', 'watch-2'].map((name) => new Watcher(name, address, values, ofWatcher))
  const seats = Array.from({ length: seatCount }, () => new Seat(address, fault === 'positionFirst'))
  const counts = { killed: 0, stopped: 0, nodes: 0, seats: 0 }
  try {
    const [first, second] = watchers
    if (first === undefined || second === undefined) throw new Error('no watchers')
    const who = { address, name: 'london', signIn }
    // The nodes agree on one of them first.
    await expect.poll(async () => (await DeskLink.open(who, 'admin')).ok, { timeout: 60_000 }).toBe(true)
    first.start()
    await expect.poll(() => first.leads, { timeout: 60_000 }).toBe(true)
    second.start()
    const admin = valueOf(await DeskLink.open({ address, name: 'london', signIn }, 'admin'))
    await putRules(admin, ruleCount, (at) => (100 + at / 1_000).toFixed(3))
    await expect.poll(() => [first.rules, second.rules], { timeout: 120_000 }).toEqual([ruleCount, ruleCount])
    for (const seat of seats) await seat.start()
    const starts: number[] = []
    let isOver = false
    const troubles = (async () => {
      for (let turn = 0; !isOver; turn++) {
        await pause(troubleMs)
        if (isOver) return
        await trouble(turn, { watchers, nodes, seats, counts })
      }
    })()
    let atMs = Date.now()
    const publish = async (value: string) => {
      atMs = Math.max(atMs + 1, Date.now())
      const publication = { value, publishedAtMs: atMs }
      values.push(publication)
      for (const watcher of watchers) watcher.see(publication)
      await pause(valueMs)
      return atMs
    }
    for (let sweep = 0; sweep < sweeps; sweep++) {
      starts.push(await publish('99'))
      for (let at = 0; at < ruleCount; at += rulesInStep)
        await publish((100 + (at + rulesInStep - 1) / 1_000).toFixed(3))
    }
    isOver = true
    await troubles
    for (const seat of seats) while (!seat.isRunning) await seat.start()
    await settled(seats, ruleCount * sweeps, fault === undefined ? 120_000 : 40_000)
    await admin.close()
    const stream = await streamOf(address)
    const found = judge({ ruleCount, starts }, stream, seats)
    process.stdout.write(
      `desk${fault === undefined ? '' : ` with ${fault}`}: ${ruleCount * sweeps} events, ${seatCount} seats, watchers killed ` +
        `${counts.killed} and stopped ${counts.stopped}, nodes killed or stopped ${counts.nodes}, seats ended ${counts.seats}: ` +
        `lost ${found.lost}, of them ${found.unpublished} not published, doubled ${found.doubled}, out of order ${found.disordered}, published after the lease ${found.afterLease}\n`,
    )
    return found
  } finally {
    for (const watcher of watchers) watcher.signal('SIGKILL')
    for (const seat of seats) await seat.end()
    for (const node of nodes) await node.dispose()
  }
}

/** Resolves when each seat has as many events, or none has received one for so long. */
async function settled(seats: readonly Seat[], count: number, quietMs: number): Promise<void> {
  let before = -1
  for (let changedAtMs = Date.now(); Date.now() - changedAtMs < quietMs; await pause(500)) {
    const sizes = seats.map(({ firedCount }) => firedCount)
    if (sizes.every((size) => size >= count)) return
    const now = sizes.reduce((sum, size) => sum + size, 0)
    if (now !== before) changedAtMs = Date.now()
    before = now
  }
}

/** Waits for a watcher that leads. After a kill there is none for some seconds. */
async function leaderOf(watchers: readonly Watcher[]): Promise<Watcher> {
  for (;;) {
    const leader = watchers.find(({ leads }) => leads)
    if (leader !== undefined) return leader
    await pause(100)
  }
}

/** One trouble after the other. Each ends before the next begins. */
async function trouble(
  turn: number,
  parts: { watchers: Watcher[]; nodes: NatsServer[]; seats: Seat[]; counts: Record<string, number> },
): Promise<void> {
  const { watchers, nodes, seats, counts } = parts
  const node = nodes[turn % 3]
  const seat = seats[turn % seats.length]
  const count = (name: string) => (counts[name] = (counts[name] ?? 0) + 1)
  const leader = turn % 2 === 0 ? await leaderOf(watchers) : undefined
  count('seats')
  if (seat !== undefined) seat.hasFailingDisk = true
  switch (turn % 4) {
    case 0:
      count('killed')
      leader?.signal('SIGKILL')
      await pause(2_000)
      leader?.start()
      break
    case 1:
      count('nodes')
      await node?.stop()
      await pause(2_000)
      await node?.begin()
      break
    case 2:
      count('stopped')
      leader?.signal('SIGSTOP')
      await pause(14_000)
      leader?.signal('SIGCONT')
      break
    default:
      count('nodes')
      node?.signal('SIGSTOP')
      await pause(8_000)
      node?.signal('SIGCONT')
  }
  await seat?.end()
  if (seat !== undefined) seat.hasFailingDisk = false
  await seat?.start()
}

/** The stream, oldest first: keys of events with their watchers, and who began to lead. */
async function streamOf(address: string) {
  const connection = await connect({ servers: address.replace('nats://', ''), user: 'd', pass: 'd' })
  const manager = await jetstreamManager(connection)
  const { state } = await manager.streams.info('DESK_london')
  const consumer = await jetstream(connection).consumers.get('DESK_london')
  const messages: ({ leads: string } | { key: string; watcher: string })[] = []
  for (let last = 0; last < state.last_seq;) {
    for await (const message of await consumer.fetch({ max_messages: 1_000, expires: 5_000 })) {
      last = message.seq
      const read = readMessage('event', message.subject.endsWith('.lead') ? undefined : message.json())
      if (read.kind === 'read') messages.push({ key: read.value.key, watcher: read.value.watcher })
      else messages.push({ leads: message.string() })
      if (last === state.last_seq) break
    }
  }
  await connection.close()
  return messages
}

/**
 * Compares the stream and the seats with the crossings, one of each rule in each sweep. A watcher that missed a value may
 * have published a crossing at the next one.
 */
function judge(
  { ruleCount, starts }: { ruleCount: number; starts: readonly number[] },
  stream: Awaited<ReturnType<typeof streamOf>>,
  seats: readonly Seat[],
) {
  const crossingOf = (ruleId: string, atMs = 0) => `${ruleId} ${starts.findLastIndex((startMs) => startMs < atMs)}`
  const expected = starts.flatMap((_, sweep) => Array.from({ length: ruleCount }, (__, at) => `rule-${at} ${sweep}`))
  const missingIn = (crossings: readonly string[]) => {
    const has = new Set(crossings)
    return expected.filter((crossing) => !has.has(crossing)).length
  }
  // What confirms a crossing is not one.
  const published = stream.flatMap((each) => {
    const [ruleId = '', , at, , ...kind] = 'key' in each ? each.key.split('.') : []
    return kind.join('.') === 'fired' ? [crossingOf(ruleId, Number(at))] : []
  })
  let leader = ''
  let afterLease = 0
  for (const each of stream) {
    if ('leads' in each) leader = each.leads
    else if (each.watcher !== leader) afterLease++
  }
  const fired = seats.map(({ disk }) => [...disk.values()].filter(isFiring))
  const lost = fired.map((events) =>
    missingIn(events.map(({ ruleId, inputs }) => crossingOf(ruleId, inputs.publishedAtMs))),
  )
  const places = new Map(stream.map((each, at) => ['key' in each ? each.key : '', at]))
  const disordered = fired.map((events) => {
    const last = new Map<string, number>()
    return events.filter(({ ruleId, inputs: { publishedAtMs = 0 } }) => {
      const at = places.get(`${ruleId}.1.${publishedAtMs}.up.fired`) ?? 0
      const isEarlier = at < (last.get(ruleId) ?? 0)
      last.set(ruleId, at)
      return isEarlier
    }).length
  })
  return {
    lost: Math.max(...lost),
    unpublished: missingIn(published),
    doubled: published.length - new Set(published).size,
    disordered: Math.max(...disordered),
    afterLease,
  }
}

/** Kills the leader this often and returns the times, in ms, from the kill to the next alert on a seat. */
async function takeOver(count: number): Promise<number[]> {
  const server = await NatsServer.start()
  const watchers = ['watch-1', 'watch-2'].map((name) => new Watcher(name, server.address, []))
  const seat = new Seat(server.address, false)
  const leader = () => watchers.find(({ leads }) => leads)
  let crossed = -1
  let publishedAtMs = 0
  // Each value reaches the level of one more rule. A rule that fires too often would be suspended.
  const cross = () => {
    // Two values of one millisecond would be one publication.
    publishedAtMs = Math.max(publishedAtMs + 1, Date.now())
    const value = { value: `${100 + crossed++}.5`, publishedAtMs }
    for (const watcher of watchers) watcher.see(value)
  }
  const times: number[] = []
  try {
    for (const watcher of watchers) watcher.start()
    await expect.poll(() => leader() !== undefined, { timeout: 60_000 }).toBe(true)
    const admin = valueOf(await DeskLink.open({ address: server.address, name: 'london' }, 'admin'))
    await putRules(admin, 2 * count + 2, (at) => `${100 + at}`)
    await admin.close()
    await seat.start()
    // A rule needs a value before the one that fires it.
    await expect
      .poll(() => watchers.map(({ rules }) => rules), { timeout: 60_000 })
      .toEqual([2 * count + 2, 2 * count + 2])
    cross()
    while (times.length < count) {
      const ruleCount = 2 * count + 2
      await expect.poll(() => watchers.map(({ rules }) => rules), { timeout: 60_000 }).toEqual([ruleCount, ruleCount])
      cross()
      await expect.poll(() => seat.disk.size, { timeout: 60_000 }).toBe(crossed)
      // At any time since its last refresh of the lease.
      await pause(Math.random() * 3_000)
      const killed = leader()
      if (killed === undefined) continue
      killed.signal('SIGKILL')
      killed.rules = 0
      const killedAtMs = performance.now()
      cross()
      await expect.poll(() => seat.disk.size, { timeout: 60_000, interval: 5 }).toBe(crossed)
      times.push(performance.now() - killedAtMs)
      killed.start()
    }
  } finally {
    for (const watcher of watchers) watcher.signal('SIGKILL')
    await seat.end()
    await server.dispose()
  }
  return times.toSorted((a, b) => a - b)
}

const none = { lost: 0, unpublished: 0, doubled: 0, disordered: 0, afterLease: 0 }
const small = { ruleCount: 200, sweeps: 10, seatCount: 3, troubleMs: 3_000, valueMs: 800 }
const large = { ruleCount: 500, sweeps: 20, seatCount: 20, troubleMs: 20_000, valueMs: 1_500 }
const isLarge = process.env['INDEXWATCH_DESK_LARGE'] === '1'

test('over kills and partitions every seat gets 2,000 events once and in order', async () => {
  expect(await endure(small)).toEqual(none)
}, 600_000)

test.runIf(isLarge)(
  'over kills and partitions 20 seats get 10,000 events once and in order',
  async () => {
    expect(await endure(large)).toEqual(none)
  },
  3_600_000,
)

test('after each kill of the leader the other watcher publishes the next crossing', async () => {
  const times = await takeOver(Number(process.env['INDEXWATCH_DESK_KILLS'] ?? 3))
  const seconds = (ms = 0) => (ms / 1_000).toFixed(1)
  process.stdout.write(
    `desk: ${times.length} kills of the leader, the next alert after ${seconds(times[0])} to ${seconds(times.at(-1))} s, ` +
      `median ${seconds(times[Math.floor(times.length / 2)])} s\n`,
  )
}, 3_600_000)

test('messages without a key are found as doubled', async () => {
  expect((await endure({ ...small, fault: 'noKey' })).doubled).toBeGreaterThan(0)
}, 600_000)

test('a seat that writes down its position before it stores is found to lose events', async () => {
  expect((await endure({ ...small, fault: 'positionFirst' })).lost).toBeGreaterThan(0)
}, 600_000)

test('a watcher that publishes after it lost the lease is found', async () => {
  expect((await endure({ ...small, fault: 'keepsLeading' })).afterLease).toBeGreaterThan(0)
}, 600_000)
