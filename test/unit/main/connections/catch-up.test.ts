import type { TimeRange } from '../../../../core/ranges'
import { describe, expect, test } from 'vitest'
import { CatchUp, type CaughtUp, type StayedUnknown, type WantedIndex } from '../../../../main/connections/catch-up'
import type { MissingRange } from '../../../../main/connections/catch-up-plan'
import type { Outcome, Publication } from '../../../../core/model'
import type { ProblemCode } from '../../../../core/problems'
import { FakeClock } from '../../../support/fake-clock'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 20, 12, 30)

function failure(code: ProblemCode): Outcome<never> {
  return { ok: false, problem: { code, message: code } }
}

/** A value for each second of the range. */
function seconds(fromMs: number, toMs: number): Publication[] {
  const count = Math.floor((toMs - fromMs) / 1_000) + 1
  return Array.from({ length: count }, (_, at) => ({ value: String(at), publishedAtMs: fromMs + at * 1_000 }))
}

function start(options: { missing?: Record<string, MissingRange[]>; hasRest?: boolean; wanted?: WantedIndex[] } = {}) {
  const clock = new FakeClock(nowMs)
  const asked: string[] = []
  const answers = new Map<string, Outcome<Publication[]>>()
  const caughtUp: CaughtUp[] = []
  const unknown: StayedUnknown[] = []
  const looked: string[] = []
  const recorded: string[] = []
  let recording = Promise.resolve()
  const answer = (question: string, usual: Publication[]) => {
    asked.push(question)
    return Promise.resolve(answers.get(question) ?? ({ ok: true, value: usual } as const))
  }
  const rest = {
    values: (id: string, resolution?: string) =>
      answer(`${id} values${resolution ?? ''}`, seconds(clock.serviceMs() - hourMs + 1_000, clock.serviceMs())),
    historyValues: (id: string, timespan: string, atMs: number) =>
      answer(`${id} ${timespan} ${new Date(atMs).toISOString().slice(5, 16)}`, seconds(atMs, atMs + hourMs - 1_000)),
  }
  const wanted = options.wanted ?? [one('A')]
  const missing: Record<string, readonly MissingRange[]> = options.missing ?? { A: [lastHour], B: [lastHour] }
  const ranges: TimeRange[] = []
  const catchUp = new CatchUp({
    rest: (options.hasRest ?? true) ? rest : undefined,
    clock,
    known: {
      missing: (id, range) => {
        looked.push(id)
        ranges.push(range)
        return Promise.resolve(missing[id] ?? [])
      },
      recorded: (id) => {
        recorded.push(id)
        return recording
      },
    },
    wanted: () => wanted,
    admit: (_, publications) => publications,
    onCaughtUp: (each) => caughtUp.push(each),
    onStayedUnknown: (each) => unknown.push(each),
  })
  const holdRecords = () => {
    let release: () => void = () => undefined
    recording = new Promise((resolve) => (release = resolve))
    return release
  }
  return { holdRecords, recorded, clock, asked, answers, caughtUp, unknown, looked, ranges, wanted, catchUp }
}

function one(id: string, more: Partial<WantedIndex> = {}): WantedIndex {
  return { id, resolution: 'PER_SECOND', maxResolution: 'PER_SECOND', isWatchedByRule: false, ...more }
}

/** The request if nothing is known yet. */
const lastHour = { fromMs: nowMs - hourMs, toMs: nowMs, isBeforeFirst: true } as const
const night = { fromMs: nowMs - 3 * hourMs, toMs: nowMs }

