import * as v from 'valibot'
import { expect } from 'vitest'
import { allOf, offered, one } from './offers'
import { expectRefusal, get, payload } from './rest'
import { once } from './service'
import { reference, type Reference } from './shapes'
import { holds, refuses } from './spec-test'

const all = once(async () => {
  const list = await payload<Reference[]>('indices')
  return new Map(list.map((index) => [index.id, index]))
})

holds('2.7 indices: each index has its maxResolution, the same as in the info response', async () => {
  const listed = await all()
  for (const index of listed.values()) v.parse(reference, index)
  const resolutions = [...listed.values()].map(({ id, maxResolution }) => [id, maxResolution])
  const streams = (await offered()).map(({ id, maxResolution }) => [id, maxResolution])
  expect(resolutions).toEqual(expect.arrayContaining(streams))
})

holds('2.7 indices/{externalId}: the same summary as in the list', async (context) => {
  for (const kind of ['every200ms', 'daily', 'rewardRate'] as const) {
    const id = await one(kind, context)
    expect(await payload<Reference>(`indices/${id}`)).toEqual((await all()).get(id))
  }
})

holds('2.7 indices/{externalId}/detail: the same fields, by the same rules, and more', async (context) => {
  for (const kind of ['every200ms', 'daily', 'basket', 'rewardRate'] as const) {
    const id = await one(kind, context)
    const detail = await payload<Reference>(`indices/${id}/detail`)
    const { id: same, name, decimals, base, quote, maxResolution } = v.parse(reference, detail)
    const { base: knownBase, quote: knownQuote, ...known } = (await all()).get(id) ?? {}
    expect(known).toMatchObject({ id: same, name, decimals, maxResolution })
    expect([base, quote]).toEqual([knownBase, knownQuote])
  }
})

holds('2.7 a pair has its base and quote in all three', async (context) => {
  const id = await one('every200ms', context)
  const answers = [
    (await all()).get(id),
    await payload<Reference>(`indices/${id}`),
    await payload<Reference>(`indices/${id}/detail`),
  ]
  for (const answer of answers) {
    expect(answer?.base).toMatch(/./)
    expect(answer?.quote).toMatch(/./)
  }
})

refuses('2.7 base and quote are never empty or null but omitted', async (context) => {
  const details = [await one('basket', context), await one('rewardRate', context)].map((id) =>
    payload<Reference>(`indices/${id}/detail`),
  )
  for (const index of [...(await all()).values(), ...(await Promise.all(details))]) {
    for (const name of ['base', 'quote'] as const) {
      if (name in index) expect(index[name]).toMatch(/./)
    }
  }
})

refuses('2.7 a reward rate has neither base nor quote, in all three', async (context) => {
  for (const id of await allOf('rewardRate', context)) {
    const answers = [
      (await all()).get(id),
      await payload<Reference>(`indices/${id}`),
      await payload<Reference>(`indices/${id}/detail`),
    ]
    for (const answer of answers) {
      expect(answer).toHaveProperty('id', id)
      expect(answer).not.toHaveProperty('base')
      expect(answer).not.toHaveProperty('quote')
    }
  }
})

refuses('4.2 an index that does not exist has no summary and no detail', async () => {
  expectRefusal(await get('indices/NO_SUCH_INDEX'))
  expectRefusal(await get('indices/NO_SUCH_INDEX/detail'))
})

holds('9 REST is under /api/v1/', async () => {
  expect((await get('indices')).status).toBe(200)
})
