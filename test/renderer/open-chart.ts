import type { Locator, Page } from '@playwright/test'
import type { ChartPoint, ChartSeries } from '../../protocol/responses'
import { ok, type FakeDesktop } from '../support/fake-desktop'
import { chartAnswer, sampleSeries } from '../support/sample-chart'
import { openByKey } from './open-index'
import { openWindow, type OpenOptions } from './window-page'

export const chartOf = (page: Page, id = 'BRTI'): Locator => page.getByRole('group', { name: `Chart of ${id}` })

/** The slider with which keys read the values. */
export const readerOf = (page: Page, id = 'BRTI'): Locator => page.getByRole('slider', { name: `Chart of ${id} over` })

export interface ChartOptions extends OpenOptions {
  points?: ChartPoint[]
  more?: Partial<Pick<ChartSeries, 'gapAfterMs' | 'problem'>>
}

/** Opens BRTI with a chart of one hour, or of the given points. */
export async function openChart(
  page: Page,
  { points = sampleSeries(), more = {}, ...options }: ChartOptions = {},
): Promise<FakeDesktop> {
  const fake = await openWindow(page, options)
  fake.handlers.getChart = chartAnswer(points, more)
  fake.handlers.setAlertLevel = async ({ ruleId, level }) => {
    const alerts = fake.snapshot.state.alerts.map((rule) =>
      rule.id === ruleId && 'level' in rule.terms ? { ...rule, terms: { ...rule.terms, level } } : rule,
    )
    const moved = alerts.find(({ id }) => id === ruleId)
    if (moved === undefined) throw new Error('no such rule')
    await fake.push({ state: { alerts } })
    return ok(moved)
  }
  await openByKey(page, 'BRTI')
  return fake
}
