import type { Locator } from '@playwright/test'
import type { AlertDraft } from '../../core/alerts'
import { sampleOpened } from '../support/sample-opened'
import { sampleSnapshot } from '../support/sample-window'
import { openAlertDialog, saved, sent } from './open-alert-dialog'
import { expect, test } from './window-page'

type Step = readonly [label: string, value: string]

/** Fills in text fields and chooses options. */
async function fillIn(dialog: Locator, steps: readonly Step[]): Promise<void> {
  for (const [label, value] of steps) {
    const field = dialog.getByLabel(label, { exact: true })
    const isChoice = (await field.getByRole('option', { includeHidden: true }).count()) > 0
    await (isChoice ? field.selectOption(value) : field.fill(value))
  }
}

/** One condition for each kind of field. Unit tests of the draft cover every condition. */
const terms: readonly (readonly [steps: readonly Step[], terms: AlertDraft['terms'], index: string])[] = [
  [
    [
      ['Low end', '69,000'],
      ['High end', '70,000.50'],
    ],
    { condition: 'entersBand', low: '69000', high: '70000.50' },
    'BRTI',
  ],
  [
    [
      ['Change', '500'],
      ['Change, unit', 'points'],
      ['Direction', 'down'],
      ['Within', '2'],
      ['Within, unit', 'h'],
    ],
    { condition: 'moves', direction: 'down', amount: '500', unit: 'points', withinMs: 7_200_000 },
    'BRTI',
  ],
  [
    [
      ['For how long', 'own'],
      ['More than', '26'],
    ],
    { condition: 'noUpdate', afterMs: 93_600_000 },
    'BRR',
  ],
  [[['Missing after', '20']], { condition: 'fixed', graceMs: 1_200_000 }, 'BRR'],
  [
    [
      ['Drift in percentage points', '0.5'],
      ['Constituent', 'BTC'],
      ['Drift since', 'rebalance'],
    ],
    { condition: 'weightDrift', constituent: 'BTC', points: '0.5', base: 'rebalance' },
    'NCI',
  ],
  [
    [
      ['Share in percent', '10'],
      ['Constituent', 'BTC'],
      ['Exchange', 'Kraken'],
    ],
    { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'Kraken', sharePercent: '10' },
    'NCI',
  ],
]

test('each kind of field of a condition is saved exactly as chosen', async ({ page }) => {
  const opened = await openAlertDialog(page)
  for (const [steps, expected, indexId] of terms) {
    await test.step(expected.condition, async () => {
      await fillIn(opened.dialog, [['Index', indexId], ['Condition', expected.condition], ...steps])
      expect(await saved(opened)).toEqual(sent(expected, { indexId }))
      await page.getByRole('button', { name: 'New alert', exact: true }).click()
    })
  }
})

test('rarely used fields are under More, and each is saved', { tag: '@deep' }, async ({ page }) => {
  const opened = await openAlertDialog(page)
  await fillIn(opened.dialog, [
    ['Level', '70000'],
    ['Repeat', 'whileTrue'],
    ['Minutes between notifications', '20'],
    ['Hold', '60000'],
    ['Re-arm band', '5'],
  ])
  await expect(opened.dialog.getByLabel('Severity')).toBeHidden()
  await opened.dialog.getByText('More', { exact: true }).click()
  await fillIn(opened.dialog, [
    ['Severity', 'urgent'],
    ['Cooldown', '10'],
    ['Expires', '2026-12-24T16:00'],
    ['Note', 'Call the desk'],
    ['Group', 'Majors'],
    ['Webhook', 'https://hooks.example.com/a'],
  ])
  await expect(opened.dialog).toContainText('24 Dec 2026, 16:00:00.000, UTC')
  await expect(opened.dialog).toContainText('To hooks.example.com. Sends the event, never your key.')
  await opened.dialog.getByLabel('Count carried-forward values towards the hold').check()
  const level = { condition: 'risesTo', level: '70000', rearmBand: { size: '5', unit: 'basisPoints' } } as const
  expect(await saved(opened)).toEqual(
    sent(level, {
      repeat: { mode: 'whileTrue', everyMinutes: 20 },
      severity: 'urgent',
      holdMs: 60_000,
      countsRepeats: true,
      cooldownMs: 600_000,
      expiresAt: { atMs: Date.UTC(2026, 11, 24, 16), timeZone: 'UTC' },
      note: 'Call the desk',
      group: 'Majors',
      webhookUrl: 'https://hooks.example.com/a',
    }),
  )
})

test(
  'constituents and exchanges of the open index are offered, one of which must be chosen',
  { tag: '@deep' },
  async ({ page }) => {
    const snapshot = sampleSnapshot()
    snapshot.state.opened = sampleOpened('NCI')
    const opened = await openAlertDialog(page, { view: 'alerts', snapshot })
    const { dialog } = opened
    await fillIn(dialog, [
      ['Index', 'NCI'],
      ['Condition', 'exchangeShareAtOrBelow'],
      ['Share in percent', '20'],
    ])
    const constituent = dialog.getByLabel('Constituent')
    await expect(constituent.locator('option')).toHaveText(['a constituent', 'BTC', 'ETH', 'SOL', 'XRP', 'LINK'])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(constituent).toHaveAttribute('aria-invalid', 'true')
    await fillIn(dialog, [['Constituent', 'ETH']])
    await expect(dialog.getByLabel('Exchange').locator('option')).toHaveText([
      'an exchange',
      'Coinbase',
      'Kraken',
      'Bitstamp',
    ])
    await fillIn(dialog, [['Exchange', 'Kraken']])
    const share = {
      condition: 'exchangeShareAtOrBelow',
      constituent: 'ETH',
      exchange: 'Kraken',
      sharePercent: '20',
    } as const
    expect(await saved(opened)).toEqual(sent(share, { indexId: 'NCI' }))
  },
)
