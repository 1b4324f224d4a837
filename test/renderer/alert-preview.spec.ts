import type { AlertPreview } from '../../core/alert-events'
import { ok, refused } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-now'
import { sampleSnapshot } from '../support/sample-window'
import { openAgain, openAlertDialog, saved, sent } from './open-alert-dialog'
import { expect, test } from './window-page'

const hour = 3_600_000

function tried(minutesAgo: number[], more: Partial<AlertPreview['backTest']> = {}): AlertPreview {
  const fires = minutesAgo.map((ago) => ({ publishedAtMs: sampleNowMs - ago * 60_000, value: '1' }))
  return { problems: [], isMet: false, backTest: { sinceMs: sampleNowMs - hour, untilMs: sampleNowMs, fires, ...more } }
}

test('the dialog shows whether an alert is already true, its past and what it compares', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const handlers = { ...fake.handlers }
  const again = () => openAgain(page, opened, handlers)

  await test.step('a condition that is already true asks what to do, and waits by default', async () => {
    await level.fill('60 000')
    await expect(dialog.getByRole('group', { name: 'BRTI is already at or above 60,000.' })).toBeVisible()
    await expect(dialog.getByRole('radio', { name: 'Wait for the next crossing' })).toBeChecked()
    await dialog.getByRole('radio', { name: 'Notify me now' }).check()
    expect(await saved(opened)).toEqual({ ...sent({ condition: 'risesTo', level: '60000' }), whenAlreadyMet: 'fire' })
  })
  await test.step('what a condition compares is shown if it is not the value', async () => {
    await again()
    fake.handlers.previewAlert = () => ok({ problems: [], isMet: false, measure: '-2.73' })
    await dialog.getByLabel('Condition').selectOption('moves')
    await expect(dialog).toContainText('\u22122.73 % within 15 min')
  })
  await test.step('the past is shown with the effect of a band, and a click adds the band', async () => {
    await again()
    fake.handlers.previewAlert = ({ draft }) =>
      ok('rearmBand' in draft.terms ? tried([4]) : tried([50, 49, 20, 4], { firesWithBand: 1 }))
    await level.fill('68,500.00')
    await expect(dialog).toContainText('Would have fired 4 times in the last hour, last at 13:58:11.')
    await expect(dialog).toContainText('With a 5 bp re-arm band: once.')
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await expect(dialog.getByLabel('Re-arm band')).toHaveValue('5')
    await expect(dialog).toContainText('Would have fired once in the last hour, at 13:58:11.')
    const rearmBand = { size: '5', unit: 'basisPoints' } as const
    expect(await saved(opened)).toEqual(sent({ condition: 'risesTo', level: '68500.00', rearmBand }))
  })
})

