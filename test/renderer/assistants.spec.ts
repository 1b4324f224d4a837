import type { ServiceTools } from '../../protocol/desktop'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('the tools are listed as the service describes them; without any, and before it was asked, the page says so', async ({
  page,
}) => {
  const snapshot = sampleSnapshot()
  delete snapshot.state.tools
  const fake = await openWindow(page, { view: 'assistants', snapshot })

  await test.step('before the service was asked the page claims nothing', async () => {
    await expect(page.getByText('not been requested yet')).toBeVisible()
  })
  await test.step('the tools are listed as the service describes them, and the page says that they are not run', async () => {
    const { tools } = sampleSnapshot().state
    if (tools === undefined) throw new Error('the sample has no tools')
    await fake.push({ state: { tools } })
    await expect(page.getByRole('term')).toHaveText([
      'get_historical_results',
      'get_index_info',
      'get_supplies',
      'get_asset_metadata',
      'get_factors_data',
    ])
    await expect(page.getByRole('definition').nth(1)).toHaveText(/calculated\.\s+Answers with its methodology\./)
    await expect(page.getByText('does not run them')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Tools of the service · 5' })).toBeVisible()
  })
  await test.step('without tools the page says why', async () => {
    for (const [tools, sentence] of [
      [{ state: 'notOffered' }, 'This connection has no tools.'],
      [{ state: 'unreachable', message: 'The MCP address did not answer within 10 s.' }, 'did not answer within 10 s'],
      [{ state: 'listed', tools: [] }, 'The service lists no tools.'],
    ] satisfies [ServiceTools, string][]) {
      await expect(page.getByText(sentence)).toHaveCount(0)
      await fake.push({ state: { tools } })
      await expect(page.getByText(sentence)).toBeVisible()
      await expect(page.getByRole('term')).toHaveCount(0)
    }
  })
})
