import Activity from '@lucide/svelte/icons/activity'
import Bell from '@lucide/svelte/icons/bell'
import BellOff from '@lucide/svelte/icons/bell-off'
import BellPlus from '@lucide/svelte/icons/bell-plus'
import Bot from '@lucide/svelte/icons/bot'
import ChartSpline from '@lucide/svelte/icons/chart-spline'
import CheckCheck from '@lucide/svelte/icons/check-check'
import Clock from '@lucide/svelte/icons/clock'
import FileDown from '@lucide/svelte/icons/file-down'
import FileText from '@lucide/svelte/icons/file-text'
import FileUp from '@lucide/svelte/icons/file-up'
import History from '@lucide/svelte/icons/history'
import Keyboard from '@lucide/svelte/icons/keyboard'
import LayoutGrid from '@lucide/svelte/icons/layout-grid'
import ListEnd from '@lucide/svelte/icons/list-end'
import ListPlus from '@lucide/svelte/icons/list-plus'
import Monitor from '@lucide/svelte/icons/monitor'
import Moon from '@lucide/svelte/icons/moon'
import PictureInPicture from '@lucide/svelte/icons/picture-in-picture-2'
import Plus from '@lucide/svelte/icons/plus'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import RotateCw from '@lucide/svelte/icons/rotate-cw'
import Rows from '@lucide/svelte/icons/rows-3'
import Send from '@lucide/svelte/icons/send'
import SeparatorHorizontal from '@lucide/svelte/icons/separator-horizontal'
import Cog from '@lucide/svelte/icons/settings'
import Sigma from '@lucide/svelte/icons/sigma'
import Sun from '@lucide/svelte/icons/sun'
import X from '@lucide/svelte/icons/x'
import type { WindowState } from '../../../protocol/desktop'
import { hasFixingSheet } from '../../../core/fixings'
import type { Settings } from '../../../core/model'
import { present } from '../../../core/present'
import type { UpdateState } from '../../../protocol/updates'
import { muteOf } from '../../../core/snoozes'
import { rowsWords } from '../../format/list-words'
import type { DialogRequest } from '../../state/dialogs.svelte'
import type { Page } from '../../state/page'
import { comparisonAddress, fixingAddress } from '../../state/route.svelte'
import type { PaletteCommand } from './palette-items'

/** The commands that the palette offers in the present state. */
export function paletteCommands(page: Page, state: WindowState): PaletteCommand[] {
  const { settings, opened, alerts, snoozes, update } = state
  const { dialogs, panel, route } = page
  const ofPage: PaletteCommand[] =
    opened === undefined
      ? []
      : [
          {
            name: `New alert for ${opened.id}`,
            Icon: BellPlus,
            run: () => dialogs.show({ kind: 'newAlert', indexId: opened.id }),
          },
          {
            name: `Export values of ${opened.id}`,
            Icon: FileDown,
            words: 'history csv parquet save file',
            run: () => dialogs.show({ kind: 'exportValues', indexIds: [opened.id], title: opened.id }),
          },
          { name: `Close ${opened.id}`, Icon: X, keys: 'Esc', run: () => void panel.close() },
        ]
  const valueAt: PaletteCommand = {
    name: 'Value at…',
    Icon: Clock,
    words: 'history time when in effect',
    run: () => dialogs.show({ kind: 'valueAt', indexId: opened?.id ?? settings.watchlists[0]?.entries[0]?.id ?? '' }),
  }
  const compare: PaletteCommand = {
    name: opened === undefined ? 'Compare indices' : `Compare ${opened.id}`,
    Icon: ChartSpline,
    words: 'relative performance rebase from 100 percent difference ratio spread',
    run: () => route.go(comparisonAddress(present(opened?.id))),
  }
  return [
    ...ofPage,
    compare,
    valueAt,
    ...listCommands(page, settings),
    ...rowCommands(page),
    ...alertCommands(page, { hasRules: alerts.length > 0, isMuted: muteOf(snoozes) !== undefined }),
    ...places.map(({ address, ...place }) => ({ ...place, run: () => route.go(address) })),
    ...lookCommands(page, settings),
    ...otherCommands(page),
    ...updateCommands(page, update),
    ...fixingCommands(page, state),
  ]
}

