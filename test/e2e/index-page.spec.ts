import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { goldenText } from '../support/golden'
import { addressOf } from '../support/scripted-rest'
import { successBody, type ScriptedService } from '../support/scripted-service'

// The wire samples of test/golden, sent by a service that knows nothing of this app.
const indices = [
  {
    id: 'NCI',
    name: 'Nasdaq Crypto Index',
    decimals: 2,
    quote: 'USD',
    demiseDateTime: null,
    maxResolution: 'PER_SECOND',
  },
  { id: 'BRR', name: 'Bitcoin Reference Rate', decimals: 2, demiseDateTime: null, maxResolution: 'DAILY' },
]

const asked = (service: ScriptedService) =>
  service.commands.map((command) => Object.values(command as object).join(' '))

test(
  'an open index shows all that its service sends of it until it is closed, and without the service what it showed last',
  { tag: '@deep' },
  async ({ bench, service }) => {
    service.routes.set('indices', { body: successBody(indices) })
    service.routes.set('indices/NCI/detail', { body: goldenText('rest-detail.json') })
    service.routes.set('summary?id=NCI', { body: goldenText('rest-summary.json') })
    service.routes.set('/mcp', { status: 404 })
    const running = await bench.launch([], {
      ...connectionVariables(addressOf(service)),
      INDEXWATCH_MCP_URL: `${service.restUrl}/mcp`,
    })
    const watch = await running.watch()
    await watch.expectState('Live')

    await test.step('the assistant tools are asked for where the environment says, and a failure is shown', async () => {
      await expect
        .poll(async () => (await watch.snapshot()).state.tools)
        .toEqual({
          state: 'unreachable',
          message: 'There are no assistant tools at this address (HTTP 404). Check it in Settings.',
        })
    })

    await test.step('a daily index is not asked for what only real-time ones have', async () => {
      await expect.poll(() => service.requests.map(({ path }) => path)).toContain('indices')
      await watch.row('BRR').dblclick()
      await expect.poll(() => asked(service)).toContain('subscribe constituents BRR')
      expect(asked(service).filter((command) => /corporate|rti_stats/.test(command))).toEqual([])
    })

    await test.step('constituents with exchange weights and divisor, reference data and corporate action', async () => {
      await watch.row('NCI').dblclick()
      await expect.poll(() => asked(service)).toContain('subscribe constituents NCI')
      await expect.poll(() => asked(service)).toContain('subscribe active_corporate_action NCI')
      service.send(goldenText('constituents-exchange-family.json'))
      service.send({
        type: 'active_corporate_action',
        time: Date.now() - 1_000,
        id: 'NCI',
        action: { state: 'PENDING' },
      })
      await expect(watch.page.getByRole('table', { name: 'Constituents of NCI' })).toContainText('35.0013')
      await expect(watch.page.getByText('203,484,212.3109')).toBeVisible()
      const opened = async () => (await watch.snapshot()).state.opened
      await expect.poll(opened).toMatchObject({
        id: 'NCI',
        detail: { name: 'Nasdaq Crypto Index' },
        summary: { value: '79767.41' },
        corporateAction: { facts: [{ name: 'state', text: 'PENDING' }] },
        problems: [],
      })
      expect((await opened())?.constituents?.constituents[0]?.exchanges).toEqual([
        { exchange: 'Coinbase', weightPercent: '61.35' },
        { exchange: 'Kraken', weightPercent: '38.65' },
      ])
    })

    await test.step('closing it leaves its channels, keeps the row, and the page knows that none is open', async () => {
      await watch.page.getByRole('button', { name: 'Close NCI' }).click()
      await expect.poll(() => asked(service)).toContain('unsubscribe constituents NCI')
      expect(asked(service)).not.toContain('unsubscribe value NCI')
      await expect(watch.page.getByRole('button', { name: 'Close NCI' })).toHaveCount(0)
      expect((await watch.snapshot()).state.opened).toBeUndefined()
      service.sendValue('NCI', '2834.10', Date.now() - 2_400_000)
      service.sendValue('NCI', '2835.56', Date.now())
      await watch.expectValue('NCI', '2835.56', '2,835.56')
    })
    expect(running.pageErrors).toEqual([])
    await running.quit()
    await service.stop()

    await test.step('without the service an index page shows what it showed last, each part with its time', async () => {
      const again = await (await bench.launch([], connectionVariables(addressOf(service)))).watch()
      await expect(again.row('NCI').getByRole('img', { name: 'Since 00:00 UTC: rising' })).toBeVisible()
      await again.row('NCI').dblclick()
      const table = again.page.getByRole('table', { name: 'Constituents of NCI' })
      await expect(table).toContainText('35.0013')
      await expect(again.page.getByText('Last calculated')).toBeVisible()
      await again.page.getByRole('tab', { name: 'Reference data' }).click()
      const panel = again.page.getByRole('tabpanel')
      await expect(panel).toContainText(/As of .*, from this computer’s history/)
      await expect(panel).toContainText('Nasdaq Crypto Index')
    })
  },
)
