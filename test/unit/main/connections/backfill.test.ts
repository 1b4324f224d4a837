import { describe, expect, test } from 'vitest'
import { Backfill } from '../../../../main/connections/backfill'
import type { RestClient } from '../../../../main/rest/client'
import type { Outcome, Problem } from '../../../../core/model'
import type { ProblemCode } from '../../../../core/problems'
import { FakeClock } from '../../../support/fake-clock'

function failure(code: ProblemCode): Outcome<never> {
  return { ok: false, problem: { code, message: code } }
}

function start(wanted: string[] = ['BRTI', 'BRR']) {
  const clock = new FakeClock()
  const asked: string[] = []
  const reported: string[] = []
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
  const backfill = new Backfill({
    rest,
    clock,
    wanted: () => wanted,
    onCatalogue: (indices) => reported.push(`catalogue ${indices.length}`),
    onLatest: (id) => reported.push(`latest ${id}`),
    onUnknown: (ids) => reported.push(`unknown ${ids.join()}`),
    onReady: () => reported.push('ready'),
    onKeyRefused: () => reported.push('key refused'),
    onDay: (id, { length }) => reported.push(`day ${id} ${length}`),
    onProblem: (problem) => problems.push(problem),
  })
  return { clock, asked, reported, problems, answers, backfill, wanted }
}

describe('after a connect', () => {
  test('fetches the catalogue and latest values before the last 24 hours', async () => {
    const { backfill, asked, reported } = start()
    await backfill.connected(0)
    expect(asked).toEqual(['indices', 'latest BRTI,BRR', 'summaries BRTI,BRR'])
    // Catch-up for rules does not wait for the rows' last 24 hours.
    expect(reported).toEqual(['catalogue 1', 'latest BRTI', 'latest BRR', 'ready', 'day BRTI 1', 'day BRR 1'])
  })

  test('fetches a row that is added later or comes back', async () => {
    const { backfill, asked, wanted } = start(['BRTI'])
    await backfill.connected(0)
    wanted.push('BRR')
    await backfill.restoreMissing()
    backfill.forget('BRR')
    await backfill.restoreMissing()
    await backfill.restoreMissing()
    expect(asked.filter((question) => question.startsWith('latest'))).toEqual([
      'latest BRTI',
      'latest BRR',
      'latest BRR',
    ])
  })

  test('reports what REST does not know, and does not request it before the next connect', async () => {
    const { backfill, answers, asked, reported } = start()
    answers.set('latest BRTI,BRR', { ok: true, value: new Map([['BRR', { value: '1', publishedAtMs: 1 }]]) })
    await backfill.connected(0)
    expect(reported).toContain('unknown BRTI')
    expect(asked).toEqual(['indices', 'latest BRTI,BRR', 'summaries BRR'])
    answers.clear()
    await backfill.connected(0)
    expect(asked.at(-1)).toBe('summaries BRTI')
  })
})

describe('the last 24 hours', () => {
  test('are requested once, in one request', async () => {
    const { backfill, asked, reported, wanted } = start()
    await backfill.connected(0)
    expect(asked.at(-1)).toBe('summaries BRTI,BRR')
    expect(reported.slice(-2)).toEqual(['day BRTI 1', 'day BRR 1'])
    await backfill.restoreMissing()
    expect(asked.filter((question) => question.startsWith('summaries'))).toHaveLength(1)
    wanted.push('NCI')
    await backfill.restoreMissing()
    expect(asked).toContain('summaries NCI')
    backfill.forgetDays()
    await backfill.restoreMissing()
    expect(asked.at(-1)).toBe('summaries BRTI,BRR,NCI')
  })

  test('are requested again after a long break', async () => {
    const { backfill, asked } = start(['BRTI'])
    await backfill.connected(0)
    await backfill.connected(10_000)
    await backfill.connected(120_000)
    expect(asked.filter((question) => question.startsWith('summaries'))).toHaveLength(2)
  })

  test('that the service lacks delay nothing, and a fault is retried', async () => {
    const { backfill, answers, asked, reported, clock } = start(['BRTI'])
    answers.set('summaries BRTI', failure('notFound'))
    await backfill.connected(0)
    expect(reported.at(-1)).toBe('ready')
    backfill.forgetDays()
    answers.set('summaries BRTI', failure('unreachable'))
    await backfill.restoreMissing()
    answers.delete('summaries BRTI')
    const before = asked.length
    clock.advance(30_000)
    await expect.poll(() => reported).toContain('day BRTI 1')
    expect(asked.slice(before)).toEqual(['summaries BRTI'])
  })
})

describe('when the service has trouble', () => {
  test('a general problem ends the round and is retried later', async () => {
    const { clock, backfill, answers, asked, reported, problems } = start(['BRTI'])
    answers.set('indices', failure('unreachable'))
    await backfill.connected(0)
    expect(asked).toEqual(['indices'])
    expect(problems.at(-1)?.code).toBe('unreachable')
    answers.delete('indices')
    clock.advance(30_000)
    await expect.poll(() => reported).toContain('ready')
    expect(problems.at(-1)).toBeUndefined()
  })

  test('retries a refused key only at the next connect', async () => {
    const { clock, backfill, answers, asked, reported } = start()
    answers.set('indices', failure('notAuthorised'))
    await backfill.connected(0)
    expect(clock.pending).toBe(0)
    await backfill.connected(0)
    expect(asked).toEqual(['indices', 'indices'])
    expect(reported).toEqual(['key refused', 'key refused'])
  })

  test('reports and requests nothing after dispose', async () => {
    const { backfill, asked, reported } = start()
    const running = backfill.connected(0)
    backfill.dispose()
    await running
    expect(asked).toEqual(['indices'])
    expect(reported).toEqual([])
  })
})

describe('a row removed during its request', () =>
  test('is requested again when it returns, with its last 24 hours', async () => {
    const { backfill, asked, reported, wanted } = start(['BRTI', 'BRR'])
    const running = backfill.restoreMissing()
    while (asked.length < 2) await Promise.resolve()
    wanted.pop()
    backfill.forget('BRR')
    await running
    expect(reported.filter((each) => each.startsWith('day'))).toEqual(['day BRTI 1'])
    wanted.push('BRR')
    await backfill.restoreMissing()
    expect(asked).toEqual(['latest BRTI,BRR', 'summaries BRTI,BRR', 'latest BRR', 'summaries BRR'])
    expect(reported.at(-1)).toBe('day BRR 1')
  }))
