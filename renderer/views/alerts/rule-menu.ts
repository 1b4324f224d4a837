/** The menus of rules and events. */
import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import Bell from '@lucide/svelte/icons/bell'
import BellPlus from '@lucide/svelte/icons/bell-plus'
import BellRing from '@lucide/svelte/icons/bell-ring'
import CircleHelp from '@lucide/svelte/icons/circle-question-mark'
import Download from '@lucide/svelte/icons/download'
import ListTree from '@lucide/svelte/icons/list-tree'
import PanelRightOpen from '@lucide/svelte/icons/panel-right-open'
import Pencil from '@lucide/svelte/icons/pencil'
import Repeat from '@lucide/svelte/icons/repeat'
import Trash from '@lucide/svelte/icons/trash-2'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import Users from '@lucide/svelte/icons/users'
import { severities } from '../../../core/severity'
import type { AlertDraft, AlertSnooze, AlertView, SnoozeScope } from '../../../core/alerts'
import type { IndexId } from '../../../core/model'
import { present } from '../../../core/present'
import { scopeWords, snoozeOf } from '../../format/alert-states'
import { severityNames, tomorrowMs, untilText } from '../../format/alert-words'
import type { MenuItem } from '../../ui/menu-item'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'

const minuteMs = 60_000

/** Opens the index panel, which only shows beside a watchlist. */
export function openIndex({ panel, route }: Pick<Page, 'panel' | 'route'>, indexId: IndexId): void {
  route.go('watchlist')
  void panel.open(indexId)
}

export function isArmable({ phase }: AlertView): boolean {
  return phase === 'triggered' || phase === 'suspended'
}

/** Items that re-arm a rule, or those of `its` that can be, and open a new alert like it. */
export function rearmItems({ actions, dialogs, mirror }: Page, rule: AlertView, its = [rule]): MenuItem[] {
  const isOver = rule.phase === 'triggered' || rule.phase === 'suspended' || rule.phase === 'expired'
  const target = mirror.state?.listAlerts.find(({ id }) => id === rule.id)?.target
  const next = () => dialogs.show({ kind: 'newAlert', indexId: rule.indexId, draft: rule, target })
  return present<MenuItem>(rearmItem(actions, its), {
    name: isOver ? 'New alert like this…' : 'Duplicate…',
    Icon: BellPlus,
    run: next,
  })
}

function rearmItem(actions: Page['actions'], rules: readonly AlertView[]): MenuItem | undefined {
  const armable = rules.filter(isArmable)
  if (armable.length === 0) return undefined
  return { name: 'Re-arm', Icon: BellRing, run: () => void actions.rearmAlerts(armable) }
}

/** Edits an alert. Edits the alert on the list for a rule or a row of one. */
export function editRule({ dialogs, mirror }: Pick<Page, 'dialogs' | 'mirror'>, rule: AlertView): void {
  const ofList = mirror.state?.listAlerts.find(({ id }) => id === (rule.follows ?? rule.id))
  const { id, draft, target } = ofList ?? { id: rule.id, draft: rule, target: undefined }
  dialogs.show({ kind: 'newAlert', indexId: draft.indexId, draft, ruleId: id, target })
}

interface RuleRuns {
  snooze: () => void
  explain: () => void
  remove: () => void
  /** Unfolds or folds the rules of an alert on a list. */
  unfold: () => void
}

/** The menu of an alert. `its` are the rules of an alert on a list. */
export function ruleItems(page: Page, rule: AlertView, its: AlertView[] | undefined, runs: RuleRuns): MenuItem[][] {
  const { mirror, perform } = page
  const toDesk = () => void perform('moveToDesk', { ruleId: rule.id })
  const isMember = rule.follows !== undefined
  const isPlain = its === undefined && !isMember
  const open = its
    ? { name: 'Show or hide its indices', Icon: ListTree, keys: 'Enter', run: runs.unfold }
    : { name: 'Open index', Icon: PanelRightOpen, keys: 'Enter', run: () => openIndex(page, rule.indexId) }
  const edit = isMember ? 'Edit the alert on the list…' : 'Edit…'
  return [
    [open, { name: edit, Icon: Pencil, keys: 'F2', run: () => editRule(page, rule) }, ...rearmItems(page, rule, its)],
    present<MenuItem>(
      { name: 'Snooze…', Icon: AlarmClock, run: runs.snooze },
      its === undefined && { name: 'Why did it fire, or not?', Icon: CircleHelp, run: runs.explain },
      { name: 'Export…', Icon: Download, run: () => void perform('exportAlerts', { ruleIds: [rule.id] }) },
      isPlain && mirror.state?.desk && { name: 'Move to the desk', Icon: Users, run: toDesk },
    ),
    isMember ? [] : [{ name: 'Delete', Icon: Trash, keys: 'Del', run: runs.remove }],
  ]
}