describe('after a connect', () => {
  test('requests a night from the newest hour back, with one event per answer', async () => {
    const { catchUp, asked, caughtUp, unknown } = start({ missing: { A: [night] } })
    await catchUp.connected()
    expect(asked).toEqual(['A values', 'A HOUR 11-20T11:00', 'A HOUR 11-20T10:00', 'A HOUR 11-20T09:00'])
    expect(
      caughtUp.map(({ id, origin, fromMs, toMs, publications }) => [
        id,
        origin,
        fromMs - nowMs,
        toMs - nowMs,
        publications.length,
      ]),
    ).toEqual([
      ['A', 'catchUp', -hourMs + 1_000, 0, 3_600],
      ['A', 'catchUp', -1.5 * hourMs, -0.5 * hourMs - 1, 3_600],
      ['A', 'catchUp', -2.5 * hourMs, -1.5 * hourMs - 1, 3_600],
      ['A', 'catchUp', -3.5 * hourMs, -2.5 * hourMs - 1, 3_600],
    ])
    expect(unknown).toEqual([])
  })

  test('requests the next answer after the last is recorded', async () => {
    const { catchUp, asked, holdRecords, recorded } = start({ missing: { A: [night] } })
    const release = holdRecords()
    const connected = catchUp.connected()
    await expect.poll(() => recorded).toEqual(['A'])
    expect(asked).toEqual(['A values'])
    release()
    await connected
    expect(asked).toHaveLength(4)
  })

  test('requests ticks only if wanted, and thins history otherwise', async () => {
    const missing = { A: [night], B: [night] }
    const fast = { resolution: 'PER_200MS' } as const
    const wanted = [one('A', { ...fast, maxResolution: 'PER_200MS' }), one('B', fast)]
    const { catchUp, asked, answers, caughtUp } = start({ missing, wanted })
    const ticks = [0, 200, 400, 1_000].map((ms) => ({ value: '1', publishedAtMs: nowMs - 1.5 * hourMs + ms }))
    for (const id of ['A', 'B']) answers.set(`${id} HOUR 11-20T11:00`, { ok: true, value: ticks })
    await catchUp.connected()
    expect(asked.slice(0, 2)).toEqual(['A valuesPER_200MS', 'B values'])
    const counts = caughtUp
      .filter(({ publications }) => publications.length < 10)
      .map(({ id, publications }) => [id, publications.length])
    expect(counts).toEqual([
      ['A', 4],
      ['B', 2],
    ])
  })

  test('history counts as answered up to 15 minutes ago', async () => {
    const daily = one('D', { resolution: 'DAILY' })
    const gap = { fromMs: Date.UTC(2025, 3), toMs: Date.UTC(2025, 5) }
    const { catchUp, answers, caughtUp } = start({ missing: { D: [gap] }, wanted: [daily] })
    answers.set('D YEAR 01-01T00:00', { ok: true, value: [{ value: '1', publishedAtMs: gap.fromMs + 1_000 }] })
    await catchUp.connected()
    expect(caughtUp).toMatchObject([{ fromMs: Date.UTC(2025, 0), toMs: Date.UTC(2026, 0) - 1 }])
  })

  test('checks the last week first, then from where the stream broke off', async () => {
    const { catchUp, clock, ranges } = start({ missing: {} })
    await catchUp.connected()
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 1_000 })
    clock.advance(60_000)
    await catchUp.connected()
    expect(ranges).toEqual([
      { fromMs: nowMs - 7 * 24 * hourMs, toMs: nowMs },
      { fromMs: nowMs + 1_000, toMs: nowMs + 60_000 },
    ])
  })
})

test("ignores future time if this computer's clock is 2 h fast", async () => {
  const { catchUp, clock, ranges, caughtUp, unknown, asked } = start({ missing: { A: [night] } })
  clock.jumpWall(2 * hourMs)
  clock.followService({}, nowMs - clock.monotonicMs())
  await catchUp.connected()
  expect(asked).toContain('A HOUR 11-20T11:00')
  expect(ranges).toEqual([{ fromMs: nowMs - 7 * 24 * hourMs, toMs: nowMs }])
  expect(Math.max(...caughtUp.map(({ toMs }) => toMs))).toBe(nowMs)
  expect(unknown).toEqual([])
})

