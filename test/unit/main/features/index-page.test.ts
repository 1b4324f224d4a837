import { expect, test } from 'vitest'
import { failure } from '../../../../core/model'
import { createIndexPage } from '../../../../main/features/index-page'
import { featureCore } from '../../../support/feature-core'

const hourMs = 3_600_000

test('offline, the chart of a daily index has gaps only where days are missing', async () => {
  const unreachable = () => Promise.resolve(failure('unreachable', 'The provider cannot be reached.'))
  const offline = { resolutionOf: () => undefined, rest: { index: unreachable, values: unreachable } }
  const connections = { connectionOf: () => offline, resolutionOf: () => 'DAILY' }
  const sources = { connections, quotes: { store: { get: () => undefined } } }
  const { chart } = createIndexPage(featureCore(), sources as unknown as Parameters<typeof createIndexPage>[1])
  expect((await chart.series('BRR', '1y')).gapAfterMs).toBeGreaterThan(24 * hourMs)
})
