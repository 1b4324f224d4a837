import { faults } from '../support/faults'
import { expect, openWindow, test } from './window-page'

test('planted faults are found in both themes, and an inline style is refused', async ({ page, complaints }) => {
  await openWindow(page)
  // Plants one id in a pale colour and two rows on a grey background. Also plants one text over a background that is
  // not its ancestor, and one heading that is wrong only in the dark theme. Each must be named.
  await page.evaluate(`{
    document.querySelector('main').append(document.createElement('button'))
    document.querySelector('[data-index="NCI"] th').style.color = '#bbb'
    for (const id of ['BRR', 'APT_SRR']) document.querySelector('[data-index="' + id + '"]').style.background = '#777'
    const [cell, ground, text] = ['th', 'i', 'span'].map((name) => document.createElement(name))
    ground.style.cssText = 'position: absolute; inset: 0; background: #777'
    text.style.position = 'relative'
    text.textContent = text.title = 'on another'
    cell.style.position = 'relative'
    cell.append(ground, text)
    document.querySelector('[data-index="ETHUSD_RTI"] th').replaceWith(cell)
    document.querySelector('main h1').style.color = 'light-dark(#000, #333)'
  }`)
  const planted = (await faults(page, { inBothThemes: true })).join('\n')
  expect(planted).toMatch(/^button-name: <button/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="NCI"/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="BRR"/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="APT_SRR"/m)
  expect(planted).toMatch(/^color-contrast: <span [^>]*title="on another"/m)
  expect(planted).toMatch(/^in the dark theme, color-contrast: <h1/m)
  expect(complaints).toEqual([])
  await page.evaluate(
    "document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color: red')",
  )
  await expect.poll(() => complaints.join()).toContain('Content Security Policy')
  complaints.length = 0
})
