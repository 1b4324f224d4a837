import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { tickerMenu } from '../../../../main/desktop/ticker-menu'
import { firstSettings } from '../../../../main/storage/settings'
import type { Settings } from '../../../../core/model'

function open(
  indexId?: string,
  { placesWindows = true, ...changed }: Partial<Settings> & { placesWindows?: boolean } = {},
) {
  const done: unknown[] = []
  const runs = {
    openIndex: (id: string) => done.push(['open', id]),
    newAlert: (id: string) => done.push(['alert', id]),
    ...(placesWindows && { moveTo: (corner: string) => done.push(['move', corner]) }),
    openSettings: () => done.push('settings'),
    change: (preferences: unknown) => done.push(preferences),
  }
  const items = tickerMenu({ ...firstSettings(), tickerSize: 'large', ...changed }, runs, indexId)
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

test('the menu on an index opens it and creates an alert for it', () => {
  const { choose, done } = open('BRTI')
  choose('Open BRTI')
  choose('New alert for BRTI…')
  expect(done).toEqual([
    ['open', 'BRTI'],
    ['alert', 'BRTI'],
  ])
})

test("beside an index it has only the ticker's items, with the current choices", () => {
  const { items, choose, done } = open()
  expect(labels(items)).toEqual([
    'Indices',
    'Layout',
    'Size',
    'Opacity',
    'Move to',
    'Click-through',
    'Ticker settings',
    'Close ticker',
  ])
  const sizes = items.find(({ label }) => label === 'Size')?.submenu as MenuItemConstructorOptions[]
  expect(sizes.map(({ label, checked }) => [label, checked])).toEqual([
    ['Small', false],
    ['Normal', false],
    ['Large', true],
  ])
  choose('Layout', 'Side by side')
  choose('Opacity', '70 %')
  choose('Move to', 'Bottom left')
  choose('Click-through')
  choose('Close ticker')
  expect(done).toEqual([
    { tickerLayout: 'line' },
    { tickerOpacity: 70 },
    ['move', 'Bottom left'],
    { isTickerClickThrough: true },
    { showsTicker: false },
  ])
})

test('offers no corner if windows cannot be placed', () =>
  expect(labels(open('BRTI', { placesWindows: false }).items)).not.toContain('Move to'))

test("shows the tray's indices, or its own choice, which is never empty", () => {
  const at = (changed: Partial<Settings>) => {
    const opened = open(undefined, { pinnedIds: ['NCI', 'BRTI'], ...changed })
    const items = opened.items.find(({ label }) => label === 'Indices')?.submenu as MenuItemConstructorOptions[]
    const stateOf = (id: string) => items.find(({ label }) => label === id)
    return { ...opened, stateOf, indices: labels(items) }
  }
  const tray = at({})
  expect(tray.indices.slice(0, 4)).toEqual(['Same as the tray', 'NCI', 'BRTI', 'ETHUSD_RTI'])
  expect(tray.stateOf('Same as the tray')).toMatchObject({ checked: true })
  tray.choose('Indices', 'ETHUSD_RTI')
  tray.choose('Indices', 'NCI')
  tray.choose('Indices', 'Same as the tray')
  tray.choose('Indices', 'More in Settings')
  expect(tray.done).toEqual([
    { tickerIds: ['NCI', 'BRTI', 'ETHUSD_RTI'] },
    { tickerIds: ['BRTI'] },
    { tickerIds: ['NCI', 'BRTI'] },
    'settings',
  ])
  const own = at({ tickerIds: ['BRR'] })
  expect(own.indices.slice(0, 4)).toEqual(['Same as the tray', 'BRR', 'NCI', 'BRTI'])
  expect(own.stateOf('BRR')).toMatchObject({ checked: true, enabled: false })
  own.choose('Indices', 'Same as the tray')
  expect(own.done).toEqual([{ tickerIds: [] }])
  const full = at({ tickerIds: Array.from({ length: 10 }, (_, number) => `I${number}`) })
  expect([full.stateOf('I3')?.enabled, full.stateOf('NCI')?.enabled]).toEqual([true, false])
  expect(full.indices.length).toBeLessThanOrEqual(22)
})
