import { expect, test } from 'vitest'
import { FormulaCharts } from '../../../../main/chart/formula-charts'
import type { ChartRest, ChartService } from '../../../../main/chart/chart-source'
import { failure, type Publication, type Resolution } from '../../../../core/model'

const id = 'BRTI \u2212 BRR'
const startMs = Date.UTC(2023, 10, 1, 12)
const at = (second: number, value: string): Publication => ({ value, publishedAtMs: startMs + second * 1_000 })

/** A service with these values of one index. */
function service(values: readonly Publication[], asked: unknown[] = []): ChartService {
  const rest: ChartRest = {
    index: () => Promise.resolve(failure('notFound', 'None.')),
    values: (of, maxResolution) => {
      asked.push([of, maxResolution])
      return Promise.resolve({ ok: true, value: [...values] })
    },
    summary: () => {
      const last = values.at(-1)
      if (last === undefined) return Promise.resolve(failure('notFound', 'None.'))
      return Promise.resolve({ ok: true, value: { ...last, last24Hours: values.slice(0, -1) } })
    },
  }
  return { rest }
}

function charts(services: Record<string, ChartService>, resolutions: Record<string, Resolution> = {}) {
  return new FormulaCharts({
    service: (of) => services[of],
    resolutionOf: (of) => resolutions[of] ?? 'PER_SECOND',
    decimalsOf: () => 2,
  })
}

test('a formula has the values of both parts, joined at each time of either', async () => {
  const services = { BRTI: service([at(0, '10'), at(1, '11'), at(2, '12')]), BRR: service([at(1, '4'), at(2, '5')]) }
  const found = charts(services).of(id)
  expect(await found?.rest?.values(id)).toEqual({ ok: true, value: [at(1, '7.00'), at(2, '7.00')] })
  expect(await found?.rest?.summary(id)).toMatchObject({ ok: true, value: { ...at(2, '7.00') } })
})

test('a daily part counts long before the day of the other begins', async () => {
  const services = { BRTI: service([at(0, '10'), at(60, '11')]), BRR: service([at(-80_000, '4')]) }
  const found = charts(services, { BRR: 'DAILY' }).of(id)
  expect(await found?.rest?.summary(id)).toMatchObject({ value: { last24Hours: [at(0, '6.00'), at(60, '7.00')] } })
})

test('a part that was silent beyond its limit leaves a gap', async () => {
  const services = { BRTI: service([at(0, '10'), at(71, '11')]), BRR: service([at(0, '4')]) }
  expect(await charts(services).of(id)?.rest?.values(id)).toEqual({ ok: true, value: [at(0, '6.00')] })
})

test('the chart of a mean has its seconds, also for the day', async () => {
  const found = charts({ BRTI: service([at(0, '1.00'), at(1, '1.01'), at(2, '1.05')]) }).of('mean(BRTI, 2)')
  const values = [at(1, '1.01'), at(2, '1.03')]
  expect(await found?.rest?.values('mean(BRTI, 2)')).toEqual({ ok: true, value: values })
  expect(await found?.rest?.summary('mean(BRTI, 2)')).toMatchObject({ ok: true, value: { last24Hours: values } })
})

test('200 ms are requested only of the part that has them', async () => {
  const asked: unknown[] = []
  const services: Record<string, ChartService> = { BRTI: service([], asked), BRR: service([], asked) }
  const all = charts(services, { BRTI: 'PER_200MS' })
  const found = all.of(id)
  await found?.rest?.values(id, 'PER_200MS')
  expect(asked).toEqual([
    ['BRTI', 'PER_200MS'],
    ['BRR', undefined],
  ])
  expect(all.of(id)).toBe(found)
  services['BRR'] = service([])
  expect(all.of(id)).not.toBe(found)
  delete services['BRR']
  expect(all.of(id)).toBeUndefined()
})
