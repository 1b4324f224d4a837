import { levelDraft } from '../support/sample-alerts'
import { fromJson } from '../../protocol/json'
import type { ChartPoint, ChartRange, ChartSeries } from '../../protocol/responses'
import type { SummaryPayload, ValuePayload } from '../../protocol/rest'
import { addressOf } from '../../simulator/address'
import type { Simulator } from '../../simulator/server'
import { expect, test } from '../support/app-test'
import type { WatchPage } from '../support/watch-page'

// What the window is sent of the past of an index, against what the service itself answers.

async function chartOf(watch: WatchPage, indexId: string, range: ChartRange): Promise<ChartSeries> {
  const outcome = await watch.ask('getChart', { indexId, range })
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return fromJson(outcome.value)
}

async function askService<T>(simulator: Simulator, path: string): Promise<T> {
  const authorization = `Basic ${btoa(`${simulator.keyId}:${simulator.keySecret}`)}`
  const answer = await fetch(`${simulator.restUrl}/api/v1/${path}`, { headers: { authorization } })
  const { payload } = (await answer.json()) as { payload: T }
  return payload
}

const asPoint = ({ time, value, amendTime, repeatOfPreviousValue }: ValuePayload) => ({
  value,
  publishedAtMs: Number(time),
  ...(amendTime === undefined ? {} : { amendedAtMs: amendTime }),
  ...(repeatOfPreviousValue === undefined ? {} : { isRepeatOfPrevious: true }),
})

