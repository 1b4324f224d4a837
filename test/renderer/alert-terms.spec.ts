import type { Locator } from '@playwright/test'
import type { AlertDraft } from '../../core/alerts'
import { sampleOpened } from '../support/sample-opened'
import { sampleSnapshot } from '../support/sample-window'
import { openAlertDialog, saved, sent } from './open-alert-dialog'
import { expect, test } from './window-page'

type Step = readonly [label: string, value: string]

/** Fields and choices alike. */
async function fillIn(dialog: Locator, steps: readonly Step[]): Promise<void> {
  for (const [label, value] of steps) {
    const field = dialog.getByLabel(label, { exact: true })
    const isChoice = (await field.getByRole('option', { includeHidden: true }).count()) > 0
    await (isChoice ? field.selectOption(value) : field.fill(value))
  }
}

const terms: readonly (readonly [
  condition: string,
  steps: readonly Step[],
  terms: AlertDraft['terms'],
  index?: string,
])[] = [
  ['risesTo', [['Level', '70,000.0']], { condition: 'risesTo', level: '70000.0' }],
  ['fallsTo', [['Level', '60000']], { condition: 'fallsTo', level: '60000' }],
  ['crosses', [['Level', '68000']], { condition: 'crosses', level: '68000' }],
  ['isAbove', [['Level', '70000']], { condition: 'isAbove', level: '70000' }],
  ['isBelow', [['Level', '60000']], { condition: 'isBelow', level: '60000' }],
  [
    'entersBand',
    [
      ['Low end', '69,000'],
      ['High end', '70,000.50'],
    ],
    { condition: 'entersBand', low: '69000', high: '70000.50' },
  ],
  [
    'leavesBand',
    [
      ['Low end', '60000'],
      ['High end', '70000'],
    ],
    { condition: 'leavesBand', low: '60000', high: '70000' },
  ],
  ['moves', [], { condition: 'moves', direction: 'either', amount: '3', unit: 'percent', withinMs: 900_000 }],
  [
    'moves',
    [
      ['Change', '500'],
      ['Change, unit', 'points'],
      ['Direction', 'down'],
      ['Within', '2'],
      ['Within, unit', 'h'],
    ],
    { condition: 'moves', direction: 'down', amount: '500', unit: 'points', withinMs: 7_200_000 },
  ],
  ['noUpdate', [], { condition: 'noUpdate' }],
  [
    'noUpdate',
    [
      ['For how long', 'own'],
      ['More than', '26'],
    ],
    { condition: 'noUpdate', afterMs: 93_600_000 },
    'BRR',
  ],
  ['carriedOver', [], { condition: 'carriedOver' }, 'APT_SRR'],
  ['fixed', [['Missing after', '20']], { condition: 'fixed', graceMs: 1_200_000 }, 'BRR'],
  ['amended', [], { condition: 'amended' }],
  ['corporateAction', [], { condition: 'corporateAction' }, 'TSLAXUSD_RTI'],
  ['constituentsChanged', [], { condition: 'constituentsChanged' }, 'NCI'],
  ['divisorChanged', [], { condition: 'divisorChanged' }, 'NCI'],
  [
    'weightAtOrAbove',
    [
      ['Weight in percent', '60'],
      ['Constituent', 'BTC'],
    ],
    { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' },
    'NCI',
  ],
  [
    'weightAtOrBelow',
    [
      ['Weight in percent', '5.5'],
      ['Constituent', 'ETH'],
    ],
    { condition: 'weightAtOrBelow', constituent: 'ETH', weightPercent: '5.5' },
    'NCI',
  ],
  ['weightDrift', [], { condition: 'weightDrift', points: '2', base: 'made' }, 'NCI'],
  [
    'weightDrift',
    [
      ['Drift in percentage points', '0.5'],
      ['Constituent', 'BTC'],
      ['Drift since', 'rebalance'],
    ],
    { condition: 'weightDrift', constituent: 'BTC', points: '0.5', base: 'rebalance' },
    'NCI',
  ],
  [
    'exchangeShareAtOrBelow',
    [
      ['Share in percent', '10'],
      ['Constituent', 'BTC'],
      ['Exchange', 'Kraken'],
    ],
    { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'Kraken', sharePercent: '10' },
    'NCI',
  ],
  ['continuity', [], { condition: 'continuity', tolerancePercent: '0.5' }, 'NCI'],
  ['spreadAtOrAbove', [], { condition: 'spreadAtOrAbove', spreadBps: '10' }],
  [
    'spreadAtOrAbove',
    [
      ['Bid–ask spread in basis points', '7.50'],
      ['Re-arm band', 'own'],
      ['Size of the band', '1.5'],
    ],
    { condition: 'spreadAtOrAbove', spreadBps: '7.50', rearmBand: { size: '1.5', unit: 'points' } },
  ],
  ['depthAtOrBelow', [['Utilized depth', '50']], { condition: 'depthAtOrBelow', depth: '50' }],
]

for (const kind of ['BRTI', 'NCI', 'another index']) {
  const ofKind = terms.filter(
    ([, , , indexId = 'BRTI']) => (['BRTI', 'NCI'].includes(indexId) ? indexId : 'another index') === kind,
  )
  test(`each condition of ${kind} is saved exactly as chosen`, async ({ page }) => {
    const opened = await openAlertDialog(page)
    for (const [condition, steps, expected, indexId = 'BRTI'] of ofKind) {
      await test.step(`${condition}${steps.map(([, value]) => ` ${value}`).join('')}`, async () => {
        await fillIn(opened.dialog, [['Index', indexId], ['Condition', condition], ...steps])
        expect(await saved(opened)).toEqual(sent(expected, { indexId }))
        await page.getByRole('button', { name: 'New alert', exact: true }).click()
      })
    }
  })
}

test('repeats, holds and bands are said with their numbers, and what is seldom needed is under More', async ({
  page,
}) => {
  const opened = await openAlertDialog(page)

  await test.step('repeats, holds and bands are said with their numbers', async () => {
    await fillIn(opened.dialog, [
      ['Level', '70000'],
      ['Repeat', 'daily'],
      ['Notifications a day', '5'],
      ['Hold', 'own'],
      ['Hold for', '90'],
      ['Hold for, unit', 's'],
      ['Re-arm band', 'own'],
      ['Size of the band', '12.50'],
    ])
    const level = { condition: 'risesTo', level: '70000', rearmBand: { size: '12.50', unit: 'points' } } as const
    expect(await saved(opened)).toEqual(sent(level, { repeat: { mode: 'daily', max: 5 }, holdMs: 90_000 }))
    await page.getByRole('button', { name: 'New alert', exact: true }).click()
  })
  await test.step('what is seldom needed is under More', async () => {
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
    await expect(opened.dialog).toContainText('24 Dec 2026, 16:00:00.000, UTC (UTC+0)')
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
})

test('an end is in the time zone the user reads times in, and of the open index the parts are offered', async ({
  page,
}) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.timeZone = 'Asia/Tokyo'
  snapshot.state.opened = sampleOpened('NCI')
  const opened = await openAlertDialog(page, { view: 'alerts', snapshot })

  await test.step('an end is in the time zone the user reads times in', async () => {
    await opened.level.fill('70000')
    await opened.dialog.getByText('More', { exact: true }).click()
    await expect(opened.dialog).toContainText('Optional. Asia/Tokyo time.')
    await opened.dialog.getByLabel('Expires').fill('24 Dec 2026 16:00')
    await expect(opened.dialog).toContainText('24 Dec 2026, 16:00:00.000, Asia/Tokyo (UTC+9)')
    const level = { condition: 'risesTo', level: '70000' } as const
    const expiresAt = { atMs: Date.UTC(2026, 11, 24, 7), timeZone: 'Asia/Tokyo' }
    expect(await saved(opened)).toEqual(sent(level, { expiresAt }))
    await page.getByRole('button', { name: 'New alert', exact: true }).click()
  })
  await test.step('constituents and exchanges of the open index are offered, and one has to be chosen', async () => {
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
  })
})
