import type { AlertDraft } from '../../core/alerts'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { levelDraft, listAlertWindow, ruleView } from '../support/sample-alerts'
import { openAgain, openAlertDialog, saved, sent } from './open-alert-dialog'
import { expect, openWindow, test } from './window-page'

test('an alert is entered, refused, corrected and saved, also with only the keyboard', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const again = () => openAgain(page, opened)

  await test.step('the suggested round level follows index and condition until the user types a level', async () => {
    await expect(level).toBeFocused()
    await expect(level).toHaveValue('68,500')
    await dialog.getByLabel('Condition').selectOption('fallsTo')
    await expect(level).toHaveValue('67,500')
    await dialog.getByLabel('Condition').selectOption('risesTo')
    await expect(level).toHaveValue('68,500')
    await dialog.getByLabel('Index').selectOption('SHIBUSD_RTI')
    await expect(level).toHaveValue('0.0000136')
    await level.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('0.00002')
    await dialog.getByLabel('Index').selectOption('ETHUSD_RTI')
    await expect(level).toHaveValue('0.00002')
  })
  await test.step('an alert is made as a sentence, saved with Enter, and undone', async () => {
    await again()
    await dialog.getByLabel('Index').selectOption('BRTI')
    await expect(dialog.getByLabel('Condition')).toHaveValue('risesTo')
    await expect(dialog.getByLabel('Repeat')).toHaveValue('once')
    await level.fill('68,500.00')
    await expect(dialog).toContainText('68,123.40: 376.60 away, 0.55 %')
    await level.press('Enter')
    await expect(dialog).toHaveCount(0)
    expect(fake.callsOf('createAlert')).toEqual([sent({ condition: 'risesTo', level: '68500.00' })])
    const toast = page.getByRole('group', { name: 'Message' })
    await expect(toast).toContainText('Alert saved: BRTI rises to 68,500.00')
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => fake.callsOf('deleteAlert')).toEqual([{ ruleId: 'r9' }])
  })
  await test.step('typing replaces the suggestion, digit for digit', async () => {
    await again()
    await expect(level).toBeFocused()
    await page.keyboard.type('70 000.000')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    expect(fake.callsOf('createAlert')).toEqual([sent({ condition: 'risesTo', level: '70000.000' })])
  })
  await test.step('a level of 0 is a level', async () => {
    await again()
    await dialog.getByLabel('Condition').selectOption('isBelow')
    await level.fill('0')
    expect(await saved(opened)).toEqual(sent({ condition: 'isBelow', level: '0' }))
  })
  await test.step('every field is reached with the keyboard, in the order of the sentence', async () => {
    await again()
    await dialog.getByLabel('Index').focus()
    const names: (string | null)[] = []
    for (let step = 0; step < 6; step++) {
      names.push(await page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')"))
      await page.keyboard.press('Tab')
    }
    expect(names).toEqual(['Index', 'Condition', 'Level', 'Repeat', 'Hold', 'Re-arm band'])
    await dialog.getByLabel('Condition').focus()
    await page.keyboard.type('falls')
    await dialog.getByLabel('Level').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('60000')
    await page.keyboard.press('Tab')
    await page.keyboard.type('every')
    const more = dialog.locator('summary')
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Severity')).toBeVisible()
    await dialog.getByLabel('Note').focus()
    await page.keyboard.type('Call the desk')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    const terms = { condition: 'fallsTo', level: '60000', rearmBand: { size: '5', unit: 'basisPoints' } } as const
    expect(fake.callsOf('createAlert')).toEqual([
      sent(terms, { repeat: { mode: 'everyCrossing' }, note: 'Call the desk' }),
    ])
  })
  await test.step('an error is shown at its field and nothing is saved', async () => {
    await again()
    const { createAlert } = fake.handlers
    fake.handlers.createAlert = () => refused('duplicate', 'There is such an alert on BRTI already.')
    for (const [typed, message] of [
      ['68,5', /Use a point for decimals: 68\.5\?/],
      ['much', /A level is a number/],
      ['', /Enter a level, such as 68,500\.00\./],
      ['1e200', /./],
      ['1'.repeat(200), /./],
    ] as const) {
      await level.fill(typed)
      await level.press('Enter')
      await expect(level).toHaveAccessibleDescription(message)
      await expect(level).toHaveAttribute('aria-invalid', 'true')
      await expect(level).toBeFocused()
    }
    expect(fake.callsOf('createAlert')).toEqual([])
    await level.fill('68500')
    await expect(level).toHaveAttribute('aria-invalid', 'false')
    await level.press('Enter')
    await expect(level).toHaveAccessibleDescription('There is such an alert on BRTI already.')
    await expect(level).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    if (createAlert) fake.handlers.createAlert = createAlert
  })
})

