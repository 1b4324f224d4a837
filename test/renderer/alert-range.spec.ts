import type { RangeTest } from '../../core/alert-events'
import type { CommandArguments } from '../../protocol/commands/contract'
import { faults } from '../support/faults'
import { cancellable, ok, refused } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-now'
import { openAgain, openAlertDialog, saved, sent, type OpenDialog } from './open-alert-dialog'
import { expect, test } from './window-page'

const hour = 3_600_000

function rangeTest(fromMs: number, toMs: number, more: Partial<RangeTest> = {}): RangeTest {
  const at = (share: number) => fromMs + share * (toMs - fromMs)
  return {
    fromMs,
    toMs,
    valueCount: 1_234_567,
    fires: [
      { publishedAtMs: at(0.2), value: '68500.000' },
      { publishedAtMs: at(0.7), value: '68512.34' },
    ],
    notKnown: [{ fromMs: at(0.4), toMs: at(0.5) }],
    series: [0, 0.1, 0.2, 0.4, 0.5, 0.7, 1].map((share) => ({
      publishedAtMs: at(share),
      value: share === 0.2 || share === 0.7 ? '68512.34' : '67000.10',
    })),
    ...more,
  }
}

const range = ({ dialog }: OpenDialog) => dialog.getByLabel('Tested on')
const asked = ({ fake }: OpenDialog) => fake.callsOf('testAlert') as CommandArguments<'testAlert'>[]

/** Opens the dialog with a level. Tests are answered at once. */
async function open(page: Parameters<typeof openAlertDialog>[0]): Promise<OpenDialog> {
  const opened = await openAlertDialog(page)
  opened.fake.handlers.testAlert = ({ fromMs, toMs }) => ok(rangeTest(fromMs, toMs))
  opened.fake.handlers.getAlertTestProgress = () => ok(null)
  opened.fake.handlers.cancelAlertTest = () => ok(null)
  await opened.level.fill('68500')
  return opened
}

test('a draft is tested on any range of the history, with a summary and a list', { tag: '@deep' }, async ({ page }) => {
  const opened = await open(page)
  const { dialog, fake } = opened
  const handlers = { ...fake.handlers }
  /** Resets the level and the test. */
  const again = async () => {
    await openAgain(page, opened, handlers)
    await opened.level.fill('68500')
  }

  await test.step('axe finds nothing in the dialog with a range and its firings', async () => {
    await range(opened).selectOption('a range…')
    await opened.dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await opened.dialog.getByText('Times and values').click()
    await expect(opened.dialog.getByRole('table')).toBeVisible()
    await page.setViewportSize({ width: 900, height: 600 })
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.setViewportSize({ width: 1280, height: 820 })
  })
  await test.step('any range is typed in the displayed time zone, and Enter tests it without saving', async () => {
    await again()
    await range(opened).selectOption('a range…')
    await dialog.getByRole('textbox', { name: 'From' }).fill('2026-11-20 16:00 London')
    await dialog.getByLabel('To, not included').fill('20 Nov 15:00')
    await dialog.getByRole('textbox', { name: 'From' }).press('Enter')
    await expect(dialog.getByText('The range ends before it begins. Choose an end after its start.')).toBeVisible()
    expect(asked(opened)).toEqual([])
    await dialog.getByLabel('To, not included').fill('20 Nov 17:30')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByRole('status')).toContainText(
      'Would have fired twice from 20 Nov 2026 16:00 to 20 Nov 2026 17:30',
    )
    await expect(dialog.getByText('The range ends')).toHaveCount(0)
    expect(asked(opened)).toMatchObject([{ fromMs: Date.UTC(2026, 10, 20, 16), toMs: Date.UTC(2026, 10, 20, 17, 30) }])
    expect(fake.callsOf('createAlert')).toEqual([])
  })
  await test.step('too many firings, no firing and a problem are reported', async () => {
    await again()
    const fires = Array.from({ length: 1_000 }, (_, at) => ({
      publishedAtMs: sampleNowMs - 2_000_000 + at,
      value: '1',
    }))
    fake.handlers.testAlert = ({ fromMs }) => ok(rangeTest(fromMs, sampleNowMs - 1_999_000, { fires }))
    await range(opened).selectOption('the last 24 hours')
    await expect(dialog.getByRole('status')).toContainText(/at least 1,000 times .*\. Later values were not tested\./)
    fake.handlers.testAlert = ({ fromMs, toMs }) => {
      return ok(rangeTest(fromMs, toMs, { fires: [], valueCount: 0, series: [], notKnown: [{ fromMs, toMs }] }))
    }
    await range(opened).selectOption('the last 7 days')
    await expect(dialog.getByRole('status')).toContainText('The history has no values of BRTI since 14 Nov 2026')
    fake.handlers.testAlert = () => refused('unreadable', 'The history is damaged. Start Indexwatch to restore it.')
    await range(opened).selectOption('the last 30 days')
    await expect(dialog.getByRole('status')).toHaveText('The history is damaged. Start Indexwatch to restore it.')
  })
  await test.step('a draft is tested on the history, with a summary, its gaps, and a list of firings', async () => {
    await again()
    await range(opened).selectOption('the last 7 days')
    await expect(dialog.getByRole('status')).toContainText(/Would have fired twice since 14 Nov 2026 14:02, last at/)
    await expect(dialog).toContainText('No data 17 Nov 2026 09:14–18 Nov 2026 02:02.')
    const [first] = asked(opened)
    expect(first).toMatchObject({ draft: { terms: { level: '68500' } } })
    expect((first?.toMs ?? 0) - (first?.fromMs ?? 0)).toBe(168 * hour)
    await dialog.getByText('Times and values').click()
    const rows = dialog.getByRole('table', { name: 'Firings, newest first' }).locator('tbody tr')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('68,512.34')
    await expect(rows.nth(1)).toContainText('68,500.000')
    // A changed draft is a new test.
    await opened.level.fill('68600')
    await expect.poll(() => asked(opened).at(-1)).toMatchObject({ draft: { terms: { level: '68600' } } })
    expect(await saved(opened)).toEqual(sent({ condition: 'risesTo', level: '68600' }))
  })
  await test.step('a long test shows its progress, and its button or closing the dialog cancels it', async () => {
    await again()
    const test = cancellable()
    fake.handlers.testAlert = test.run
    fake.handlers.getAlertTestProgress = () => ok({ valueCount: 3_200_000, fraction: 0.417 })
    fake.handlers.cancelAlertTest = test.cancel
    await range(opened).selectOption('the last 90 days')
    await expect(dialog).toContainText('41 %, 3,200,000 values')
    await dialog.getByRole('button', { name: 'Cancel test' }).click()
    await expect(dialog.getByRole('status')).toHaveText('The test was cancelled.')
    await range(opened).selectOption('the last 30 days')
    await expect(dialog.getByRole('progressbar', { name: 'Test' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect.poll(() => fake.callsOf('cancelAlertTest')).toHaveLength(2)
  })
})
