import type { MenuItemConstructorOptions } from 'electron'
import { tickerList } from '../../protocol/glance'
import type { IndexId, Settings } from '../../core/model'
import type { Preferences, TickerLayout, TickerSize } from '../../core/preferences'
import { maxGlanceIds } from '../../core/shapes'
import { corners, type Corner } from './ticker-place'

export interface TickerMenuRuns {
  openIndex: (id: IndexId) => void
  newAlert: (id: IndexId) => void
  /** Missing if the desktop does not let an app place its windows. */
  moveTo?: (corner: Corner) => void
  openSettings: () => void
  change: (preferences: Partial<Preferences>) => void
}

const layouts = entriesOf<TickerLayout>({ rows: 'One index per line', line: 'Side by side' })
const sizes = entriesOf<TickerSize>({ small: 'Small', normal: 'Normal', large: 'Large' })
const opacities = ([100, 85, 70] as const).map((each) => [each, `${each} %`] as const)
/** More would not fit the screen. Settings has all indices. */
const maxOffered = 20

function entriesOf<T extends string>(labels: Record<T, string>): [T, string][] {
  return Object.entries(labels) as [T, string][]
}

/** The ticker's menu. `indexId` is the index under the pointer, if any. */
export function tickerMenu(
  settings: Settings,
  { openIndex, newAlert, moveTo, openSettings, change }: TickerMenuRuns,
  indexId?: IndexId,
): MenuItemConstructorOptions[] {
  const item = (label: string, click: () => void): MenuItemConstructorOptions => ({ label, click })
  /** Submenu with the values of a preference. */
  const choice = <K extends 'tickerLayout' | 'tickerSize' | 'tickerOpacity'>(
    label: string,
    name: K,
    labels: readonly (readonly [Preferences[K], string])[],
  ): MenuItemConstructorOptions => ({
    label,
    submenu: labels.map(([value, words]) => ({
      type: 'radio',
      label: words,
      checked: value === settings[name],
      click: () => change({ [name]: value }),
    })),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  return [
    ...(indexId === undefined
      ? []
      : [
          item(`Open ${indexId}`, () => openIndex(indexId)),
          item(`New alert for ${indexId}…`, () => newAlert(indexId)),
          separator,
        ]),
    { label: 'Indices', submenu: indexItems(settings, { openSettings, change }) },
    choice('Layout', 'tickerLayout', layouts),
    choice('Size', 'tickerSize', sizes),
    choice('Opacity', 'tickerOpacity', opacities),
    ...(moveTo === undefined
      ? []
      : [{ label: 'Move to', submenu: corners.map((corner) => item(corner, () => moveTo(corner))) }]),
    {
      type: 'checkbox',
      label: 'Click-through',
      checked: false,
      click: () => change({ isTickerClickThrough: true }),
    },
    separator,
    item('Ticker settings', openSettings),
    item('Close ticker', () => change({ showsTicker: false })),
  ]
}

/** Chooses the ticker's indices: those of the tray, or its own, which start as those it shows now. */
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
        // With an empty choice the ticker would show those of the tray.
        enabled: isShown ? shown.length > 1 : shown.length < maxGlanceIds,
        click: () => change({ tickerIds: isShown ? shown.filter((each) => each !== id) : [...shown, id] }),
      }
    }),
    { type: 'separator' },
    { label: 'More in Settings', click: openSettings },
  ]
}