test('a half-written alert is kept when the dialog is left, until it is discarded or saved', async ({ page }) => {
  const { dialog, level } = await openAlertDialog(page)
  const note = dialog.getByLabel('Note')
  const restored = dialog.getByText('Draft restored.')
  const leave = async (how: () => Promise<void>) => {
    await how()
    await expect(dialog).toHaveCount(0)
  }
  const reopen = () => page.getByRole('button', { name: 'New alert', exact: true }).click()

  await test.step('a click beside it keeps what was typed, and New alert has it again', async () => {
    await dialog.locator('summary').click()
    await note.fill('Sell half')
    await leave(() => page.mouse.click(8, 812))
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Draft kept.')
    await reopen()
    await expect(restored).toBeVisible()
    await expect(page.getByRole('group', { name: 'Message' })).toHaveCount(0)
    await expect(note).toHaveValue('Sell half')
    await expect(level).toHaveValue('68,500')
    expect(await faults(page, { part: 'dialog' })).toEqual([])
  })
  await test.step('Escape keeps it too, and Discard empties the form for good', async () => {
    await leave(() => page.keyboard.press('Escape'))
    await reopen()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(restored).toHaveCount(0)
    await expect(level).toBeFocused()
    await expect(level).toHaveValue('68,500')
    await dialog.locator('summary').click()
    await expect(note).toHaveValue('')
    await leave(() => page.keyboard.press('Escape'))
    await reopen()
    await expect(restored).toHaveCount(0)
  })
  await test.step('Cancel keeps nothing, and an alert for another index begins empty', async () => {
    await level.fill('70000')
    await leave(() => dialog.getByRole('button', { name: 'Cancel' }).click())
    await reopen()
    await expect(restored).toHaveCount(0)
    await level.fill('71000')
    await leave(() => page.keyboard.press('Escape'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' }).click()
    await page.locator('[data-index="SOLUSD_RTI"]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^New alert/ }).click()
    await expect(dialog.getByLabel('Index')).toHaveValue('SOLUSD_RTI')
    await expect(restored).toHaveCount(0)
  })
})

test('a band is offered with its repeat, and errors are shown at their fields', { tag: '@deep' }, async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const again = () => openAgain(page, opened)

  await test.step('every crossing is offered with a band of 5 bp, which can be changed, once with none', async () => {
    await again()
    const [repeat, band] = [dialog.getByLabel('Repeat'), dialog.getByLabel('Re-arm band')]
    await expect(band).toHaveValue('off')
    for (const [mode, offered] of [
      ['everyCrossing', '5'],
      ['once', 'off'],
      ['daily', '5'],
      ['whileTrue', 'off'],
    ] as const) {
      await repeat.selectOption(mode)
      await expect(band).toHaveValue(offered)
    }
    await band.selectOption('10')
    await repeat.selectOption('everyCrossing')
    await expect(band).toHaveValue('10')
    await band.selectOption('off')
    await repeat.selectOption('daily')
    await expect(band).toHaveValue('off')
  })
  await test.step('an error of a field under More opens More and is shown there', async () => {
    await again()
    await level.fill('68500')
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Expires').fill('2020-01-01T10:00')
    await dialog.getByText('More', { exact: true }).click()
    await expect(dialog.getByLabel('Expires')).toBeHidden()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Expires')).toBeFocused()
    await expect(dialog.getByLabel('Expires')).toHaveAccessibleDescription(/has passed/)
    await dialog.getByLabel('Expires').fill('2030-01-01T10:00')
    await dialog.getByLabel('Webhook').fill('http://hooks.example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Webhook')).toHaveAccessibleDescription(/https:/)
    expect(fake.callsOf('createAlert')).toEqual([])
  })
  await test.step('an index that is not watched can be chosen, and its latest value is requested', async () => {
    await again()
    fake.handlers.getLatestValues = ({ indexIds }) => ({
      ok: true,
      value: indexIds.map((id) => ({ id, publication: { value: '17.4800', publishedAtMs: 0 } })),
    })
    const groups = dialog.getByLabel('Index').locator('optgroup')
    await expect(groups).toHaveCount(3)
    await expect(groups.nth(1).locator('option')).toHaveText(['BRRNY', 'LINKUSD_RTI', 'DOGEUSD_RTI', 'BVX'])
    await dialog.getByLabel('Index').selectOption('LINKUSD_RTI')
    await expect(level).toHaveValue('17.6')
    await expect(dialog).toContainText('17.4800:')
  })
  await test.step('an error found by the app is shown while typing', async () => {
    await again()
    fake.handlers.previewAlert = ({ draft }) => {
      const isKnown = 'level' in draft.terms && draft.terms.level === '68500'
      const problems = isKnown ? [{ field: 'level' as const, message: 'This alert is there already.' }] : []
      return { ok: true, value: { problems, isMet: false } }
    }
    await level.fill('68500')
    await expect(level).toHaveAccessibleDescription('This alert is there already.')
    await level.fill('68501')
    await expect(level).toHaveAccessibleDescription(/68,123\.40: /)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
  })
})

test('a number with a comma is never saved as a different number', async ({ page }) => {
  const { fake, dialog, level } = await openAlertDialog(page)
  await level.fill('0,064')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Use a point for decimals: 0.064?')
  expect(fake.callsOf('createAlert')).toEqual([])
  await dialog.getByRole('button', { name: '0.064' }).click()
  await expect(level).toHaveValue('0.064')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await level.fill('$68,500.00 USD')
  await expect(dialog).toContainText('Saved as 68500.00.')
  await dialog.getByLabel('Index').selectOption('BRR')
  await level.fill('1,086')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Do you mean 1086 or 1.086?')
  await dialog.getByRole('button', { name: '1.086' }).click()
  await page.keyboard.press('Enter')
  await expect.poll(() => fake.callsOf('createAlert')).toHaveLength(1)
  expect(fake.callsOf('createAlert')).toMatchObject([{ draft: { terms: { level: '1.086' } } }])
})

test('the dialog opens from a rule, with all its fields, or from a row of the watchlist', async ({ page }) => {
  const { fake } = await openAlertDialog(page)

  await test.step('an edited rule shows all its fields and starts again', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: /^BRTI/ }).focus()
    await page.keyboard.press('F2')
    const dialog = page.getByRole('dialog', { name: 'Edit alert' })
    await expect(dialog.getByLabel('Level')).toHaveValue('68,500.00')
    await expect(dialog).toContainText('Saving resets the alert.')
    await dialog.getByLabel('Repeat').selectOption('everyCrossing')
    await expect(dialog.getByLabel('Re-arm band')).toHaveValue('off')
    await dialog.getByLabel('Repeat').selectOption('once')
    await dialog.getByLabel('Level').fill('69000')
    await expect.poll(() => fake.callsOf('previewAlert').at(-1)).toEqual({ ruleId: 'r1', draft: levelDraft('69000') })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    expect(fake.callsOf('editAlert')).toEqual([{ ruleId: 'r1', draft: levelDraft('69000'), whenAlreadyMet: 'wait' }])
    expect(fake.callsOf('createAlert')).toEqual([])
  })
  await test.step('an alert can be created from a row of the watchlist', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' }).click()
    await page.locator('[data-index="SOLUSD_RTI"]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New alert…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    await expect(dialog.getByLabel('Index')).toHaveValue('SOLUSD_RTI')
    await expect(dialog.getByLabel('Level')).toBeFocused()
  })
})

