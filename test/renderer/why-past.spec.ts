import type { PastExplanation } from '../../core/alert-events'
import { toJson } from '../../protocol/json'
import { richSnapshot } from '../support/alert-commands'
import { faults } from '../support/faults'
import { ok, refused } from '../support/fake-desktop'
import { levelDraft } from '../support/sample-alerts'
import { sampleNowMs } from '../support/sample-now'
import { expect, openWindow, test } from './window-page'

const day = 86_400_000
const yesterdayMs = sampleNowMs - day
const rule = { ...levelDraft('60000.0'), id: 'r1', version: 1, createdAtMs: sampleNowMs - 3 * day }
const common = { phaseBefore: 'armed' as const, hasFired: false }
const evaluations = [
  { ...common, atMs: yesterdayMs, publishedAtMs: yesterdayMs, value: '60000.10', phaseAfter: 'disarmed' as const },
  {
    ...common,
    atMs: yesterdayMs - 1_000,
    publishedAtMs: yesterdayMs - 1_000,
    value: '59999.9',
    phaseAfter: 'armed' as const,
  },
].map((each, at) => ({ ...each, hasFired: at === 0, words: at === 0 ? 'Fired.' : 'Below the level.' }))
const judged: PastExplanation = { kind: 'judged', rule, evaluations }

async function open(page: Parameters<typeof openWindow>[0]) {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  fake.handlers.explainAlert = () => ok(toJson([]))
  fake.handlers.explainAlertAt = () => ok(toJson(judged))
  await page
    .locator('tr[data-rule="r1"]')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: /^Why/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Why did it fire, or not?' })
  await expect(dialog).toContainText('Not evaluated since app start.')
  const ask = async (time: string) => {
    await dialog.getByLabel('At', { exact: true }).fill(time)
    await page.keyboard.press('Enter')
  }
  return { fake, dialog, ask }
}

test('the app explains for a past time why a rule fired or did not', { tag: '@deep' }, async ({ page }) => {
  const { fake, dialog, ask } = await open(page)
  await test.step('a past time gives the state of the rule then and the value that decided it', async () => {
    await ask('yesterday 16:00 London')
    await expect(dialog).toContainText('20 Nov 2026, 16:00:00.000')
    await expect(dialog).toContainText('The alert at that time: BRTI rises to 60,000.0.')
    const rows = dialog.getByRole('table').locator('tbody tr')
    await expect(rows.nth(0)).toContainText(/20 Nov 14:02:11\.600.*60,000\.10.*Fired\..*armed → waiting to re-arm/s)
    await expect(rows.nth(1)).toContainText('59,999.9')
    expect(fake.callsOf('explainAlertAt')).toEqual([{ ruleId: 'r1', atMs: Date.UTC(2026, 10, 20, 16) }])
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    // Without a time the explanation is about now again.
    await ask('')
    await expect(dialog).toContainText('Not evaluated since app start.')
  })
  await test.step('an unknown state is reported: before the first value, in a gap, in a damaged history', async () => {
    fake.handlers.explainAlertAt = () => ok(toJson({ kind: 'notYet' as const, sinceMs: yesterdayMs }))
    await ask('2026-11-01')
    await expect(dialog).toContainText(
      'The alert had received no value by then. Its first value was published 20 Nov 14:02:11.600.',
    )
    fake.handlers.explainAlertAt = ({ atMs }) =>
      ok(toJson({ ...judged, gap: { fromMs: atMs - 60_000, toMs: atMs + 60_000 } }))
    await ask('yesterday 15:00')
    await expect(dialog).toContainText('No data 20 Nov 14:59:00.000–20 Nov 15:01:00.000')
    fake.handlers.explainAlertAt = () => ok(toJson({ kind: 'lost' as const }))
    await ask('2026-11-02')
    await expect(dialog).toContainText('The history no longer has the values that this alert used.')
    fake.handlers.explainAlertAt = () => refused('unreadable', 'The history is damaged.')
    await ask('2026-11-03')
    await expect(dialog.getByText('This could not be loaded: The history is damaged.')).toBeVisible()
  })
})
