import { expect, test } from 'vitest'
import { failure, ok, type IndexId, type IndexInfo } from '../../../../core/model'
import { CodeLookup } from '../../../../main/connections/code-lookup'
import type { Connections } from '../../../../main/connections/connections'
import { FakeClock } from '../../../support/fake-clock'

/** A lookup over a service with these codes. `fails` is the index about which the service does not answer. */
function open(codes: Record<IndexId, string[] | undefined>, { fails = '' } = {}) {
  const clock = new FakeClock()
  const asked: [IndexId, number][] = []
  const batches: Pick<IndexInfo, 'id' | 'codes'>[][] = []
  const known = new Map<IndexId, string[] | undefined>()
  const beganMs = clock.monotonicMs()
  const connections = {
    get catalogue() {
      return Object.keys(codes).map((id) => ({ id, maxResolution: 'DAILY', codes: known.get(id) }))
    },
    sourceOf: () => ({
      detail: (id: IndexId) => {
        asked.push([id, clock.monotonicMs() - beganMs])
        if (id === fails) return Promise.resolve(failure('unreachable', 'The provider did not answer.'))
        const own = codes[id]
        return Promise.resolve(own === undefined ? failure('notFound', 'Unknown.') : ok({ id, codes: own }))
      },
    }),
    noteCodes: (learned: Pick<IndexInfo, 'id' | 'codes'>[]) => {
      batches.push(learned)
      for (const { id, codes: own } of learned) known.set(id, own)
    },
  } as unknown as Pick<Connections, 'catalogue' | 'sourceOf' | 'noteCodes'>
  const lookup = new CodeLookup({ clock, connections })
  const learn = async () => {
    let isOver = false
    void Promise.all([lookup.learn(), lookup.learn()]).then(() => (isOver = true))
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isOver) return
      await clock.advance(250)
    }
  }
  return { asked, batches, known, learn }
}

test('each index is asked about once, a few a second, also one without reference data', async () => {
  const { asked, known, learn } = open({ BRTI: ['.BRTI'], BRR: [], OLD: undefined })
  await learn()
  expect(asked).toEqual([
    ['BRTI', 0],
    ['BRR', 250],
    ['OLD', 500],
  ])
  expect([...known]).toEqual([
    ['BRTI', ['.BRTI']],
    ['BRR', []],
    ['OLD', []],
  ])
  await learn()
  expect(asked).toHaveLength(3)
})

test('many codes arrive in batches', async () => {
  const { batches, learn } = open(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`I${at}`, ['c']])))
  await learn()
  expect(batches.map(({ length }) => length)).toEqual([40, 40, 10])
})

test('a service that does not answer is asked no more, and the next time about the rest', async () => {
  const { asked, known, learn } = open({ BRTI: ['.BRTI'], BRR: ['x'], NCI: ['y'] }, { fails: 'BRR' })
  await learn()
  expect([...known.keys()]).toEqual(['BRTI'])
  await learn()
  expect(asked.map(([id]) => id)).toEqual(['BRTI', 'BRR', 'BRR'])
})
