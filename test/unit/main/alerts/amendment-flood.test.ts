import { expect, test } from 'vitest'
import { above, openAlerts, startMs } from '../../../support/open-alerts'

/** Amends one value over and over. Each amendment changes whether the rule fired, unless `isTrue`. */
async function amended(times: number, isTrue = false) {
  const opened = await openAlerts()
  const { engine, receive, publish } = opened
  const urgent = { ...above, indexId: 'ETHUSD_RTI', severity: 'urgent' as const }
  await engine.create(urgent, 'wait', undefined)
  await engine.create({ ...above, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
  publish('99', { id: 'ETHUSD_RTI' })
  publish('101', { id: 'ETHUSD_RTI' })
  publish('99')
  publish('101')
  await engine.flush()
  for (let at = 0; at < times; at++) {
    const value = isTrue ? `10${at % 9}.5` : at % 2 === 0 ? '98' : '101'
    receive('BRTI', { value, publishedAtMs: startMs + 3_000, amendedAtMs: startMs + 10_000 + at })
    await engine.flush()
  }
  const inbox = engine.inbox()
  return { inbox, ofBrti: inbox.filter(({ indexId }) => indexId === 'BRTI') }
}

test('a value amended 600 times keeps urgent events and has limited, counted events', async () => {
  const { inbox, ofBrti } = await amended(600)
  expect(inbox.filter(({ severity }) => severity === 'urgent')).toMatchObject([
    { indexId: 'ETHUSD_RTI', kind: 'fired' },
  ])
  expect(ofBrti.length).toBeLessThanOrEqual(160)
  expect(ofBrti.reduce((sum, { heldBackCount = 0 }) => sum + heldBackCount, 0)).toBeGreaterThan(200)
})

test('each firing undone by an amendment has its retraction', async () => {
  const { ofBrti } = await amended(301)
  const firings = ofBrti.filter(({ kind }) => kind === 'fired' || kind === 'lateByAmendment')
  const retracted = new Set(ofBrti.flatMap(({ kind, aboutEventId }) => (kind === 'retracted' ? [aboutEventId] : [])))
  expect(firings.filter(({ id }) => !retracted.has(id))).toEqual([])
})

test('a firing is confirmed at most sixty times an hour', async () => {
  const { ofBrti } = await amended(200, true)
  expect(ofBrti.filter(({ kind }) => kind === 'confirmed')).toHaveLength(60)
})