describe('a gap in the stream', () => {
  test('of more than twice the frequency is requested at once', async () => {
    const { catchUp, asked, caughtUp } = start()
    await catchUp.connected()
    asked.length = 0
    for (const second of [0, 1, 3, 5]) catchUp.published('A', { value: '1', publishedAtMs: nowMs + second * 1_000 })
    expect(asked).toEqual([])
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 7_001 })
    await expect.poll(() => caughtUp.length).toBe(2)
    expect(asked).toEqual(['A values'])
  })

  test('in which the service has no values is not requested repeatedly', async () => {
    const missing: Record<string, MissingRange[]> = {}
    const { catchUp, asked, answers, clock } = start({ missing })
    await catchUp.connected()
    catchUp.published('A', { value: '1', publishedAtMs: nowMs })
    for (let turn = 1; turn <= 20; turn++) {
      missing['A'] = [{ fromMs: clock.wallMs(), toMs: clock.wallMs() + 10_000 }]
      clock.advance(10_000)
      answers.set('A values', { ok: true, value: [{ value: '1', publishedAtMs: clock.wallMs() }] })
      catchUp.published('A', { value: '1', publishedAtMs: clock.wallMs() })
      await new Promise(setImmediate)
    }
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  test('found during a lookup is checked from where the stream broke off', async () => {
    const { catchUp, ranges, clock } = start({ missing: {} })
    await catchUp.connected()
    catchUp.published('A', { value: '1', publishedAtMs: nowMs })
    clock.advance(30_000)
    const connected = catchUp.connected()
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 30_000 })
    await connected
    expect(ranges.slice(1).map(({ fromMs }) => fromMs)).toEqual([nowMs, nowMs])
  })

  test('is requested if the service was only late at the connect', async () => {
    const behind = [{ value: '1', publishedAtMs: nowMs - 10_000 }]
    const { catchUp, asked, answers, caughtUp } = start({ missing: { A: [{ fromMs: nowMs - 10_000, toMs: nowMs }] } })
    answers.set('A values', { ok: true, value: behind })
    await catchUp.connected()
    catchUp.published('A', { value: '1', publishedAtMs: nowMs })
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 9_000 })
    await expect.poll(() => caughtUp.length).toBe(2)
    expect(asked).toEqual(['A values', 'A values'])
  })

  test('does not arise from an older or amended value', async () => {
    const { catchUp, asked } = start()
    await catchUp.connected()
    asked.length = 0
    catchUp.published('A', { value: '1', publishedAtMs: nowMs })
    catchUp.published('A', { value: '2', publishedAtMs: nowMs - 60_000, amendedAtMs: nowMs })
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 1_000 })
    await Promise.resolve()
    expect(asked).toEqual([])
  })
})

describe('what the service does not have', () => {
  test('is one unknown range without the history permission, requested once', async () => {
    const { catchUp, asked, answers, unknown } = start({ missing: { A: [night] } })
    answers.set('A HOUR 11-20T11:00', failure('badRequest'))
    await catchUp.connected()
    expect(asked).toEqual(['A values', 'A HOUR 11-20T11:00'])
    expect(unknown).toEqual([{ id: 'A', fromMs: night.fromMs, toMs: nowMs - hourMs - 1 }])
    await catchUp.connected()
    expect(asked.slice(2)).toEqual(['A values'])
    // A connect later the key may have more rights.
    catchUp.forgetRefusals()
    await catchUp.connected()
    expect(asked.slice(3)).toEqual(['A values', 'A HOUR 11-20T11:00'])
  })

  test('includes an empty period of history, but not the others', async () => {
    const { catchUp, answers, unknown, caughtUp } = start({ missing: { A: [night] } })
    answers.set('A HOUR 11-20T10:00', { ok: true, value: [] })
    await catchUp.connected()
    expect(unknown).toEqual([{ id: 'A', fromMs: nowMs - 2.5 * hourMs, toMs: nowMs - 1.5 * hourMs - 1 }])
    expect(caughtUp).toHaveLength(3)
  })

  test('includes an hour that is too large, but not the others', async () => {
    const { catchUp, answers, unknown, caughtUp } = start({ missing: { A: [night] } })
    answers.set('A HOUR 11-20T10:00', failure('tooLarge'))
    await catchUp.connected()
    expect(unknown).toEqual([{ id: 'A', fromMs: nowMs - 2.5 * hourMs, toMs: nowMs - 1.5 * hourMs - 1 }])
    expect(caughtUp).toHaveLength(3)
  })

  test('is avoided for a day that is too large by requesting its hours', async () => {
    const dayFrom = Date.UTC(2026, 10, 18)
    const missing = { A: [{ fromMs: dayFrom, toMs: dayFrom + 24 * hourMs - 1 }] }
    const { catchUp, asked, answers, unknown, caughtUp } = start({ missing })
    answers.set('A DAY 11-18T00:00', failure('tooLarge'))
    await catchUp.connected()
    expect(asked).toHaveLength(25)
    expect(asked[1]).toBe('A HOUR 11-18T23:00')
    expect([caughtUp.length, unknown]).toEqual([24, []])
  })

  test('is everything without REST', async () => {
    const { catchUp, unknown } = start({ missing: { A: [night] }, hasRest: false })
    await catchUp.connected()
    expect(unknown).toEqual([{ id: 'A', ...night }])
  })

  test('does not include an index that REST does not know', async () => {
    const { catchUp, asked, unknown } = start()
    catchUp.refused(['A'])
    await catchUp.connected()
    expect([asked, unknown]).toEqual([[], []])
    catchUp.forgetRefusals()
    await catchUp.connected()
    expect(asked).not.toEqual([])
  })
})

