import * as v from 'valibot'
import { expect, type TestContext } from 'vitest'
import { connect } from './connection'
import { one, ourChoice } from './offers'
import { payload } from './rest'
import { decimal } from './shapes'
import { holds, refuses } from './spec-test'

/** The shape that our own service chose: docs/development/decisions/0007. */
const state = v.object({
  time: v.number(),
  action: v.nullable(
    v.object({
      ...{ actionId: v.string(), version: v.number(), description: v.string() },
      kind: v.picklist(['SPLIT', 'DIVIDEND', 'SYMBOL_CHANGE']),
      state: v.picklist(['PENDING', 'EFFECTIVE']),
      ...{ announcedTime: v.number(), effectiveTime: v.number() },
      ...{ currentMultiplier: decimal, newMultiplier: decimal },
    }),
  ),
})
type State = v.InferOutput<typeof state>

async function history(context: TestContext): Promise<State[]> {
  ourChoice(context)
  const id = await one('tokenizedEquity', context)
  const rows = await payload<unknown[]>(`stats?id=${id}&streamtype=activecorporateaction`)
  return v.parse(v.array(state), rows)
}

holds('4.1 active_corporate_action: the first message is the last row of REST', async (context) => {
  const id = await one('tokenizedEquity', context)
  const last = (await history(context)).at(-1)
  const connection = await connect()
  connection.subscribe('active_corporate_action', id)
  const [first] = await connection.some(1, 'active_corporate_action', id)
  expect(first).toEqual({ type: 'active_corporate_action', id, ...last })
})

holds('4.2 stats: a corporate action is announced, takes effect and ends', async (context) => {
  const states = (await history(context)).map(({ action }) => action?.state ?? 'NONE')
  const next = { NONE: 'PENDING', PENDING: 'EFFECTIVE', EFFECTIVE: 'NONE' }
  expect(new Set(states)).toEqual(new Set(Object.keys(next)))
  expect(states.slice(1)).toEqual(states.slice(0, -1).map((each) => next[each]))
})

refuses('4.2 stats: no corporate action is in effect before its time, nor pending after it', async (context) => {
  for (const { action, time } of await history(context)) {
    if (action === null) continue
    expect(action.state).toBe(time < action.effectiveTime ? 'PENDING' : 'EFFECTIVE')
    expect(time).toBeGreaterThanOrEqual(action.announcedTime)
  }
})

refuses('6 rule 4: no corporate action is sent as a value', async (context) => {
  const id = await one('tokenizedEquity', context)
  const connection = await connect()
  connection.subscribe('active_corporate_action', id)
  await connection.some(1, 'active_corporate_action', id)
  expect(new Set((await connection.settled()).map(({ type }) => type))).toEqual(new Set(['active_corporate_action']))
})
