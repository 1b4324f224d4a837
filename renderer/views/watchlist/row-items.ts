import AppWindow from '@lucide/svelte/icons/app-window'
import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line'
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line'
import BellPlus from '@lucide/svelte/icons/bell-plus'
import ChartSpline from '@lucide/svelte/icons/chart-spline'
import Clock from '@lucide/svelte/icons/clock'
import Copy from '@lucide/svelte/icons/copy'
import List from '@lucide/svelte/icons/list'
import ListEnd from '@lucide/svelte/icons/list-end'
import ListPlus from '@lucide/svelte/icons/list-plus'
import PanelRightOpen from '@lucide/svelte/icons/panel-right-open'
import Pin from '@lucide/svelte/icons/pin'
import PinOff from '@lucide/svelte/icons/pin-off'
import Plus from '@lucide/svelte/icons/plus'
import SeparatorHorizontal from '@lucide/svelte/icons/separator-horizontal'
import Sigma from '@lucide/svelte/icons/sigma'
import Trash from '@lucide/svelte/icons/trash-2'
import { parseFormula } from '../../../core/formula-id'
import type { IndexId, Watchlist, WatchlistEntry } from '../../../core/model'
import { present } from '../../../core/present'
import { maxCompared } from '../../../protocol/responses'
import type { Page } from '../../state/page'
import { comparisonAddress } from '../../state/route.svelte'
import type { MenuItem } from '../../ui/menu-item'

interface RowRuns {
  copy: () => void
  move: (to: 'top' | 'bottom') => void
  remove: () => void
}

/** The entries of a row's menu. */
export function rowItems(page: Page, list: Watchlist, entry: WatchlistEntry, runs: RowRuns): MenuItem[][] {
  const { perform, dialogs, mirror, panel } = page
  const { id, maxResolution } = entry
  const isPinned = mirror.state?.settings.pinnedIds.includes(id) === true
  const isEveryTick = maxResolution === 'PER_200MS'
  const otherResolution = isEveryTick ? 'PER_SECOND' : 'PER_200MS'
  const newAlert = () => dialogs.show({ kind: 'newAlert', indexId: id })
  const valueAt = () => dialogs.show({ kind: 'valueAt', indexId: id })
  const isFormula = parseFormula(id) !== undefined
  const editFormula = () => dialogs.show({ kind: 'formula', indexId: id })
  return [
    [
      { name: 'Open', Icon: PanelRightOpen, keys: 'Enter', run: () => void panel.open(id) },
      {
        name: 'Open in a new window',
        Icon: AppWindow,
        keys: 'Shift+Enter',
        run: () => void perform('openIndexWindow', { indexId: id }),
      },
      { name: 'New alert…', Icon: BellPlus, keys: 'A', run: newAlert },
      compareItem(page, [id]),
      { name: 'Value at…', Icon: Clock, run: valueAt },
    ],
    listItems(page, list, [id]),
    present<MenuItem>(
      mirror.row(id).quote !== undefined && copyItem(runs),
      {
        name: isPinned ? 'Unpin from the tray' : 'Pin to the tray',
        Icon: isPinned ? PinOff : Pin,
        run: () => void perform('setPinned', { indexId: id, isPinned: !isPinned }),
      },
      { name: isFormula ? 'Edit formula…' : 'New formula…', Icon: Sigma, run: editFormula },
      mirror.info(id)?.maxResolution === 'PER_200MS' && {
        name: 'Every 200 ms',
        isChecked: isEveryTick,
        run: () => void perform('setResolution', { listId: list.id, indexId: id, maxResolution: otherResolution }),
      },
      ...moveItems(runs),
      list.sort === undefined && {
        name: 'New section above…',
        Icon: SeparatorHorizontal,
        run: () => dialogs.show({ kind: 'sectionName', listId: list.id, beforeId: id }),
      },
    ),
    [removeItem(runs)],
  ]
}

/** The entries of the menu of several selected rows. */
export function selectedRowsItems(page: Page, list: Watchlist, ids: readonly IndexId[], runs: RowRuns): MenuItem[][] {
  return [
    present<MenuItem>(
      {
        name: 'New alert on each…',
        Icon: BellPlus,
        run: () => page.dialogs.show({ kind: 'newAlert', indexIds: ids, indexId: ids[0] }),
      },
      ids.length <= maxCompared && compareItem(page, ids),
      copyItem(runs),
    ),
    listItems(page, list, ids),
    moveItems(runs),
    [removeItem(runs)],
  ]
}

function compareItem({ route }: Page, ids: readonly IndexId[]): MenuItem {
  return { name: 'Compare', Icon: ChartSpline, run: () => route.go(comparisonAddress(ids)) }
}

function copyItem({ copy }: RowRuns): MenuItem {
  return { name: 'Copy', Icon: Copy, keys: 'Ctrl+C', run: copy }
}

function moveItems({ move }: RowRuns): MenuItem[] {
  return [
    { name: 'Move to the top', Icon: ArrowUpToLine, keys: 'Alt+Home', run: () => move('top') },
    { name: 'Move to the bottom', Icon: ArrowDownToLine, keys: 'Alt+End', run: () => move('bottom') },
  ]
}

function removeItem({ remove }: RowRuns): MenuItem {
  return { name: 'Remove', Icon: Trash, keys: 'Del', run: remove }
}

/** The menus of the other lists. */
function listItems({ listActions }: Page, list: Watchlist, ids: readonly IndexId[]): MenuItem[] {
  const others = (isCopy: boolean): MenuItem[][] => {
    const items = listActions
      .destinations(list, ids, isCopy)
      .map(({ name, run }) => (name === undefined ? { name: 'New list…', Icon: Plus, run } : { name, Icon: List, run }))
    return [items.slice(0, -1), items.slice(-1)]
  }
  return [
    { name: 'Add to list', Icon: ListPlus, groups: others(true) },
    { name: 'Move to list', Icon: ListEnd, groups: others(false) },
  ]
}