test(
  'the window is sent of the past what the service itself answers, every publication of the open index, and why there is none',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    const { watch } = await bench.launchLive(addressOf(simulator))
    expect(await watch.ask('openIndex', { indexId: 'BRTI' })).toMatchObject({ ok: true })
    // From here on only time passes, so that both say the same.
    simulator.holdMarket()

    await test.step('every range is what the service answers, to the last digit', async () => {
      const published = (await askService<ValuePayload[]>(simulator, 'values?id=BRTI')).map(asPoint)
      const hour = await chartOf(watch, 'BRTI', '1h')
      expect(hour.problem).toBeUndefined()
      expect(hour.points.length).toBeGreaterThan(3_500)
      expect(published.slice(-hour.points.length)).toEqual(hour.points)
      const { last24Hours } = await askService<SummaryPayload>(simulator, 'summary?id=BRTI')
      const day = await chartOf(watch, 'BRTI', '24h')
      expect(day.points.length).toBeGreaterThan(1_430)
      // The latest value, seldom on a full minute, comes last.
      const latestMs = published.at(-1)?.publishedAtMs
      const minutes = last24Hours.map(asPoint).filter(({ publishedAtMs }) => publishedAtMs !== latestMs)
      const isApart = ({ publishedAtMs }: ChartPoint) => publishedAtMs % 60_000 === 0 || publishedAtMs === latestMs
      const apart = day.points.filter(isApart)
      expect([...minutes, published.at(-1)].slice(-apart.length)).toEqual(apart)
      // What was amended in between is there as well.
      const between = day.points.filter((point) => !isApart(point))
      expect(between.filter(({ amendedAtMs }) => amendedAtMs === undefined)).toEqual([])
      expect(published).toEqual(expect.arrayContaining(between))
      const year = await chartOf(watch, 'BRR', '1y')
      const rates = (await askService<ValuePayload[]>(simulator, 'values?id=BRR')).map(asPoint)
      expect(year.points.length).toBeGreaterThan(360)
      expect(rates.slice(-year.points.length)).toEqual(year.points)
      const longest = await chartOf(watch, 'BRTI', '1y')
      expect(longest.problem).toContain('keeps 24 hours')
      const steps = longest.points.filter(({ amendedAtMs }) => amendedAtMs === undefined)
      // Of a year of which a day is known, as many as of a day.
      expect(steps.length).toBeGreaterThanOrEqual(1_400)
      expect(steps.length).toBeLessThanOrEqual(1_450)
      expect(await chartOf(watch, 'BRR', '1m')).toMatchObject({
        points: [],
        problem: expect.stringContaining('once a day: choose 1 y'),
      })
    })

    const listen = () =>
      watch.page.evaluate(() => {
        const page = globalThis as unknown as {
          heard: { indexId: string; point: { value: string } }[]
          indexwatch: { onUpdate: (listener: (update: string) => void) => void }
        }
        page.heard = []
        page.indexwatch.onUpdate((update) => {
          const { points = [] } = JSON.parse(update) as { points?: typeof page.heard }
          page.heard.push(...points)
        })
      })

    await test.step('the open page hears every publication, amendments of the past too, and no other index', async () => {
      await listen()
      const time = Math.floor(Date.now() / 1_000) * 1_000 + 1_000
      simulator.publish('NCI', { time, value: '1.10' })
      simulator.publish('BRTI', { time, value: '70000.10' })
      simulator.publish('BRTI', { time: time + 1_000, value: '70000.20' })
      simulator.publish('BRTI', { time, value: '70000.15', amendTime: time + 2_000 })
      const heard = () =>
        watch.page.evaluate(() => {
          const { heard: ticks } = globalThis as unknown as { heard: { indexId: string; point: object }[] }
          return ticks
        })
      await expect.poll(heard).toEqual(
        expect.arrayContaining([
          { indexId: 'BRTI', point: { value: '70000.10', publishedAtMs: time } },
          { indexId: 'BRTI', point: { value: '70000.20', publishedAtMs: time + 1_000 } },
          { indexId: 'BRTI', point: { value: '70000.15', publishedAtMs: time, amendedAtMs: time + 2_000 } },
        ]),
      )
      expect((await heard()).filter(({ indexId }) => indexId !== 'BRTI')).toEqual([])
      const { points } = await chartOf(watch, 'BRTI', '1m')
      expect(points.slice(-2)).toEqual([
        { value: '70000.15', publishedAtMs: time, amendedAtMs: time + 2_000 },
        { value: '70000.20', publishedAtMs: time + 1_000 },
      ])
    })

    await test.step('what is compared is heard without a page or a list, and no longer afterwards', async () => {
      const heard = (id: string) =>
        watch.page.evaluate((wanted) => {
          const { heard: ticks } = globalThis as unknown as { heard: { indexId: string; point: { value: string } }[] }
          return ticks.filter(({ indexId }) => indexId === wanted).map(({ point }) => point.value)
        }, id)
      expect(await watch.ask('followIndices', { indexIds: ['UNIUSD_RTI'] })).toEqual({ ok: true, value: null })
      await expect.poll(() => heard('UNIUSD_RTI')).toHaveLength(1)
      expect(await watch.ask('followIndices', { indexIds: [] })).toEqual({ ok: true, value: null })
      const time = Math.floor(Date.now() / 1_000) * 1_000 + 3_000
      simulator.publish('UNIUSD_RTI', { time, value: '1.25' })
      simulator.publish('BRTI', { time, value: '70000.30' })
      await expect.poll(() => heard('BRTI')).toContain('70000.30')
      expect(await heard('UNIUSD_RTI')).toHaveLength(1)

      // Nor after a page that had no time to say so.
      expect(await watch.ask('followIndices', { indexIds: ['UNIUSD_RTI'] })).toEqual({ ok: true, value: null })
      await watch.page.reload()
      await listen()
      simulator.publish('UNIUSD_RTI', { time: time + 1_000, value: '1.30' })
      simulator.publish('BRTI', { time: time + 1_000, value: '70000.35' })
      await expect.poll(() => heard('BRTI')).toContain('70000.35')
      expect(await heard('UNIUSD_RTI')).toEqual([])
    })

    await test.step('an alert is moved to another level', async () => {
      const level = '999999999.50'
      const made = await watch.ask('createAlert', {
        draft: levelDraft(level),
        whenAlreadyMet: 'wait',
      })
      if (!made.ok) throw new Error(made.problem.message)
      const ruleId = made.value.id
      expect(await watch.ask('setAlertLevel', { ruleId, level: '888888888.10' })).toMatchObject({
        ok: true,
        value: { id: ruleId, terms: { level: '888888888.10' }, phase: 'armed' },
      })
      expect(await watch.ask('setAlertLevel', { ruleId: 'gone', level: '1' })).toMatchObject({
        ok: false,
        problem: { code: 'unknownRule' },
      })
      await watch.open('Alerts')
      await expect(watch.page.getByText('888,888,888.10')).toBeVisible()
    })

    await test.step('latest values of indices that nobody watches are returned, and unknown ones are missing', async () => {
      const indexIds = ['DOTUSD_RTI', 'NO_SUCH_INDEX', 'APT_SRR']
      const answer = await watch.ask('getLatestValues', { indexIds })
      const { latest_values: latest } = await askService<{ latest_values: Record<string, ValuePayload> }>(
        simulator,
        'latest_values?id=DOTUSD_RTI,APT_SRR',
      )
      expect(answer).toEqual({
        ok: true,
        value: Object.entries(latest).map(([id, row]) => ({ id, publication: asPoint(row) })),
      })
      expect(await watch.ask('getLatestValues', { indexIds: ['NO_SUCH_INDEX'] })).toEqual({ ok: true, value: [] })
      simulator.revokeKey()
      expect(await watch.ask('getLatestValues', { indexIds: ['DOTUSD_RTI'] })).toMatchObject({
        ok: false,
        problem: { code: 'notAuthorised' },
      })
      // The chart still has what was received, and says why there is no more.
      expect(await chartOf(watch, 'DOTUSD_RTI', '1h')).toMatchObject({
        points: [],
        problem: expect.stringContaining('Not authorised'),
      })
    })
  },
)
