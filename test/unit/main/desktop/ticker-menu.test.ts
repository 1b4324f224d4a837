import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { tickerMenu } from '../../../../main/desktop/ticker-menu'
import { defaultPreferences } from '../../../../protocol/preferences'

function open(indexId?: string, placesWindows = true) {
  const done: unknown[] = []
  const runs = {
    openIndex: (id: string) => done.push(['open', id]),
    newAlert: (id: string) => done.push(['alert', id]),
    ...(placesWindows && { moveTo: (corner: string) => done.push(['move', corner]) }),
    openSettings: () => done.push('settings'),
    change: (changed: unknown) => done.push(changed),
  }
  const items = tickerMenu({ ...defaultPreferences(), tickerSize: 'large' }, runs, indexId)
  const choose = (...path: string[]) => {
    let level = items
    for (const label of path) {
      const item = level.find((each) => each.label === label)
      if (item === undefined) throw new Error(`no item ${label}`)
      if (Array.isArray(item.submenu)) level = item.submenu
      else (item.click as () => void)()
    }
  }
  return { items, choose, done }
}

const labels = (items: MenuItemConstructorOptions[]) => items.flatMap(({ label = [] }) => label)

test('the menu of an index opens it and makes an alert for it', () => {
  const { choose, done } = open('BRTI')
  choose('Open BRTI')
  choose('New alert for BRTI…')
  expect(done).toEqual([
    ['open', 'BRTI'],
    ['alert', 'BRTI'],
  ])
})

test('beside an index it offers the ticker alone, and says what is chosen now', () => {
  const { items, choose, done } = open()
  expect(labels(items)).toEqual([
    'Layout',
    'Size',
    'Opacity',
    'Move to',
    'Let clicks through',
    'Ticker settings',
    'Close ticker',
  ])
  const sizes = items.find(({ label }) => label === 'Size')?.submenu as MenuItemConstructorOptions[]
  expect(sizes.map(({ label, checked }) => [label, checked])).toEqual([
    ['Small', false],
    ['Normal', false],
    ['Large', true],
  ])
  choose('Layout', 'All side by side')
  choose('Opacity', '70 %')
  choose('Move to', 'Bottom left')
  choose('Let clicks through')
  choose('Close ticker')
  expect(done).toEqual([
    { tickerLayout: 'line' },
    { tickerOpacity: 70 },
    ['move', 'Bottom left'],
    { isTickerClickThrough: true },
    { showsTicker: false },
  ])
})

test('where windows cannot be placed it offers no corner', () => {
  expect(labels(open('BRTI', false).items)).not.toContain('Move to')
})