/** The fixing sheets, those of the open index and the watchlists first. */
function fixingCommands({ mirror, route }: Page, { catalogue, opened, settings }: WindowState): PaletteCommand[] {
  const listed = catalogue.map(({ id }) => id)
  const watched = settings.watchlists.flatMap(({ entries }) => entries.map(({ id }) => id))
  return [...new Set([...present(opened?.id), ...watched, ...listed])]
    .filter((id) => hasFixingSheet(id, mirror.isListed))
    .map((id) => ({
      name: `Fixing sheet of ${id}`,
      Icon: FileText,
      words: 'reference rate daily settlement print',
      isOnlySearched: true,
      run: () => route.go(fixingAddress(id)),
    }))
}

/** Opens the dialog that adds an index to the watchlist on screen, or to the first one. */
export function addIndex(page: Page, text = ''): void {
  showInList(page, { kind: 'addIndex', text })
}

function showInList({ dialogs, route }: Page, dialog: DialogRequest): void {
  if (route.place.view !== 'watchlist') route.go('watchlist')
  dialogs.show(dialog)
}

function listCommands(page: Page, { watchlists }: Settings): PaletteCommand[] {
  const { perform, dialogs, listActions } = page
  const { shownId } = listActions
  return present<PaletteCommand>(
    { name: 'Add index', Icon: Plus, words: 'watch new', keys: 'Ctrl+N', run: () => addIndex(page) },
    {
      name: 'New formula',
      Icon: Sigma,
      words: 'difference ratio spread basis add',
      run: () => showInList(page, { kind: 'formula' }),
    },
    { name: 'New watchlist', Icon: ListPlus, words: 'list create', run: () => dialogs.show({ kind: 'listName' }) },
    shownId !== undefined && {
      name: 'New section',
      Icon: SeparatorHorizontal,
      words: 'divider group watchlist list',
      run: () => dialogs.show({ kind: 'sectionName', listId: shownId }),
    },
    { name: 'Import watchlists', Icon: FileUp, words: 'lists file json open', run: () => void dialogs.importLists() },
    {
      name: 'Export all watchlists',
      Icon: FileDown,
      words: 'file json save backup',
      run: () => void perform('exportLists', { listIds: watchlists.map(({ id }) => id) }),
    },
  )
}

/** Moves the selected rows of the list on screen, or adds them to another one. */
function rowCommands({ listActions }: Page): PaletteCommand[] {
  const { lists, shownId, selectedIds } = listActions
  const list = lists.find(({ id }) => id === shownId)
  if (list === undefined || selectedIds.length === 0) return []
  const commandsOf = (verb: string, isCopy: boolean, Icon: PaletteCommand['Icon']) =>
    listActions.destinations(list, selectedIds, isCopy).map(({ name, run }) => ({
      name: `${verb} ${rowsWords(selectedIds)} to ${name === undefined ? 'a new list' : `list ${name}`}`,
      Icon,
      words: 'rows selected watchlist',
      isOnlySearched: true,
      run,
    }))
  return [...commandsOf('Move', false, ListEnd), ...commandsOf('Add', true, ListPlus)]
}