describe('problems', () => {
  test('of the service end the round, which continues later', async () => {
    const { catchUp, clock, asked, answers, unknown, caughtUp } = start({ missing: { A: [night] } })
    answers.set('A HOUR 11-20T11:00', failure('timedOut'))
    await catchUp.connected()
    expect([asked.length, unknown]).toEqual([2, []])
    answers.clear()
    clock.advance(30_000)
    await expect.poll(() => caughtUp.length).toBe(4)
    expect(asked.slice(2)).toEqual(['A HOUR 11-20T11:00', 'A HOUR 11-20T10:00', 'A HOUR 11-20T09:00'])
  })

  test.each(['timedOut', 'unreachable', 'unreadable', 'notAuthorised'] as const)(
    'a gap lost by (%s) before another break is looked for again afterwards',
    async (code) => {
      const missing = { A: [night] }
      const { catchUp, clock, answers, ranges, unknown } = start({ missing })
      answers.set('A values', failure(code))
      await catchUp.connected()
      catchUp.published('A', { value: '1', publishedAtMs: nowMs + 1_000 })
      clock.advance(20_000)
      catchUp.forgetRefusals()
      answers.clear()
      await catchUp.connected()
      expect(ranges.at(-1)).toEqual({
        fromMs: code === 'unreadable' ? nowMs - hourMs : night.fromMs,
        toMs: nowMs + 20_000,
      })
      // Everything was answered.
      catchUp.published('A', { value: '1', publishedAtMs: nowMs + 2_000 })
      clock.advance(20_000)
      await catchUp.connected()
      expect(ranges.at(-1)).toEqual({ fromMs: nowMs + 2_000, toMs: nowMs + 40_000 })
      const isKeyRefused = code === 'notAuthorised'
      expect(unknown).toEqual(isKeyRefused ? [{ id: 'A', ...night, isForNow: true }] : [])
    },
  )

  test('a key refused for everything leaves gaps unknown until the next connect', async () => {
    const { catchUp, asked, ranges, unknown, caughtUp } = start({ missing: { A: [night] } })
    await catchUp.keyRefused()
    expect([asked, unknown]).toEqual([[], [{ id: 'A', ...night, isForNow: true }]])
    catchUp.published('A', { value: '1', publishedAtMs: nowMs + 1_000 })
    catchUp.forgetRefusals()
    await catchUp.connected()
    expect(ranges.at(-1)).toMatchObject({ fromMs: night.fromMs })
    expect([caughtUp.length, unknown.length]).toEqual([4, 1])
  })

  test('a refused key is final, an unreadable answer is not', async () => {
    const wanted = [one('A'), one('B')]
    const { catchUp, clock, asked, answers, unknown } = start({ wanted })
    answers.set('A values', failure('unreadable'))
    answers.set('B values', failure('notAuthorised'))
    await catchUp.connected()
    expect([asked, unknown, clock.pending]).toEqual([['A values', 'B values'], [], 0])
  })

  test('an index removed during its request is ignored, and checked when it returns', async () => {
    const { catchUp, wanted, caughtUp, asked } = start()
    const running = catchUp.connected()
    while (asked.length === 0) await Promise.resolve()
    wanted.pop()
    catchUp.forget('A')
    await running
    expect(caughtUp).toEqual([])
    wanted.push(one('A'))
    await catchUp.wantedChanged()
    expect([asked.length, caughtUp.length]).toEqual([2, 1])
  })

  test('reports and requests nothing after dispose', async () => {
    const { catchUp, asked, caughtUp } = start({ missing: { A: [night] } })
    const running = catchUp.connected()
    while (asked.length === 0) await Promise.resolve()
    catchUp.dispose()
    await running
    await catchUp.connected()
    expect([asked.length, caughtUp.length]).toEqual([1, 0])
  })
})