test('an answer is shown only for its own draft, and nothing jumps', { tag: '@deep' }, async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, dialog, level } = opened
  const handlers = { ...fake.handlers }
  const again = () => openAgain(page, opened, handlers)

  await test.step('an answer about the previous condition is not shown for the next', async () => {
    await again()
    fake.handlers.previewAlert = ({ draft }) => ok({ problems: [], isMet: draft.terms.condition === 'carriedOver' })
    await dialog.getByLabel('Condition').selectOption('carriedOver')
    await expect(dialog.getByRole('group', { name: 'This is already true.' })).toBeVisible()
    await dialog.getByLabel('Condition').selectOption('noUpdate')
    await expect
      .poll(() => fake.callsOf('previewAlert').at(-1))
      .toMatchObject({
        draft: { terms: { condition: 'noUpdate' } },
      })
    await expect(dialog.getByRole('radio')).toHaveCount(0)
  })
  await test.step('a late answer about an older amount is not shown for the new one', async () => {
    await again()
    const answers = new Map<string, () => void>()
    fake.handlers.previewAlert = ({ draft }) => {
      const amount = 'amount' in draft.terms ? draft.terms.amount : ''
      return new Promise((resolve) => {
        answers.set(amount, () => resolve(ok({ problems: [], isMet: amount === '0.3', measure: '0.37' })))
      })
    }
    await dialog.getByLabel('Condition').selectOption('moves')
    const change = dialog.getByRole('textbox', { name: 'Change' })
    await change.fill('0.3')
    await expect.poll(() => answers.has('0.3')).toBe(true)
    await change.fill('4')
    answers.get('0.3')?.()
    await expect.poll(() => answers.has('4')).toBe(true)
    await expect(dialog.getByText(/was true just now|is already true/)).toHaveCount(0)
    answers.get('4')?.()
    await expect(dialog).toContainText('+0.37 % within 15 min')
    await expect(dialog.getByText(/was true just now|is already true/)).toHaveCount(0)
  })
  await test.step('an answer stays while the other fields are filled in', async () => {
    await again()
    fake.handlers.previewAlert = () => ok({ problems: [], isMet: true })
    await dialog.getByLabel('Condition').selectOption('carriedOver')
    const isMet = dialog.getByRole('group', { name: 'This is already true.' })
    await expect(isMet).toBeVisible()
    let isAsked = false
    fake.handlers.previewAlert = () => {
      isAsked = true
      return new Promise(() => undefined)
    }
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Note').fill('Call the desk')
    await expect.poll(() => isAsked).toBe(true)
    await expect(isMet).toBeVisible()
  })
  await test.step('a crossing or a momentary condition cannot be true already', async () => {
    await again()
    fake.handlers.previewAlert = () => ok({ problems: [], isMet: true })
    await dialog.getByLabel('Condition').selectOption('carriedOver')
    await expect(dialog.getByRole('radio', { name: 'Wait until it happens again' })).toBeChecked()
    await dialog.getByLabel('Condition').selectOption('amended')
    await expect(dialog.getByRole('radio')).toHaveCount(0)
  })
  await test.step('nothing jumps during a request, and a missing answer blocks nothing', async () => {
    await again()
    const part = dialog.getByRole('status')
    await level.fill('68500')
    await expect(part).toContainText('No history available')
    const heights = [(await part.boundingBox())?.height]
    fake.handlers.previewAlert = () => ok(tried([50, 49, 20, 4], { firesWithBand: 1 }))
    await level.fill('68501')
    await expect(part).toContainText('4 times')
    heights.push((await part.boundingBox())?.height)
    fake.handlers.previewAlert = () => refused('internal', 'Later, please.')
    await level.fill('68502')
    await expect(part).toContainText('The test run failed. You can still save the alert.')
    heights.push((await part.boundingBox())?.height)
    expect(new Set(heights).size).toBe(1)
    expect(await saved(opened)).toEqual(sent({ condition: 'risesTo', level: '68502' }))
  })
  await test.step('the question stays while the value crosses, and disappears when the level changes', async () => {
    await again()
    await level.fill('68123.40')
    await expect(dialog.getByRole('group', { name: 'BRTI is already at or above 68,123.40.' })).toBeVisible()
    const [quote] = fake.snapshot.quotes
    if (quote === undefined) throw new Error('the sample has no quotes')
    await fake.push({ quotes: [{ ...quote, value: '68123.39', publishedAtMs: quote.publishedAtMs + 200 }] })
    await expect(dialog.getByRole('group', { name: 'BRTI was just at or above 68,123.40.' })).toBeVisible()
    await expect(dialog).toContainText('68,123.39: 0.01 away, 0.00 %')
    await level.fill('69000')
    await expect(dialog.getByRole('radio')).toHaveCount(0)
  })
})

test('typing sends one request, after it stops', async ({ page }) => {
  await page.clock.install({ time: sampleNowMs })
  const { fake, dialog, level } = await openAlertDialog(page)
  await page.clock.pauseAt(sampleNowMs + 60_000)
  await expect.poll(() => fake.callsOf('previewAlert').length).toBe(1)
  const before = fake.callsOf('previewAlert').length
  await level.fill('')
  await level.pressSequentially('68500')
  await page.clock.runFor(249)
  expect(fake.callsOf('previewAlert')).toHaveLength(before)
  await page.clock.runFor(1)
  await expect.poll(() => fake.callsOf('previewAlert').length).toBe(before + 1)
  expect(fake.callsOf('previewAlert').at(-1)).toMatchObject({ draft: { terms: { level: '68500' } } })
  await expect(dialog).toContainText('No history available for a test run.')
})

test('a cached value is shown with its time, and does not count as the current value', async ({ page }) => {
  const snapshot = sampleSnapshot({ source: 'cache' })
  const { fake, dialog, level } = await openAlertDialog(page, { view: 'alerts', snapshot })
  const isMet = dialog.getByRole('group', { name: 'BRTI is already at or above 60,000.' })
  await level.fill('60000')
  await expect(dialog).toContainText('As of 14:02:11, 68,123.40: 8,123.40 away')
  await expect(isMet).toHaveCount(0)
  const [quote] = snapshot.quotes
  if (quote === undefined) throw new Error('the sample has no quotes')
  await fake.push({ quotes: [{ ...quote, source: 'stream', publishedAtMs: quote.publishedAtMs + 200 }] })
  await expect(dialog).toContainText('Now 68,123.40: 8,123.40 away')
  await expect(isMet).toBeVisible()
})

test('a level with a comma is tried while values arrive faster than typing pauses', async ({ page }) => {
  const opened = await openAlertDialog(page)
  const { fake, level } = opened
  const [quote] = fake.snapshot.quotes
  if (quote === undefined) throw new Error('the sample has no quotes')
  const isTried = () => fake.callsOf('previewAlert').some((call) => JSON.stringify(call).includes('"69000"'))
  await level.fill('69,000')
  // Which of two numbers is meant depends on the value.
  for (let count = 0; count < 300 && !isTried(); count++)
    await fake.push({ quotes: [{ ...quote, value: `68123.${100 + count}`, publishedAtMs: sampleNowMs + count }] })
  expect(isTried()).toBe(true)
})
