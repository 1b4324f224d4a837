import type { MenuItemConstructorOptions } from 'electron'
import type { IndexId } from '../../protocol/model'
import type { Preferences, TickerLayout, TickerOpacity, TickerSize } from '../../protocol/preferences'
import { corners, type Corner } from './ticker-place'

export interface TickerMenuRuns {
  openIndex: (id: IndexId) => void
  newAlert: (id: IndexId) => void
  /** Where windows can be placed. */
  moveTo?: (corner: Corner) => void
  openSettings: () => void
  change: (preferences: Partial<Preferences>) => void
}

const layouts: Record<TickerLayout, string> = { rows: 'A line for each index', line: 'All side by side' }
const sizes: Record<TickerSize, string> = { small: 'Small', normal: 'Normal', large: 'Large' }
const opacities: readonly TickerOpacity[] = [100, 85, 70]

/** What the ticker's menu offers, about an index where it was opened on one. */
export function tickerMenu(
  preferences: Preferences,
  { openIndex, newAlert, moveTo, openSettings, change }: TickerMenuRuns,
  indexId?: IndexId,
): MenuItemConstructorOptions[] {
  const one = (label: string, isChosen: boolean, chosen: Partial<Preferences>): MenuItemConstructorOptions => ({
    type: 'radio',
    label,
    checked: isChosen,
    click: () => {
      change(chosen)
    },
  })
  const item = (label: string, click: () => void): MenuItemConstructorOptions => ({ label, click })
  const { tickerLayout, tickerSize, tickerOpacity } = preferences
  const ofIndex: MenuItemConstructorOptions[] =
    indexId === undefined
      ? []
      : [
          item(`Open ${indexId}`, () => {
            openIndex(indexId)
          }),
          item(`New alert for ${indexId}…`, () => {
            newAlert(indexId)
          }),
          { type: 'separator' },
        ]
  const places: MenuItemConstructorOptions[] =
    moveTo === undefined
      ? []
      : [
          {
            label: 'Move to',
            submenu: corners.map((corner) =>
              item(corner, () => {
                moveTo(corner)
              }),
            ),
          },
        ]
  return [
    ...ofIndex,
    {
      label: 'Layout',
      submenu: (Object.keys(layouts) as TickerLayout[]).map((each) =>
        one(layouts[each], each === tickerLayout, { tickerLayout: each }),
      ),
    },
    {
      label: 'Size',
      submenu: (Object.keys(sizes) as TickerSize[]).map((each) =>
        one(sizes[each], each === tickerSize, { tickerSize: each }),
      ),
    },
    {
      label: 'Opacity',
      submenu: opacities.map((each) => one(`${each} %`, each === tickerOpacity, { tickerOpacity: each })),
    },
    ...places,
    item('Let clicks through', () => {
      change({ isTickerClickThrough: true })
    }),
    { type: 'separator' },
    item('Ticker settings', openSettings),
    item('Close ticker', () => {
      change({ showsTicker: false })
    }),
  ]
}
