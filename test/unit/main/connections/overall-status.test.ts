import { expect, test } from 'vitest'
import { allTools, listing, overallStatus } from '../../../../main/connections/overall-status'
import type { ConnectionView } from '../../../../protocol/responses'
import type { ConnectionState } from '../../../../core/model'

function view(name: string, state: ConnectionState, more: Partial<ConnectionView> = {}): ConnectionView {
  return { id: name, name, isDemo: false, state, streamCount: 2, indexCount: 3, ...more }
}

test('the demo service is connecting before any connection is chosen', () =>
  expect(overallStatus([])).toEqual({ state: 'connecting', name: 'Demo', isDemo: true, streamCount: 0 }))

test('one connection is shown unchanged', () => {
  const problem = 'The provider is restarting.'
  expect(overallStatus([view('Mine', 'reconnecting', { problem, retryInMs: 500 })])).toEqual({
    state: 'reconnecting',
    name: 'Mine',
    isDemo: false,
    problem,
    retryInMs: 500,
    streamCount: 2,
  })
})

const fromWorst: ConnectionState[] = ['notAuthorised', 'offline', 'reconnecting', 'connecting', 'live']
const pairs = fromWorst.flatMap((worse, at) => fromWorst.slice(at).map((better) => [worse, better] as const))

test.each(pairs)('of %s and %s the first is shown, in either order', (worse, better) => {
  expect(overallStatus([view('A', worse), view('B', better)]).state).toBe(worse)
  expect(overallStatus([view('A', better), view('B', worse)]).state).toBe(worse)
})

test('several are combined: the problem names its connection, the soonest retry counts', () => {
  const status = overallStatus([
    view('Main host', 'reconnecting', { problem: 'Lost.', retryInMs: 900 }),
    view('Nasdaq host', 'offline', { problem: 'Nobody answers.', retryInMs: 2_000 }),
    view('Third', 'live', { problem: 'REST is down.' }),
  ])
  expect(status).toEqual({
    state: 'offline',
    name: '3 connections',
    isDemo: false,
    problem: 'Nasdaq host: Nobody answers.',
    retryInMs: 900,
    streamCount: 6,
  })
  expect(overallStatus([view('A', 'live'), view('B', 'live')]).problem).toBeUndefined()
  const unreadable = [view('A', 'live', { unreadableCount: 60 }), view('B', 'live', { unreadableCount: 2 })]
  expect(overallStatus([...unreadable, view('C', 'live')])).toMatchObject({ state: 'live', unreadableCount: 62 })
})

test('the tools of all connections are one list with their connections', () => {
  const of = (id: string, tools: Parameters<typeof allTools>[0][number]['tools']) => {
    return { connection: { id, name: `Service ${id}`, isDemo: false }, tools }
  }
  const listed = { state: 'listed', tools: [{ name: 'a', description: '' }] } as const
  const unreachable = { state: 'unreachable', message: 'Down.' } as const
  const notOffered = { state: 'notOffered' } as const
  const tools = [...listed.tools]
  expect(allTools([of('1', { ...listed, tools }), of('2', unreachable), of('3', { ...listed, tools })])).toEqual({
    state: 'listed',
    tools: ['1', '3'].map((id) => {
      return { name: 'a', description: '', connectionId: id, connection: `Service ${id}`, isDemo: false }
    }),
  })
  expect(allTools([of('1', notOffered), of('2', unreachable)])).toEqual(unreachable)
  expect(allTools([of('1', notOffered), of('2', undefined)])).toBeUndefined()
  expect(allTools([of('1', notOffered), of('2', notOffered)])).toEqual(notOffered)
  expect(allTools([])).toBeUndefined()
})

test('a formula is listed with its indices, and unknown with one of them', () => {
  const catalogue = [{ id: 'BRTI', maxResolution: 'PER_200MS' as const, decimals: 2 }]
  const listed = listing({ catalogue, views: [{ ...view('A', 'live'), indexCount: 1 }] })
  expect(listed.index('mean(BRTI, 60)')).toMatchObject({ name: 'Mean of BRTI over 60 s', maxResolution: 'PER_SECOND' })
  expect(listed.isKnown('mean(BRTI, 60)')).toBe(true)
  expect(listed.isKnown('BRTI \u2212 FOO')).toBe(false)
  expect(listing({ catalogue, views: [] }).isKnown('BRTI \u2212 FOO')).toBeUndefined()
})
