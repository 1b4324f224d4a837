import { sampleOpened } from '../support/sample-opened'
import { expect, openStory, test } from './window-page'

test('spread and depth of the past hour are drawn and read, gaps as gaps', { tag: '@deep' }, async ({ page }) => {
  await openStory(page, 'index, market history')
  const market = page.getByRole('tabpanel', { name: 'Market' })
  const spread = market.getByRole('slider', { name: 'Bid–ask spread over the last hour' })
  const valueOf = (name: string) => market.locator('dl > div, dl').filter({ hasText: name }).locator('dd').last()
  await expect(valueOf('Bid–ask spread')).toHaveText('19.20 bp')
  await expect(valueOf('Utilized depth')).toHaveText('311.0')

  await test.step('keys read both at one time, and Escape shows the newest again', async () => {
    await spread.focus()
    await page.keyboard.press('Home')
    const [first] = sampleOpened('BRTI').conditionsHistory ?? []
    await expect(spread).toHaveAttribute(
      'aria-valuetext',
      new RegExp(`13:03:11.*: bid–ask spread ${first?.spreadBps ?? ''} bp$`),
    )
    await expect(valueOf('Bid–ask spread')).toHaveText(`${first?.spreadBps ?? ''} bp`)
    await expect(valueOf('Utilized depth')).toHaveText(first?.utilizedDepth ?? '')
    await page.keyboard.press('Escape')
    await expect(valueOf('Bid–ask spread')).toHaveText('19.20 bp')
  })

  await test.step('within a gap the pointer reads no value', async () => {
    const box = await spread.boundingBox()
    const read = new Set<string>()
    for (let x = 0.2; x < 0.98; x += 0.02) {
      await spread.hover({ position: { x: (box?.width ?? 0) * x, y: 40 } })
      read.add((await valueOf('Bid–ask spread').textContent()) ?? '')
    }
    expect([...read]).toContain('no value')
    expect(read.size).toBeGreaterThan(10)
    await page.mouse.move(0, 0)
  })
})

test('without a service the last hour known is shown as from this computer’s history', async ({ page }) => {
  await openStory(page, 'index, market history, offline')
  const market = page.getByRole('tabpanel', { name: 'Market' })
  await expect(market).toContainText('As of 14:02:11, from this computer’s history')
  await expect(market).toContainText('19.20 bp')
  await expect(market).toContainText('Last published')
  await expect(market.getByRole('slider')).toHaveCount(2)
})
