/** What rules say of themselves in the running app, in its window and in the tray. */
import type { AppBench } from '../support/app-bench'
import type { AlertDraft } from '../../core/alerts'
import { expect, test } from '../support/app-test'
import { serveCatalogue } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import { levelDraft, wholeDay } from '../support/sample-alerts'

const noData = /no data since (\d+ \w+ )?\d\d:\d\d/

async function trayLabels(bench: AppBench): Promise<string[]> {
  return (await bench.peer.trayMenu()).map(({ label }) => label)
}

/** What NCI is made of. */
function sendConstituents(service: ScriptedService, names: readonly string[]): void {
  const constituents = names.map((constituent) => ({ constituent, value: '1.00', weightPercent: '50' }))
  service.send({ type: 'constituents', time: Date.now(), id: 'NCI', value: '100.00', constituents })
}

test(
  'a rule says that it is unchecked, that it cannot fire, and since when it has no data, which the tray and the link count',
  { tag: '@deep' },
  async ({ bench, service, alerts }) => {
    serveCatalogue(service, [
      {
        id: 'NCI',
        name: 'Exchange-Family Crypto Index',
        decimals: 2,
        maxResolution: 'PER_SECOND',
        base: null,
        quote: null,
      },
    ])
    const run = await alerts.launch(bench)
    const { page } = run.watch
    await bench.peer.nextTrayItem()
    const row = page.locator('tr[data-rule]').first()

    await test.step('one of a constituent is unchecked, then checked, and cannot fire when the constituent leaves', async () => {
      service.sendValue('NCI', '100.00', Date.now())
      const weightOf = (constituent: string): AlertDraft => ({
        ...levelDraft('1', { indexId: 'NCI' }),
        terms: { condition: 'weightAtOrAbove', constituent, weightPercent: '60' },
      })
      const { id } = await run.make(weightOf('BTC'))
      await run.watch.open('Alerts')
      await expect(row).toContainText('unchecked')
      await expect.poll(() => service.commands).toContainEqual({ type: 'subscribe', stream: 'constituents', id: 'NCI' })
      sendConstituents(service, ['BTC', 'ETH'])
      await expect(row).not.toContainText('unchecked')
      expect(await run.watch.ask('createAlert', { draft: weightOf('BTCC'), whenAlreadyMet: 'wait' })).toEqual({
        ok: false,
        problem: { code: 'constituent', message: 'No BTCC in NCI. Did you mean BTC?' },
      })
      expect(bench.peer.unreadCount).toBe(0)
      sendConstituents(service, ['ETH', 'SOL'])
      expect((await bench.peer.nextNotification()).summary).toBe('NCI alert cannot fire: no BTC in NCI')
      await expect(row).toContainText('cannot fire · no BTC in NCI')
      sendConstituents(service, ['ETH', 'SOL', 'XRP'])
      service.sendValue('NCI', '101.00', Date.now())
      sendConstituents(service, ['BTC', 'ETH'])
      await expect(row).not.toContainText('cannot fire')
      expect(bench.peer.unreadCount).toBe(0)
      await run.watch.ask('deleteAlert', { ruleId: id })
    })

    const back =
      await test.step('with the service gone they have no data, and say since when, until it is back', async () => {
        // Of now: an older value would be stale.
        const now = () => Math.floor(Date.now() / 1_000) * 1_000
        service.sendValue('BRTI', '100.00', now())
        await expect.poll(async () => (await run.watch.snapshot()).quotes.map(({ id }) => id)).toContain('BRTI')
        await run.make(levelDraft('110'))
        await run.make(levelDraft('120'))
        const link = page.getByRole('link', { name: 'Alerts', exact: true })
        const { port } = service
        await service.stop()
        await expect(row).toContainText(noData)
        await expect(row).toContainText(/10\.00 .*as of/)
        await expect(link).toHaveAccessibleDescription(/(^| )2 alerts have no data$/)
        await expect.poll(() => trayLabels(bench)).toContain('2 alerts have no data')
        expect(await bench.peer.trayTooltip()).toContain('\n2 alerts have no data\n')
        const back = await ScriptedService.start({ port })
        serveCatalogue(back)
        await run.watch.expectState('Live')
        back.sendValue('BRTI', '101.00', now())
        await expect(row).toContainText('armed')
        await expect(row).not.toContainText('as of')
        await expect(link).not.toHaveAccessibleDescription(/no data/)
        await expect.poll(() => trayLabels(bench)).not.toContain('2 alerts have no data')
        return back
      })

    await test.step('over the night they have no data since the close, a silence outside its hours is none, and the opening counts against the close', async () => {
      const second = 1_000
      const nightMs = 16 * 3_600 * second
      const silent = (afterMs: number): AlertDraft => ({ ...levelDraft(), terms: { condition: 'noUpdate', afterMs } })
      const closedAtMs = Math.floor(Date.now() / second) * second
      back.sendValue('BRTI', '102.00', closedAtMs)
      await expect
        .poll(async () => (await run.watch.snapshot()).quotes.map(({ publishedAtMs }) => publishedAtMs))
        .toContain(closedAtMs)
      await run.make({ ...silent(second + 1), hours: wholeDay(Date.now(), 3) })
      const { id } = await run.make(silent(second + 2))
      // Whoever finds this silence has found the other one due.
      expect((await bench.peer.nextNotification()).summary).toMatch(/^BRTI no update since /)
      await run.watch.ask('deleteAlert', { ruleId: id })
      await run.running.app.evaluate((_electron, ms) => {
        const wallMs = Date.now.bind(Date)
        Date.now = () => wallMs() + ms
      }, nightMs)
      const closedAt = new Date(closedAtMs).toISOString().slice(11, 19)
      const sinceTheClose = new RegExp(`no data since (\\d+ \\w+ )?${closedAt.slice(0, 5)}`)
      const rowOf = (level: number) => page.locator('tr[data-rule]').filter({ hasText: `to ${level}` })
      for (const level of [110, 120]) await expect(rowOf(level)).toContainText(sinceTheClose)
      const openedAtMs = Math.floor(Date.now() / second) * second + nightMs
      back.sendValue('BRTI', '115.00', openedAtMs)
      const openedAt = new Date(openedAtMs).toISOString().slice(11, 19)
      expect((await bench.peer.nextNotification()).summary).toMatch(
        new RegExp(
          `^BRTI rose to 115\\.00 \\(level 110\\), crossed in a gap between (\\d+ \\w+ )?${closedAt}\\.000 and ${openedAt}\\.000$`,
        ),
      )
      await expect(rowOf(120)).toContainText('armed')
      const fired = (await run.inbox()).filter(({ kind }) => kind === 'fired')
      expect(fired).toMatchObject([
        {
          terms: { level: '110' },
          inputs: { value: '115.00', previous: { value: '102.00', publishedAtMs: closedAtMs } },
        },
        { ruleId: id },
      ])
      expect(bench.peer.unreadCount).toBe(0)
      await back.stop()
    })
  },
)
