import { expect, onTestFinished, test } from 'vitest'
import { AlertEngine } from '../../main/alerts/engine'
import { ReachWatch } from '../../main/alerts/reach-watch'
import { offeredIndices } from '../../main/features/known-index'
import { alertSubscriptions } from '../../main/features/subscriptions'
import { SystemClock } from '../../main/base/clock'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertDraft, AlertTerms } from '../../core/alerts'
import { eventually } from '../support/eventually'
import { MemoryHistory } from '../support/memory-history'
import { openConnections, openSimulator } from '../support/open-connections'
import { RecordedLog } from '../support/recorded-log'
import { levelDraft } from '../support/sample-alerts'
import { onError } from '../support/on-error'

/** A wider spread and a thinner book than the simulator ever sends. */
const wide: AlertTerms = { condition: 'spreadAtOrAbove', spreadBps: '25' }
const thin: AlertTerms = { condition: 'depthAtOrBelow', depth: '5' }

/** An engine with a simulated service. Only its rules need data: no row and no page is open. */
async function openRules() {
  const { simulator, profile, secret } = await openSimulator('main')
  const clock = new SystemClock()
  const history = new MemoryHistory()
  const fired: AlertEvent[] = []
  let made = 0
  const engine: AlertEngine = new AlertEngine({
    clock,
    newId: () => `id${made++}`,
    log: new RecordedLog(),
    history,
    cadenceOf: (id) => opened.connections.resolutionOf(id),
    originOf: () => ({ connection: 'main', isDemo: false }),
  })
  const opened = await openConnections([], history, {
    rules: engine,
    wantedByRules: () => alertSubscriptions(engine.listening(), (id) => opened.connections.resolutionOf(id)),
  })
  const { connections, quotes, profiles } = opened
  const reach = new ReachWatch({
    clock,
    rules: () => engine.views(),
    offers: () => offeredIndices({ connections, quotes }),
    onFound: (found) => void engine.noteReach(found),
    onError,
  })
  connections.events.on('conditionsPublished', ({ id, publication }) => reach.conditionsSeen(id, publication))
  connections.events.on('refused', (refusal) => reach.refused(refusal))
  engine.events.on('changed', () => {
    connections.wantedChanged()
    reach.changed()
  })
  engine.events.on('notify', (events) => fired.push(...events))
  onTestFinished(() => {
    reach.dispose()
    engine.dispose()
  })
  await engine.use()
  await profiles.save(profile, secret)
  await eventually(() => expect(connections.status.state).toBe('live'))
  const make = async (terms: AlertTerms, more: Partial<AlertDraft> = {}) => {
    const draft: AlertDraft = { ...levelDraft('1'), terms, repeat: { mode: 'everyCrossing' }, ...more }
    const answer = await engine.create(draft, 'wait', undefined)
    if (!answer.ok) throw new Error(answer.problem.message)
    return () => engine.views().find(({ id }) => id === answer.value.id)
  }
  const send = (conditions: object) =>
    simulator.sendRaw(JSON.stringify({ type: 'rti_stats', time: Date.now(), id: 'BRTI', value: '100', ...conditions }))
  return { simulator, connections, fired, make, send }
}

test('a spread and a depth fire with no page open, also after a reconnect', async () => {
  const { simulator, connections, fired, make, send } = await openRules()
  const spread = await make(wide)
  const depth = await make(thin)
  expect(spread()?.phase).toBe('waiting')
  // By the simulated market conditions.
  await eventually(() =>
    expect([spread(), depth()].map((rule) => [rule?.phase, rule?.reach])).toEqual([
      ['armed', undefined],
      ['armed', undefined],
    ]),
  )
  expect(spread()?.measure).toMatch(/^\d+\.\d\d$/)
  send({ valueBid: '99.9', valueAsk: '100.2', utilizedDepth: '400' })
  await eventually(() =>
    expect(fired.map(({ indexId, inputs }) => [indexId, inputs.value])).toEqual([['BRTI', '29.98']]),
  )
  send({ valueBid: '99.99', valueAsk: '100.01', utilizedDepth: '5.00' })
  await eventually(() =>
    expect(fired.slice(1).map(({ terms, inputs }) => [terms, inputs.value])).toEqual([[thin, '5.00']]),
  )

  const { handshakes } = simulator.counts
  simulator.dropConnections()
  await eventually(() => {
    expect(simulator.counts.handshakes).toBeGreaterThan(handshakes)
    expect(connections.status).toMatchObject({ state: 'live', streamCount: 2 })
  })
  const before = spread()?.measure
  await eventually(() => expect(spread()?.measure).not.toBe(before))
  send({ valueBid: '99.8', valueAsk: '100.2', utilizedDepth: '400' })
  await eventually(() => expect(fired.slice(2).map(({ inputs }) => inputs.value)).toEqual(['40.00']))
})

test('20: a rule on an index without market conditions cannot fire once that is known', async () => {
  const { fired, make } = await openRules()
  const rule = await make(wide, { indexId: 'NCI' })
  await eventually(() => expect(rule()?.reach).toMatchObject({ cannotFire: 'NCI has no market conditions' }))
  await eventually(() =>
    expect(fired.map(({ kind, reason }) => [kind, reason])).toEqual([['cannotFire', 'NCI has no market conditions']]),
  )
})
