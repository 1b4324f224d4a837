import { levelDraft, ruleView } from '../support/sample-alerts'
import { openAlertDialog, saved, sent } from './open-alert-dialog'
import { expect, test } from './window-page'

const risesTo = { condition: 'risesTo', level: '70000' } as const

test('hours are entered under More, refused with a reason, and shown by their rule', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened

  await test.step('an error of the hours is shown at them, and a crossing cannot fire as they begin', async () => {
    await dialog.getByLabel('Condition').selectOption('crosses')
    await level.fill('70000')
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('From').fill('22:00')
    await expect(dialog.getByLabel('Also fire')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByLabel('From')).toHaveAccessibleDescription('Enter both times, such as 15:30 and 16:15.')
    await dialog.getByLabel('To', { exact: true }).fill('6:00')
    await expect(dialog).toContainText('Runs past midnight; days are start days.')
    await dialog.getByLabel('Time zone').fill('Mars')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByLabel('Time zone')).toHaveAccessibleDescription(
      'Choose a time zone such as Europe/London.',
    )
    expect(fake.callsOf('createAlert')).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('hours are filled in under More', async () => {
    await page.setViewportSize({ width: 900, height: 600 })
    await page.getByRole('button', { name: 'New alert', exact: true }).click()
    await level.fill('70000')
    await dialog.getByText('More', { exact: true }).click()
    await expect(dialog).toContainText('Optional. Leave empty to fire at any time.')
    await expect(dialog.getByLabel('Mon')).toHaveCount(0)
    await dialog.getByLabel('From').fill('15:30')
    await dialog.getByLabel('To', { exact: true }).fill('16:15')
    await dialog.getByLabel('Time zone').fill('Europe/London')
    await dialog.getByLabel('Fri').uncheck()
    await dialog.getByLabel('Also fire when the hours begin, if already true').check()
    await expect(dialog.getByRole('group', { name: 'Hours' })).toContainText('The end is not included')
    await dialog.getByLabel('Also fire').scrollIntoViewIfNeeded()
    const hours = { days: ['mon', 'tue', 'wed', 'thu'], from: '15:30', to: '16:15', timeZone: 'Europe/London' } as const
    expect(await saved(opened)).toEqual(sent(risesTo, { hours: { ...hours, days: [...hours.days], alsoIfTrue: true } }))
    await expect(page.getByRole('group', { name: 'Message' })).toContainText(
      'BRTI rises to 70,000, Mon–Thu 15:30–16:15 London',
    )
  })
  await test.step('the table of rules shows the hours of a rule', async () => {
    const hours = { days: ['sat', 'sun'], from: '22:00', to: '06:00', timeZone: 'America/New_York' } as const
    const view = ruleView('r1', { ...levelDraft(), hours: { ...hours, days: [...hours.days] } })
    await page.setViewportSize({ width: 1280, height: 820 })
    await fake.push({ state: { alerts: [view] } })
    await expect(page.locator('[data-rule="r1"]')).toContainText('Sat, Sun 22:00–06:00 New York')
  })
})