function alertCommands(page: Page, { hasRules, isMuted }: { hasRules: boolean; isMuted: boolean }): PaletteCommand[] {
  const { actions, perform, dialogs } = page
  const untilSaid = () => void actions.snooze([{ of: 'all' }], null, 'until you unmute them')
  const forAnHour = () => void actions.muteForAnHour()
  return present<PaletteCommand>(
    { name: 'New alert', Icon: BellPlus, words: 'rule create add', run: () => dialogs.show({ kind: 'newAlert' }) },
    { name: 'Mute alerts for 1 hour', Icon: BellOff, words: 'snooze silence quiet', run: forAnHour },
    { name: 'Mute alerts until I unmute', Icon: BellOff, words: 'snooze silence quiet', run: untilSaid },
    isMuted && {
      name: 'Unmute alerts',
      Icon: Bell,
      words: 'snooze silence end',
      run: () => void perform('endSnooze', { scope: { of: 'all' } }),
    },
    hasRules && {
      name: 'Export alerts',
      Icon: FileDown,
      words: 'rules file save backup',
      run: () => void perform('exportAlerts', {}),
    },
    { name: 'Import alerts', Icon: FileUp, words: 'rules file open', run: () => void dialogs.importAlerts() },
    { name: 'Send a test alert', Icon: Send, words: 'notification try', run: () => void actions.sendTestAlert() },
  )
}

const places: readonly (Omit<PaletteCommand, 'run'> & { address: string })[] = [
  { name: 'Go to Indices', Icon: LayoutGrid, words: 'catalogue reference', keys: 'Ctrl+2', address: 'indices' },
  { name: 'Go to Alerts', Icon: Bell, words: 'rules inbox', keys: 'Ctrl+3', address: 'alerts' },
  { name: 'Go to Assistants', Icon: Bot, words: 'mcp tools', keys: 'Ctrl+4', address: 'assistants' },
  { name: 'Go to Settings', Icon: Cog, words: 'preferences connection key', keys: 'Ctrl+5', address: 'settings' },
  {
    name: 'Amendments of all indices',
    Icon: History,
    words: 'history ledger amended corrected restatement restated go to',
    address: 'indices/amendments',
  },
  { name: 'Diagnostics', Icon: Activity, words: 'log errors counters support', address: 'settings/diagnostics' },
]

function lookCommands({ perform }: Page, { theme, density, showsTicker }: Settings): PaletteCommand[] {
  const themes = { light: 'Theme: light', dark: 'Theme: dark', system: 'Theme: system' } as const
  const otherDensity = density === 'compact' ? 'comfortable' : 'compact'
  const themeIcons = { light: Sun, dark: Moon, system: Monitor } as const
  const others = (['light', 'dark', 'system'] as const).filter((each) => each !== theme)
  return [
    ...others.map((each) => ({
      name: themes[each],
      Icon: themeIcons[each],
      words: 'appearance colours',
      run: () => void perform('setPreferences', { theme: each }),
    })),
    {
      name: `Rows: ${otherDensity}`,
      Icon: Rows,
      words: 'density appearance height',
      run: () => void perform('setPreferences', { density: otherDensity }),
    },
    {
      name: showsTicker ? 'Close ticker' : 'Show ticker',
      Icon: PictureInPicture,
      words: 'small window float on top glance',
      run: () => void perform('setPreferences', { showsTicker: !showsTicker }),
    },
  ]
}

function updateCommands({ perform, route }: Page, update: UpdateState | undefined): PaletteCommand[] {
  if (update === undefined) return []
  if (update.state === 'ready') {
    const name = `Restart to update to ${update.found.version}`
    return [{ name, Icon: RotateCw, words: 'version install new', run: () => void perform('restartToUpdate', {}) }]
  }
  const check = () => {
    route.go('settings/help')
    void perform('checkForUpdates', {})
  }
  return [{ name: 'Check for updates', Icon: RefreshCw, words: 'version new about', run: check }]
}

function otherCommands({ perform, dialogs }: Page): PaletteCommand[] {
  return [
    { name: 'Reconnect now', Icon: RefreshCw, words: 'connect again retry', run: () => void perform('reconnect', {}) },
    { name: 'Mark all events as read', Icon: CheckCheck, words: 'inbox', run: () => void perform('markInboxRead', {}) },
    {
      name: 'Keyboard shortcuts',
      Icon: Keyboard,
      words: 'keys help',
      keys: '?',
      run: () => dialogs.show({ kind: 'shortcuts' }),
    },
  ]
}