/**
 * The menu of several selected alerts. Alerts that are over have no fields to change. `its` are the rules of one: itself, or
 * those of its list.
 */
export function selectedRulesItems(
  page: Page,
  rules: readonly AlertView[],
  { its, remove }: { its: (rule: AlertView) => readonly AlertView[]; remove: () => void },
): MenuItem[][] {
  const { actions, perform } = page
  const nowMs = Date.now()
  const scopes = rules.map(({ id }): SnoozeScope => ({ of: 'rule', ruleId: id }))
  const snoozes = snoozeSpans(nowMs).map(({ words, untilMs }) =>
    snoozeItem(actions, { name: `Snooze ${words}`, scopes, untilMs, nowMs }),
  )
  const running = rules.filter(({ phase }) => phase !== 'triggered' && phase !== 'expired')
  const change = (name: string, change: Partial<AlertDraft>, done: string): MenuItem => ({
    name,
    Icon: Pencil,
    run: () => void actions.editAlerts(running, change, done),
  })
  const severity = severities.map((each) =>
    change(severityNames[each], { severity: each }, `changed to severity ${severityNames[each]}`),
  )
  const repeat = [
    change('Once', { repeat: { mode: 'once' } }, 'changed to fire once'),
    change('Every time', { repeat: { mode: 'everyCrossing' } }, 'changed to fire every time'),
  ]
  return [
    running.length === 0
      ? []
      : [
          { name: 'Severity', Icon: TriangleAlert, groups: [severity] },
          { name: 'Repeat', Icon: Repeat, groups: [repeat] },
        ],
    present<MenuItem>(rearmItem(actions, rules.flatMap(its)), ...snoozes, {
      name: 'Export…',
      Icon: Download,
      run: () => void perform('exportAlerts', { ruleIds: rules.map(({ id }) => id) }),
    }),
    [{ name: 'Delete', Icon: Trash, keys: 'Del', run: remove }],
  ]
}

function snoozeItem(
  actions: Page['actions'],
  { name, scopes, untilMs, nowMs }: { name: string; scopes: SnoozeScope[]; untilMs: number; nowMs: number },
): MenuItem {
  const until = `until ${untilText(untilMs, nowMs, display)}`
  return { name, Icon: AlarmClock, run: () => void actions.snooze(scopes, untilMs, until) }
}

/** The offered snoozes with their ends. */
function snoozeSpans(nowMs: number): { words: string; untilMs: number }[] {
  const tomorrow = tomorrowMs(nowMs, display)
  return [
    { words: 'for 5 min', untilMs: nowMs + 5 * minuteMs },
    { words: 'for 1 h', untilMs: nowMs + 60 * minuteMs },
    { words: `until tomorrow, ${untilText(tomorrow, tomorrow, display)}`, untilMs: tomorrow },
  ]
}

/** Items that end the present snooze, and that snooze the rule, its index or its group. */
export function snoozeItems(
  { actions, perform }: Page,
  rule: AlertView,
  snoozes: readonly AlertSnooze[],
  nowMs: number,
): MenuItem[][] {
  const scopes = present<SnoozeScope>(
    { of: 'rule', ruleId: rule.id },
    rule.anyOf === undefined && { of: 'index', indexId: rule.indexId },
    rule.group !== undefined && { of: 'group', group: rule.group },
  )
  const ended = snoozeOf(rule, snoozes)?.scope
  const end = present<MenuItem>(
    ended && {
      name: ended.of === 'all' ? 'Unmute alerts' : `End snooze: ${scopeWords(ended)}`,
      Icon: Bell,
      run: () => void perform('endSnooze', { scope: ended }),
    },
  )
  const choices = scopes.map((scope) =>
    snoozeSpans(nowMs).map(({ words, untilMs }) =>
      snoozeItem(actions, { name: `${scopeWords(scope)} ${words}`, scopes: [scope], untilMs, nowMs }),
    ),
  )
  return [end, ...choices]
}

/** Items that mute all alerts. */
export function muteItems({ actions }: Page, nowMs: number): MenuItem[] {
  const scopes: SnoozeScope[] = [{ of: 'all' }]
  const tomorrow = tomorrowMs(nowMs, display)
  const name = `Until tomorrow, ${untilText(tomorrow, tomorrow, display)}`
  const untilSaid = () => void actions.snooze(scopes, null, 'until you unmute them')
  return [
    { name: 'For 1 h', Icon: AlarmClock, run: () => void actions.muteForAnHour() },
    snoozeItem(actions, { name, scopes, untilMs: tomorrow, nowMs }),
    { name: 'Until I unmute', Icon: AlarmClock, run: untilSaid },
  ]
}
