import type { WindowState } from '../../../protocol/desktop'
import type { Settings } from '../../../protocol/model'
import type { UpdateState } from '../../../protocol/updates'
import { muteOf } from '../../../protocol/snoozes'
import { untilText } from '../../format/alert-words'
import type { PageCommand } from '../../state/dialogs.svelte'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'
import { placeOfComparison } from '../../state/route.svelte'
import type { PaletteCommand } from './palette-items'

/** Everything the palette offers to do, as things are now. */
export function paletteCommands(
  page: Page,
  { settings, opened, alerts, snoozes, update }: WindowState,
): PaletteCommand[] {
  const { dialogs, panel } = page
  const ofPage: PaletteCommand[] =
    opened === undefined
      ? []
      : [
          {
            name: `New alert for ${opened.id}`,
            run: () => {
              dialogs.show({ kind: 'newAlert', indexId: opened.id })
            },
          },
          {
            name: `Export values of ${opened.id}`,
            words: 'history csv parquet save file',
            run: () => {
              dialogs.show({ kind: 'exportValues', indexIds: [opened.id], title: opened.id })
            },
          },
          { name: `Close ${opened.id}`, keys: 'Esc', run: () => void panel.close() },
        ]
  const valueAt: PaletteCommand = {
    name: 'Value at…',
    words: 'history time when said in force',
    run: () => {
      dialogs.show({ kind: 'valueAt', indexId: opened?.id ?? settings.watchlists[0]?.entries[0]?.id ?? '' })
    },
  }
  const compare: PaletteCommand = {
    name: opened === undefined ? 'Compare indices' : `Compare ${opened.id}`,
    words: 'relative performance rebase from 100 percent difference ratio spread',
    run: go(placeOfComparison(opened === undefined ? [] : [opened.id])),
  }
  return [
    ...ofPage,
    compare,
    valueAt,
    ...listCommands(page, settings),
    ...alertCommands(page, { hasRules: alerts.length > 0, isMuted: muteOf(snoozes) !== undefined }),
    ...places,
    ...lookCommands(page, settings),
    ...otherCommands(page),
    ...updateCommands(page, update),
  ]
}

function listCommands({ actions, dialogs, route }: Page, { watchlists }: Settings): PaletteCommand[] {
  const sends = (command: PageCommand) => () => {
    dialogs.send(command)
  }
  return [
    {
      name: 'Add index',
      words: 'watch new',
      keys: 'Ctrl+N',
      run: () => {
        if (route.place.view !== 'watchlist') location.hash = 'watchlist'
        dialogs.show({ kind: 'addIndex' })
      },
    },
    { name: 'New list', words: 'watchlist create', run: sends('newList') },
    { name: 'Import lists', words: 'file json open', run: sends('importLists') },
    {
      name: 'Export all lists',
      words: 'file json save backup',
      run: () => void actions.exportLists(watchlists.map(({ id }) => id)),
    },
  ]
}

function alertCommands(page: Page, { hasRules, isMuted }: { hasRules: boolean; isMuted: boolean }): PaletteCommand[] {
  const { alertActions, dialogs } = page
  const untilSaid = () => void alertActions.snooze({ of: 'all' }, null, 'until you unmute them')
  const forAnHour = () => {
    const nowMs = Date.now()
    const untilMs = nowMs + 3_600_000
    void alertActions.snooze({ of: 'all' }, untilMs, `until ${untilText(untilMs, nowMs, display)}`)
  }
  const files: PaletteCommand[] = [
    ...(hasRules
      ? [{ name: 'Export alerts', words: 'rules file save backup', run: () => void alertActions.export() }]
      : []),
    {
      name: 'Import alerts',
      words: 'rules file open',
      run: () => {
        dialogs.send('importAlerts')
      },
    },
  ]
  return [
    {
      name: 'New alert',
      words: 'rule create add',
      run: () => {
        dialogs.show({ kind: 'newAlert' })
      },
    },
    { name: 'Mute alerts for 1 hour', words: 'snooze silence quiet', run: forAnHour },
    { name: 'Mute all alerts', words: 'snooze silence quiet', run: untilSaid },
    ...(isMuted
      ? [{ name: 'Unmute alerts', words: 'snooze silence end', run: () => void alertActions.endSnooze({ of: 'all' }) }]
      : []),
    ...files,
    { name: 'Send a test alert', words: 'notification try', run: () => void alertActions.sendTest() },
  ]
}

function go(hash: string): () => void {
  return () => {
    location.hash = hash
  }
}

const places: readonly PaletteCommand[] = [
  { name: 'Go to Indices', words: 'catalogue reference', keys: 'Ctrl+2', run: go('indices') },
  { name: 'Go to Alerts', words: 'rules inbox', keys: 'Ctrl+3', run: go('alerts') },
  { name: 'Go to Assistants', words: 'mcp tools', keys: 'Ctrl+4', run: go('assistants') },
  { name: 'Go to Settings', words: 'preferences connection key', keys: 'Ctrl+5', run: go('settings') },
  { name: 'Amendments of all indices', words: 'history ledger amended corrected go to', run: go('indices/amendments') },
  { name: 'Diagnostics', words: 'log errors counters support', run: go('settings/diagnostics') },
]

function lookCommands({ actions }: Page, { theme, density, showsTicker }: Settings): PaletteCommand[] {
  const themes = { light: 'Theme: light', dark: 'Theme: dark', system: 'Theme: system' } as const
  const otherDensity = density === 'compact' ? 'comfortable' : 'compact'
  const others = (['light', 'dark', 'system'] as const).filter((each) => each !== theme)
  return [
    ...others.map((each) => ({
      name: themes[each],
      words: 'appearance colours',
      run: () => void actions.setPreferences({ theme: each }),
    })),
    {
      name: `Rows: ${otherDensity}`,
      words: 'density appearance height',
      run: () => void actions.setPreferences({ density: otherDensity }),
    },
    {
      name: showsTicker ? 'Close ticker' : 'Show ticker',
      words: 'small window float on top glance',
      run: () => void actions.setPreferences({ showsTicker: !showsTicker }),
    },
  ]
}

function updateCommands({ actions }: Page, update: UpdateState | undefined): PaletteCommand[] {
  if (update === undefined) return []
  if (update.state === 'ready') {
    const name = `Restart to update to ${update.found.version}`
    return [{ name, words: 'version install new', run: () => void actions.restartToUpdate() }]
  }
  const check = () => {
    location.hash = 'settings/help'
    void actions.checkForUpdates()
  }
  return [{ name: 'Check for updates', words: 'version new about', run: check }]
}

function otherCommands({ actions, dialogs }: Page): PaletteCommand[] {
  return [
    { name: 'Reconnect now', words: 'connect again retry', run: () => void actions.reconnect() },
    { name: 'Mark all alerts as read', words: 'inbox', run: () => void actions.markInboxRead() },
    {
      name: 'Keyboard shortcuts',
      words: 'keys help',
      keys: '?',
      run: () => {
        dialogs.show({ kind: 'shortcuts' })
      },
    },
  ]
}
