import { describe, expect, test } from 'vitest'
import { Backfill } from '../../../main/app-backfill'
import type { RestClient } from '../../../main/rest/client'
import type { Outcome, Problem } from '../../../protocol/model'
import { FakeClock } from '../../support/fake-clock'

function failure(code: string): Outcome<never> {
  return { ok: false, problem: { code, message: code } }
}

function start(wanted: string[] = ['BRTI', 'BRR']) {
  const clock = new FakeClock()
  const asked: string[] = []
  const told: string[] = []
  const problems: (Problem | undefined)[] = []
  const answers = new Map<string, Outcome<unknown>>()
  const answer = (question: string, usual: unknown) => {
    asked.push(question)
    return Promise.resolve(answers.get(question) ?? { ok: true, value: usual })
  }
  const publication = { value: '1', publishedAtMs: 1 }
  const rest = {
    indices: () => answer('indices', [{ id: 'BRTI', maxResolution: 'PER_SECOND' }]),
    latestValues: (ids: string[]) => answer(`latest ${ids.join()}`, new Map(ids.map((id) => [id, publication]))),
    values: (id: string) => answer(`values ${id}`, [publication]),
  } as unknown as RestClient
  const backfill = new Backfill({
    rest,
    clock,
    wanted: () => wanted,
    onCatalogue: (indices) => told.push(`catalogue ${indices.length}`),
    onLatest: (id) => told.push(`latest ${id}`),
    onHistory: (id) => told.push(`history ${id}`),
    onProblem: (problem) => problems.push(problem),
  })
  return { clock, asked, told, problems, answers, backfill, wanted }
}

describe('after a connect', () => {
  test('the catalogue, the latest values and the history of each row are fetched, one at a time', async () => {
    const { backfill, asked, told } = start()
    await backfill.connected(0)
    expect(asked).toEqual(['indices', 'latest BRTI,BRR', 'values BRTI', 'values BRR'])
    expect(told).toEqual(['catalogue 1', 'latest BRTI', 'latest BRR', 'history BRTI', 'history BRR'])
  })

  test('history is not fetched again after a short break, and is after a long one', async () => {
    const { backfill, asked } = start(['BRTI'])
    await backfill.connected(0)
    await backfill.connected(10_000)
    expect(asked.filter((question) => question === 'values BRTI')).toHaveLength(1)
    await backfill.connected(120_000)
    expect(asked.filter((question) => question === 'values BRTI')).toHaveLength(2)
  })

  test('a row that comes later gets its history, one that left and came back gets it anew', async () => {
    const { backfill, asked, wanted } = start(['BRTI'])
    await backfill.connected(0)
    wanted.push('BRR')
    await backfill.restoreMissing()
    backfill.forget('BRR')
    await backfill.restoreMissing()
    expect(asked.filter((question) => question.startsWith('values'))).toEqual([
      'values BRTI',
      'values BRR',
      'values BRR',
    ])
  })
})

describe('when the service has trouble', () => {
  test('one index that it does not have stops nothing', async () => {
    const { backfill, answers, told } = start()
    answers.set('values BRTI', failure('badRequest'))
    await backfill.connected(0)
    expect(told.at(-1)).toBe('history BRR')
  })

  test('what concerns all questions ends the round and is tried again after a while', async () => {
    const { clock, backfill, answers, asked, told, problems } = start(['BRTI'])
    answers.set('indices', failure('unreachable'))
    await backfill.connected(0)
    expect(asked).toEqual(['indices'])
    expect(problems.at(-1)?.code).toBe('unreachable')
    answers.delete('indices')
    clock.advance(30_000)
    await expect.poll(() => told).toContain('history BRTI')
    expect(problems.at(-1)).toBeUndefined()
  })

  test('a refused key is not tried again before the next connect', async () => {
    const { clock, backfill, answers, asked } = start()
    answers.set('indices', failure('notAuthorised'))
    await backfill.connected(0)
    expect(clock.pending).toBe(0)
    await backfill.connected(0)
    expect(asked).toEqual(['indices', 'indices'])
  })

  test('nothing is told or asked once it is disposed', async () => {
    const { backfill, asked, told } = start()
    const running = backfill.connected(0)
    backfill.dispose()
    await running
    expect(asked).toEqual(['indices'])
    expect(told).toEqual([])
  })
})
