import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line'
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line'
import BellPlus from '@lucide/svelte/icons/bell-plus'
import ChartSpline from '@lucide/svelte/icons/chart-spline'
import Clock from '@lucide/svelte/icons/clock'
import Copy from '@lucide/svelte/icons/copy'
import PanelRightOpen from '@lucide/svelte/icons/panel-right-open'
import Pin from '@lucide/svelte/icons/pin'
import PinOff from '@lucide/svelte/icons/pin-off'
import Sigma from '@lucide/svelte/icons/sigma'
import Trash from '@lucide/svelte/icons/trash-2'
import { parseFormula } from '../../../core/formula-id'
import type { WatchlistEntry } from '../../../core/model'
import type { Page } from '../../state/page'
import { comparisonAddress } from '../../state/route.svelte'
import type { MenuItem } from '../../ui/menu-item'

interface RowRuns {
  copy: () => void
  move: (to: 'top' | 'bottom') => void
  remove: () => void
}

/** The entries of a row's menu. */
export function rowItems(
  page: Page,
  listId: string,
  { id, maxResolution }: WatchlistEntry,
  runs: RowRuns,
): MenuItem[][] {
  const { perform, dialogs, mirror, panel, route } = page
  const isPinned = mirror.state?.settings.pinnedIds.includes(id) === true
  const isEveryTick = maxResolution === 'PER_200MS'
  const everyTick: MenuItem = {
    name: 'Every 200 ms',
    isChecked: isEveryTick,
    run: () =>
      void perform('setResolution', { listId, indexId: id, maxResolution: isEveryTick ? 'PER_SECOND' : 'PER_200MS' }),
  }
  const newAlert = () => dialogs.show({ kind: 'newAlert', indexId: id })
  const valueAt = () => dialogs.show({ kind: 'valueAt', indexId: id })
  const compare = () => route.go(comparisonAddress([id]))
  const isFormula = parseFormula(id) !== undefined
  const editFormula = () => dialogs.show({ kind: 'formula', indexId: id })
  const toTop = () => runs.move('top')
  const toBottom = () => runs.move('bottom')
  return [
    [
      { name: 'Open', Icon: PanelRightOpen, keys: 'Enter', run: () => void panel.open(id) },
      { name: 'New alert…', Icon: BellPlus, run: newAlert },
      { name: 'Compare', Icon: ChartSpline, run: compare },
      { name: 'Value at…', Icon: Clock, run: valueAt },
    ],
    [
      ...(mirror.row(id).quote === undefined ? [] : [{ name: 'Copy', Icon: Copy, keys: 'Ctrl+C', run: runs.copy }]),
      {
        name: isPinned ? 'Unpin from the tray' : 'Pin to the tray',
        Icon: isPinned ? PinOff : Pin,
        run: () => void perform('setPinned', { indexId: id, isPinned: !isPinned }),
      },
      { name: isFormula ? 'Edit formula…' : 'New formula…', Icon: Sigma, run: editFormula },
      ...(mirror.info(id)?.maxResolution === 'PER_200MS' ? [everyTick] : []),
      { name: 'Move to the top', Icon: ArrowUpToLine, keys: 'Alt+Home', run: toTop },
      { name: 'Move to the bottom', Icon: ArrowDownToLine, keys: 'Alt+End', run: toBottom },
    ],
    [{ name: 'Remove', Icon: Trash, keys: 'Del', run: runs.remove }],
  ]
}
