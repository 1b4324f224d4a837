/** What rules say of themselves in the running app, in its window and in the tray. */
import type { AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { tellCatalogue } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import { levelDraft } from '../support/sample-alerts'

const noData = /no data since (\d+ \w+ )?\d\d:\d\d/

async function trayLabels(bench: AppBench): Promise<string[]> {
  return (await bench.peer.trayMenu()).map(({ label }) => label)
}

test('with the service gone a rule reads no data and since when, the tray and the link say how many, until it is back', async ({
  bench,
  service,
  alerts,
}) => {
  const run = await alerts.launch(bench)
  await bench.peer.nextTrayItem()
  // Of now: an older value would be stale.
  const now = () => Math.floor(Date.now() / 1_000) * 1_000
  service.sendValue('BRTI', '100.00', now())
  await run.watch.expectValue('BRTI', '100.00', '100.00')
  await run.make(levelDraft('110'))
  await run.make(levelDraft('120'))
  await run.watch.open('Alerts')
  const { page } = run.watch
  const row = page.locator('tr[data-rule]').first()
  const link = page.getByRole('link', { name: 'Alerts', exact: true })
  const { port } = service
  await service.stop()
  await expect(row).toContainText(noData)
  await expect(row).toContainText(/10\.00 .*as of/)
  await expect(link).toHaveAccessibleDescription('2 rules have no data')
  await expect.poll(() => trayLabels(bench)).toContain('2 rules have no data')
  expect(await bench.peer.trayTooltip()).toContain('\n2 rules have no data\n')
  const back = await ScriptedService.start({ port })
  tellCatalogue(back)
  await run.watch.expectState('Live')
  back.sendValue('BRTI', '101.00', now())
  await expect(row).toContainText('armed')
  await expect(row).not.toContainText('as of')
  await expect(link).not.toHaveAccessibleDescription(/no data/)
  await expect.poll(() => trayLabels(bench)).not.toContain('2 rules have no data')
  await back.stop()
})