test('checks the last days again when the history becomes readable', async () => {
  const missing: Record<string, MissingRange[]> = { A: [{ ...lastHour, isBeforeFirst: true }] }
  const { catchUp, asked, ranges } = start({ missing })
  await catchUp.connected()
  await catchUp.wantedChanged()
  expect([asked, ranges.length]).toEqual([['A values'], 1])
  missing['A'] = [{ fromMs: nowMs - 3 * hourMs, toMs: nowMs - 2 * hourMs }]
  await catchUp.lookAgain()
  expect(ranges[1]).toEqual(ranges[0])
  expect(asked.slice(1).every((question) => question.startsWith('A HOUR'))).toBe(true)
  expect(asked.length).toBeGreaterThan(1)
})

test('a long answer is reported in parts, each stored before the next', async () => {
  const { catchUp, answers, caughtUp, recorded } = start({ wanted: [] })
  const hourMs = Date.UTC(2023, 10, 19, 12)
  const rows = Array.from({ length: 9_000 }, (_, at) => ({
    value: `${at}`,
    publishedAtMs: hourMs + Math.floor(at / 4) * 1_600,
  }))
  const amended = rows.map((row, at) => (at % 4 === 0 ? row : { ...row, amendedAtMs: row.publishedAtMs + at }))
  answers.set('A HOUR 11-19T12:00', { ok: true, value: amended })
  await catchUp.fetchAround({ id: 'A', resolution: 'PER_200MS' }, hourMs)
  expect(caughtUp.flatMap(({ publications }) => publications)).toEqual(amended)
  expect(caughtUp.map(({ publications }) => publications.length)).toEqual([4_000, 4_000, 1_000])
  expect(recorded).toEqual(['A', 'A', 'A'])
  const ends = caughtUp.map(({ fromMs, toMs }) => [fromMs, toMs])
  expect(ends.map(([from]) => from)).toEqual([hourMs, (ends[0]?.[1] ?? 0) + 1, (ends[1]?.[1] ?? 0) + 1])
  expect(ends.at(-1)?.[1]).toBe(hourMs + 3_600_000 - 1)
  for (const { publications, fromMs, toMs } of caughtUp)
    for (const { publishedAtMs } of publications) expect(publishedAtMs >= fromMs && publishedAtMs <= toMs).toBe(true)
})

describe('values around a past time, for the user', () => {
  const fast = { id: 'A', resolution: 'PER_200MS' } as const
  const daily = { id: 'B', resolution: 'DAILY' } as const
  const dayMs = 24 * hourMs

  test.each([
    ['within the last hour', fast, nowMs - hourMs / 2, 'A valuesPER_200MS'],
    ['yesterday', fast, nowMs - dayMs, 'A HOUR 11-19T12:00'],
    ['of a daily index, half a year ago', daily, nowMs - 180 * dayMs, 'B values'],
    ['of a daily index, two years ago', daily, nowMs - 720 * dayMs, 'B YEAR 01-01T00:00'],
  ])('are requested: %s', async (_, index, atMs, question) => {
    const { catchUp, asked, caughtUp, recorded } = start({ wanted: [] })
    expect(await catchUp.fetchAround(index, atMs)).toEqual({ ok: true, value: null })
    expect(asked).toEqual([question])
    expect(caughtUp.map(({ id, resolution }) => [id, resolution])).toEqual([[index.id, index.resolution]])
    expect(recorded).toEqual([index.id])
  })

  test('are not there: the user is told, and nothing is recorded', async () => {
    const { catchUp, answers, caughtUp, unknown } = start()
    answers.set('A HOUR 11-19T12:00', { ok: true, value: [] })
    expect(await catchUp.fetchAround(fast, nowMs - dayMs)).toMatchObject({ ok: false, problem: { code: 'noValues' } })
    answers.set('A HOUR 11-19T12:00', failure('badRequest'))
    expect(await catchUp.fetchAround(fast, nowMs - dayMs)).toEqual(failure('badRequest'))
    expect([caughtUp, unknown]).toEqual([[], []])
  })
})