test('one alert follows a list: it is saved once with the list, and edited as a whole', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const index = dialog.getByRole('combobox', { name: 'Index', exact: true })
  const list = fake.snapshot.state.settings.watchlists[0]
  const count = list?.entries.length ?? 0
  await index.selectOption(`any of ${list?.name ?? ''} (${count})`)
  await expect(dialog).toContainText(`Each of the ${count} fires by itself.`)
  expect(await faults(page, { part: '[role=dialog], dialog' })).toEqual([])
  fake.handlers.createAlert = ({ draft }) => ok({ ...ruleView('l1', draft), anyOf: 'My list' })
  await level.press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(fake.callsOf('createAlert')).toMatchObject([{ target: { listId: list?.id } }])
  await expect(page.getByRole('group', { name: 'Message' })).toContainText(
    'Alert saved: Any of My list rises to 68,500',
  )

  await fake.push({ state: listAlertWindow })
  await page.locator('[data-rule="l1"]').press('F2')
  const edit = page.getByRole('dialog', { name: 'Edit alert' })
  await expect(edit.getByRole('combobox', { name: 'Index', exact: true }).locator('option')).toHaveText([
    /any of My list/,
  ])
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toHaveCount(0)
  expect(fake.callsOf('editAlert')).toMatchObject([{ ruleId: 'l1', target: { listId: list?.id } }])
})

