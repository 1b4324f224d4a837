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
    summaries: (ids: string[]) =>
      answer(`summaries ${ids.join()}`, new Map(ids.map((id) => [id, { ...publication, last24Hours: [publication] }]))),
    values: (id: string) => answer(`values ${id}`, [publication]),
  } as unknown as RestClient
  const day = { isNeeded: false }
  const backfill = new Backfill({
    rest,
    clock,
    wanted: () => wanted,
    onCatalogue: (indices) => told.push(`catalogue ${indices.length}`),
    onLatest: (id) => told.push(`latest ${id}`),
    onHistory: (id) => told.push(`history ${id}`),
    needsDay: () => day.isNeeded,
    onDay: (id, { length }) => told.push(`day ${id} ${length}`),
    onProblem: (problem) => problems.push(problem),
  })
  return { clock, asked, told, problems, answers, backfill, wanted, day }
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

describe('the last 24 hours', () => {
  test('are asked for in one question when changes are counted from them, and only then', async () => {
    const { backfill, asked, told, day, wanted } = start()
    await backfill.connected(0)
    expect(asked.filter((question) => question.startsWith('summaries'))).toEqual([])
    day.isNeeded = true
    await backfill.restoreMissing()
    expect(asked.at(-1)).toBe('summaries BRTI,BRR')
    expect(told.slice(-2)).toEqual(['day BRTI 1', 'day BRR 1'])
    await backfill.restoreMissing()
    expect(asked.filter((question) => question.startsWith('summaries'))).toHaveLength(1)
    wanted.push('NCI')
    await backfill.restoreMissing()
    expect(asked).toContain('summaries NCI')
    backfill.forgetDays()
    await backfill.restoreMissing()
    expect(asked.at(-1)).toBe('summaries BRTI,BRR,NCI')
  })

  test('are asked for anew after a long break', async () => {
    const { backfill, asked, day } = start(['BRTI'])
    day.isNeeded = true
    await backfill.connected(0)
    await backfill.connected(10_000)
    await backfill.connected(120_000)
    expect(asked.filter((question) => question.startsWith('summaries'))).toHaveLength(2)
  })

  test('that the service does not have keep no history back; trouble of the service is tried again', async () => {
    const { backfill, answers, asked, told, day, clock } = start(['BRTI'])
    day.isNeeded = true
    answers.set('summaries BRTI', failure('notFound'))
    await backfill.connected(0)
    expect(told.at(-1)).toBe('history BRTI')
    backfill.forgetDays()
    answers.set('summaries BRTI', failure('unreachable'))
    await backfill.restoreMissing()
    answers.delete('summaries BRTI')
    const before = asked.length
    clock.advance(30_000)
    await expect.poll(() => told).toContain('day BRTI 1')
    expect(asked.slice(before)).toEqual(['summaries BRTI'])
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

describe('a row that leaves while it is asked for', () => {
  test('is asked for anew when it comes back, its last 24 hours too', async () => {
    const { backfill, asked, told, wanted, day } = start(['BRTI', 'BRR'])
    day.isNeeded = true
    const running = backfill.restoreMissing()
    wanted.pop()
    backfill.forget('BRR')
    await running
    expect(told).toEqual(['day BRTI 1', 'history BRTI'])
    wanted.push('BRR')
    await backfill.restoreMissing()
    expect(asked).toEqual(['summaries BRTI,BRR', 'values BRTI', 'summaries BRR', 'values BRR'])
    expect(told).toEqual(['day BRTI 1', 'history BRTI', 'day BRR 1', 'history BRR'])
  })

  test('has its past left out', async () => {
    const { backfill, asked, told, wanted } = start(['BRTI'])
    const running = backfill.restoreMissing()
    while (asked.length === 0) await Promise.resolve()
    wanted.pop()
    backfill.forget('BRTI')
    await running
    expect(told).toEqual([])
    wanted.push('BRTI')
    await backfill.restoreMissing()
    expect(asked).toEqual(['values BRTI', 'values BRTI'])
    expect(told).toEqual(['history BRTI'])
  })
})
