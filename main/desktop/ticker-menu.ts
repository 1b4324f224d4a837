import type { MenuItemConstructorOptions } from 'electron'
import { tickerList } from '../../protocol/glance'
import type { IndexId, Settings } from '../../core/model'
import type { Preferences, TickerLayout, TickerOpacity, TickerSize } from '../../core/preferences'
import { maxGlanceIds } from '../../core/shapes'
import { corners, type Corner } from './ticker-place'

export interface TickerMenuRuns {
  openIndex: (id: IndexId) => void
  newAlert: (id: IndexId) => void
  /** Where windows can be placed. */
  moveTo?: (corner: Corner) => void
  openSettings: () => void
  change: (preferences: Partial<Preferences>) => void
}

const layouts: Record<TickerLayout, string> = { rows: 'One index per line', line: 'Side by side' }
const sizes: Record<TickerSize, string> = { small: 'Small', normal: 'Normal', large: 'Large' }
const opacities: readonly TickerOpacity[] = [100, 85, 70]
/** A menu of all there are would not fit the screen; Settings finds every index. */
const maxOffered = 20

/** What the ticker's menu offers, about an index where it was opened on one. */
export function tickerMenu(
  settings: Settings,
  { openIndex, newAlert, moveTo, openSettings, change }: TickerMenuRuns,
  indexId?: IndexId,
): MenuItemConstructorOptions[] {
  const one = (label: string, isChosen: boolean, chosen: Partial<Preferences>): MenuItemConstructorOptions => ({
    type: 'radio',
    label,
    checked: isChosen,
    click: () => change(chosen),
  })
  const item = (label: string, click: () => void): MenuItemConstructorOptions => ({ label, click })
  const { tickerLayout, tickerSize, tickerOpacity } = settings
  const ofIndex: MenuItemConstructorOptions[] =
    indexId === undefined
      ? []
      : [
          item(`Open ${indexId}`, () => openIndex(indexId)),
          item(`New alert for ${indexId}…`, () => newAlert(indexId)),
          { type: 'separator' },
        ]
  const places: MenuItemConstructorOptions[] =
    moveTo === undefined
      ? []
      : [
          {
            label: 'Move to',
            submenu: corners.map((corner) => item(corner, () => moveTo(corner))),
          },
        ]
  return [
    ...ofIndex,
    { label: 'Indices', submenu: indexItems(settings, { openSettings, change }) },
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
    {
      type: 'checkbox',
      label: 'Click-through',
      checked: false,
      click: () => change({ isTickerClickThrough: true }),
    },
    { type: 'separator' },
    item('Ticker settings', openSettings),
    item('Close ticker', () => change({ showsTicker: false })),
  ]
}

/** Which indices it shows: those of the tray, or its own choice, which begins with what it shows now. */
function indexItems(
  settings: Settings,
  { openSettings, change }: Pick<TickerMenuRuns, 'openSettings' | 'change'>,
): MenuItemConstructorOptions[] {
  const { tickerIds, pinnedIds, watchlists } = settings
  const shown = tickerList(settings).entries.map(({ id }) => id)
  const listed = watchlists[0]?.entries.map(({ id }) => id) ?? []
  const offered = [...new Set([...shown, ...pinnedIds, ...listed])].slice(0, maxOffered)
  return [
    {
      type: 'checkbox',
      label: 'Same as the tray',
      checked: tickerIds.length === 0,
      click: () => change({ tickerIds: tickerIds.length === 0 ? shown : [] }),
    },
    { type: 'separator' },
    ...offered.map((id): MenuItemConstructorOptions => {
      const isShown = shown.includes(id)
      return {
        type: 'checkbox',
        label: id,
        checked: isShown,
        // Without any it would show those of the tray.
        enabled: isShown ? shown.length > 1 : shown.length < maxGlanceIds,
        click: () => change({ tickerIds: isShown ? shown.filter((each) => each !== id) : [...shown, id] }),
      }
    }),
    { type: 'separator' },
    { label: 'More in Settings', click: openSettings },
  ]
}