test('an alert is saved on each selected row, skips those that cannot have it, and is undone', async ({ page }) => {
  const fake = await openWindow(page)
  let made = 0
  fake.handlers.createAlert = ({ draft }) => {
    return draft.indexId === 'NCI' ? refused('level', 'NCI is not in USD.') : ok(ruleView(`r${++made}`, draft))
  }
  const ids = fake.snapshot.state.settings.watchlists[0]?.entries.map(({ id }) => id) ?? []
  await page.locator('[data-index="BRTI"]').click()
  await page.keyboard.press('Control+a')
  await page.locator('[data-index="BRTI"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New alert on each…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await expect(dialog).toContainText(`One alert on each of ${ids.length} indices.`)
  await dialog.getByLabel('Level').press('Enter')
  await expect(dialog).toHaveCount(0)
  const drafts = fake.callsOf('createAlert').map((call) => (call as { draft: AlertDraft }).draft)
  expect(drafts.map(({ indexId }) => indexId).sort()).toEqual(ids.toSorted())
  const message = page.getByRole('group', { name: 'Message' })
  await expect(message).toContainText(`${ids.length - 1} alerts saved. Not on NCI: NCI is not in USD.`)
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => fake.callsOf('deleteAlert')).toHaveLength(ids.length - 1)
})

test('an alert is saved as a template, begins another alert with it, and the template is deleted', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const templates = dialog.getByRole('button', { name: 'Templates' })
  const terms = { condition: 'fallsTo', level: '90.50' } as const

  await test.step('its name is asked for, and Enter saves the template, not the alert', async () => {
    await dialog.getByLabel('Condition').selectOption('fallsTo')
    await level.fill('90.50')
    await templates.click()
    await page.getByRole('menuitem', { name: 'Save as template…' }).click()
    const name = dialog.getByLabel('Name of the template')
    await expect(name).toBeFocused()
    await name.press('Enter')
    await name.fill(' Floor ')
    await name.press('Enter')
    await expect(templates).toContainText('Start from a template')
    expect(fake.callsOf('setPreferences')).toMatchObject([{ alertTemplates: [{ name: 'Floor', draft: { terms } }] }])
    expect(fake.callsOf('createAlert')).toEqual([])
    expect(await faults(page, { part: '[role=dialog], dialog' })).toEqual([])
  })
  await test.step('it fills all fields but the index', async () => {
    await openAgain(page, opened)
    await dialog.getByLabel('Index').selectOption('ETHUSD_RTI')
    await templates.click()
    await page.getByRole('menuitem', { name: 'Floor' }).click()
    await expect(level).toHaveValue('90.50')
    expect(await saved(opened)).toEqual(sent(terms, { indexId: 'ETHUSD_RTI' }))
  })
  await test.step('a template of another version is not offered, and can be deleted', async () => {
    await fake.push({
      state: {
        settings: {
          ...fake.snapshot.state.settings,
          alertTemplates: [{ name: 'Odd', draft: { terms: { condition: 'guessed' } } }],
        },
      },
    })
    await page.getByRole('button', { name: 'New alert', exact: true }).click()
    await expect(templates).toHaveText('Templates')
    await templates.click()
    await page.getByRole('menuitem', { name: 'Delete template' }).click()
    await page.getByRole('menuitem', { name: 'Odd' }).click()
    expect(fake.callsOf('setPreferences').at(-1)).toEqual({ alertTemplates: [] })
  })
})
