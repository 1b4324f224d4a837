/** The views of the window in their states, with a fake app. The playground shows them. Page tests open them by name. */
import type { OpenedIndex, WindowSnapshot } from '../../protocol/desktop'
import type { AlertDraft } from '../../core/alerts'
import { toJson } from '../../protocol/json'
import type { IndexId, Settings } from '../../core/model'
import { blindSnapshot, keepInbox, longInbox, richSnapshot, workAlerts } from '../support/alert-commands'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { longSnapshot } from '../support/list-commands'
import { familyBase, familyClosing, manyConstituents, sampleMembership } from '../support/many-constituents'
import { firedEvent, flappingInbox, levelDraft, ruleView, sampleRules, listAlertWindow } from '../support/sample-alerts'
import { chartAnswer, comparedAnswer, fixingsAnswer, sampleFirings, sampleSeries } from '../support/sample-chart'
import { sampleAway, sampleAwayReport } from '../support/sample-away'
import { sampleAssistants } from '../support/sample-assistants'
import { sampleConnections, sampleDiagnostics } from '../support/sample-connections'
import { basisId, formulaSnapshot, incompleteMeanId, meanSnapshot } from '../support/sample-formulas'
import { keepAmendments, sampleAmendments, sampleValueAt } from '../support/sample-history'
import { sampleTickers } from '../support/sample-tickers'
import { sampleMethodology, sampleToolResult } from '../support/sample-tools'
import { sampleOpened } from '../support/sample-opened'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { sampleWebhooks } from '../support/sample-webhooks'
import { snapshotWithLists } from '../support/working-lists'

export interface Story {
  /** The part of the address after `#`. */
  view?: string
  /** The index whose own window is shown, instead of the main window. */
  ownWindowOf?: IndexId
  /** The state of the app. By default a window in full use. */
  snapshot?: () => WindowSnapshot
  /** Prepares the fake, before `answers`. */
  prepare?: (fake: FakeDesktop) => void
  /** Further answers of the fake, by command. */
  answers?: FakeDesktop['handlers']
  /** Keys to press once the view is shown, such as `Control+k`. */
  press?: string
  /** Name of a button to click once the view is shown. */
  click?: string
  /** Name of an item to choose from the menu of that button. */
  item?: string
  /** Entries of the page's storage. */
  stored?: Record<string, string>
  /** Name of a tab to choose once the view is shown. */
  tab?: string
  /** Sends new values, only in the playground. */
  live?: (fake: FakeDesktop) => void
}

/** A window with some changed settings. */
function withSettings(change: Partial<Settings>): WindowSnapshot {
  const snapshot = sampleSnapshot()
  Object.assign(snapshot.state.settings, change)
  return snapshot
}

/** A window with webhooks: one works, one fails, one has lost its secret. */
function withWebhooks(): WindowSnapshot {
  const snapshot = withSettings({ webhooks: structuredClone(sampleWebhooks) })
  snapshot.state.secretsKept = { slack: 'keyring', ntfy: 'session' }
  snapshot.state.webhookFaults = { ntfy: 'ntfy.sh answered 403: forbidden' }
  return snapshot
}

const noWatcher = 'No one is judging the desk’s alerts since 09:41'

/** A seat of a desk, with two alerts. */
function withDesk(state: 'judged' | 'notJudged', words: string, isJudgedHere = false): WindowSnapshot {
  const snapshot = withSettings({ desk: { address: 'tls://desk.example:4222', name: 'london', user: 'ana' } })
  const [rise, fall] = sampleRules
  const alerts = [rise, fall].flatMap((rule) =>
    rule === undefined ? [] : [{ rule, by: 'ben', atMs: sampleNowMs - 7_200_000 }],
  )
  snapshot.state.desk = { state, words, alerts, lists: { refused: [], newerIds: [] }, isJudgedHere }
  snapshot.state.inbox = snapshot.state.inbox.map((event) => ({
    ...event,
    desk: { watcher: 'watch-1', isLate: false },
  }))
  if (isJudgedHere && snapshot.state.inbox[0]) snapshot.state.inbox[0].desk = { isLate: false }
  const mark = (by: string, minutesAgo: number) => ({ by, atMs: sampleNowMs - minutesAgo * 60_000 })
  const [newest, second] = snapshot.state.inbox
  if (newest) snapshot.state.deskSeen[newest.id] = { seen: [mark('ben', 14), mark('ana', 3), mark('cem', 2)] }
  if (second) snapshot.state.deskSeen[second.id] = { seen: [mark('ben', 90)], taken: mark('ben', 88) }
  return snapshot
}

/** A list of the desk, with a change that came second. */
function withDeskList(state: 'judged' | 'unknown'): WindowSnapshot {
  const snapshot = withDesk('judged', 'Checked by watch-1')
  const { desk, settings } = snapshot.state
  const [list] = settings.watchlists
  if (desk === null || list === undefined) return snapshot
  list.desk = { id: 'shared', begunAtMs: 1, by: 'ben', atMs: sampleNowMs - 60_000 }
  settings.watchlists.push({ id: 'own', name: 'Rates', entries: list.entries.slice(0, 2) })
  const words = 'ben changed this list at 14:01: added NCI, moved rows. You: removed BRR.'
  const refused = state === 'judged' ? [{ id: 'refused', listId: list.id, words }] : []
  snapshot.state.desk = { ...desk, state, lists: { refused, newerIds: ['another'] } }
  return snapshot
}

/** A reference rate with its fixings. For some of them the history has no value of the real-time index. */
function answerFixings(fake: FakeDesktop): void {
  fake.handlers.getChart = fixingsAnswer()
  fake.handlers.getValueAt = ({ indexId, atMs }) => {
    const daysAgo = (sampleNowMs - atMs) / 86_400_000
    if (daysAgo > 4) return ok(toJson({ id: indexId, atMs, revisions: [] }))
    return ok(toJson(sampleValueAt(indexId, daysAgo > 3 ? atMs - 3_600_000 : atMs)))
  }
}

/** A window with an available update. */
function withUpdate(state: 'ready' | 'available' | 'downloading'): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const notes = [
    'Added',
    '- Export of values as Parquet.',
    '- An alert can have hours: “Mon–Fri 15:30–16:15 London”.',
    '',
    'Fixed',
    '- An amendment that arrives before its value is kept until that comes.',
  ].join('\n')
  const found = { version: '0.2.0', notes }
  snapshot.state.update = state === 'downloading' ? { state, found, percent: 43 } : { state, found }
  return snapshot
}

/** A window with calls of two assistants, and an alert that one proposes. */
function withAssistants(): WindowSnapshot {
  const snapshot = withSettings({ allowsAssistants: true })
  snapshot.state.assistants = sampleAssistants
  return snapshot
}

function offline(): WindowSnapshot {
  const snapshot = sampleSnapshot({ source: 'cache' })
  snapshot.state.status = {
    state: 'offline',
    name: 'The desk in Frankfurt and the one in London',
    isDemo: false,
    streamCount: 0,
    problem: 'The connection was lost.',
    retryInMs: 3_000,
  }
  const { name, state, streamCount, problem } = snapshot.state.status
  const listedAtMs = sampleNowMs - 3 * 86_400_000
  snapshot.state.connections = [
    { id: 'desk', name, isDemo: false, state, streamCount, indexCount: 0, listedAtMs, ...(problem && { problem }) },
  ]
  snapshot.state.notices = [{ id: 'n', message: 'The settings file could not be read.' }]
  return snapshot
}

function notAuthorised(): WindowSnapshot {
  const snapshot = sampleSnapshot({ source: 'cache' })
  const problem = 'The provider refused this key.'
  snapshot.state.status = { state: 'notAuthorised', name: 'Desk', isDemo: false, streamCount: 0, problem }
  return snapshot
}

function stale(): WindowSnapshot {
  const snapshot = sampleSnapshot()
  snapshot.quotes = snapshot.quotes.map((quote) => ({
    ...quote,
    ageMs: 600_000,
    publishedAtMs: quote.publishedAtMs - 600_000,
  }))
  return snapshot
}

function empty(): WindowSnapshot {
  const snapshot = withSettings({ watchlists: [{ id: 'watchlist', name: 'My list', entries: [] }] })
  Object.assign(snapshot.state, { alerts: [], inbox: [], unreadCount: 0 })
  return snapshot
}

/** A window with an open index. */
function opened(id: string, change: Partial<OpenedIndex> = {}): WindowSnapshot {
  const snapshot = sampleSnapshot()
  snapshot.state.opened = { ...sampleOpened(id), ...change }
  return snapshot
}

function chart(fake: FakeDesktop): void {
  fake.handlers.getChart = chartAnswer(sampleSeries())
}

function alerts(fake: FakeDesktop): void {
  workAlerts(fake)
  keepInbox(fake, () => fake.snapshot.state.inbox)
  fake.handlers.explainAlert = () => ok(toJson([]))
}

/** The settlement of BRTI at a time this many seconds after the newest value, with a value a second until then. */
function settlement(
  secondsAhead: number,
  {
    missing = [],
    isAmended = false,
    preset = 'kalshi',
  }: { missing?: number[]; isAmended?: boolean; preset?: string } = {},
): Story {
  const newestMs = Math.floor(sampleNowMs / 1_000) * 1_000
  const closeMs = newestMs + secondsAhead * 1_000
  const values = sampleSeries().filter((_, at, all) => !missing.includes(all.length - 1 - at))
  const third = values.at(-60)
  if (isAmended && third) values.push({ ...third, value: '68223.40', amendedAtMs: closeMs + 20_000 })
  const strikes = [
    { kind: 'atLeast', level: '68080' },
    { kind: 'above', level: '68124.99' },
    { kind: 'between', level: '68000', high: '68099.99' },
  ]
  return {
    snapshot: () => opened('BRTI'),
    prepare: chart,
    answers: {
      getRevisions: ({ fromMs, toMs }) => {
        const within = values.filter(({ publishedAtMs }) => publishedAtMs >= fromMs && publishedAtMs <= toMs)
        return ok(toJson({ values: within }))
      },
    },
    stored: { 'settlement BRTI': JSON.stringify({ preset, closeMs, strikes }) },
    tab: 'Settlement',
  }
}

/** Moves each value a little up or down, five times a second. */
function tick(fake: FakeDesktop): void {
  setInterval(() => {
    const quotes = fake.snapshot.quotes.map((quote) => ({
      ...quote,
      value: (Number(quote.value) * (1 + (Math.random() - 0.5) / 2_000)).toFixed(
        quote.value.split('.')[1]?.length ?? 0,
      ),
      publishedAtMs: Date.now(),
      ageMs: 0,
    }))
    void fake.push({ quotes })
  }, 200)
}

/** Fires only in the hours of the settlement window. */
const atTheClose: AlertDraft = {
  ...levelDraft(),
  hours: {
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '15:30',
    to: '16:15',
    timeZone: 'Europe/London',
    alsoIfTrue: true,
  },
  cooldownMs: 15 * 60_000,
  note: 'Sell a third',
}

const manyMembers = manyConstituents(500, 0)

const named = {
  watchlist: {},
  'watchlist, comfortable': {
    snapshot: () => withSettings({ density: 'comfortable', directionColours: 'blueUp' }),
  },
  'watchlist, ticking': { live: tick },
  'watchlist, a thousand indices': { snapshot: () => longSnapshot(1_000) },
  'watchlist, several lists': { snapshot: () => snapshotWithLists('Bitcoin', 'Baskets') },
  'watchlist, sections': {
    snapshot: () => {
      const snapshot = sampleSnapshot()
      const sections = [
        { id: 'live', name: 'Real time', at: 0 },
        { id: 'baskets', name: 'Baskets and rates', at: 4 },
      ]
      const settings = snapshot.state.settings
      settings.watchlists = settings.watchlists.map((list) => ({ ...list, sections }))
      return snapshot
    },
  },
  'watchlist, offline': { snapshot: offline },
  'watchlist, not authorised': { snapshot: notAuthorised },
  'watchlist, stale': { snapshot: stale },
  'watchlist, messages below': {
    snapshot: () => {
      const snapshot = sampleSnapshot()
      const unknown = { ruleId: 'r3', delivery: 'unknown', recordedAtMs: sampleNowMs } as const
      const urgent = { ...levelDraft('1.20', { indexId: 'XRPUSD_RTI' }), severity: 'urgent' } as const
      snapshot.state.inbox = [
        firedEvent(23, urgent, unknown),
        ...[22, 21, 20].map((number) => firedEvent(number, levelDraft(), { ...unknown, ruleId: 'r1' })),
        ...snapshot.state.inbox,
      ]
      return snapshot
    },
    click: 'Actions for NCI',
    item: 'Remove',
  },
  'watchlist, empty': { snapshot: empty },
  'back after two hours': {
    snapshot: () => {
      const snapshot = sampleSnapshot()
      snapshot.state.away = sampleAway
      return snapshot
    },
    answers: { getAwayReport: () => ok(toJson(sampleAwayReport)) },
  },
  'add index': { press: 'Control+n' },
  'import tickers': {
    answers: { chooseListFile: () => ok(sampleTickers()) },
    click: 'Import and export watchlists',
    item: 'Import watchlists…',
  },
  formulas: { snapshot: formulaSnapshot },
  'new formula': { snapshot: formulaSnapshot, click: 'Actions for BRTI', item: 'New formula…' },
  'index, formula': {
    snapshot: () => {
      const snapshot = formulaSnapshot()
      snapshot.state.opened = { id: basisId, problems: [] }
      return snapshot
    },
    prepare: chart,
  },
  means: { snapshot: meanSnapshot },
  'new mean': { snapshot: meanSnapshot, click: 'Actions for mean(ETHUSD_RTI, 300)', item: 'Edit formula…' },
  'index, mean': {
    snapshot: () => {
      const snapshot = meanSnapshot()
      snapshot.state.opened = { id: incompleteMeanId, problems: [] }
      return snapshot
    },
    prepare: chart,
  },
  'start, no answer': {
    answers: { getSnapshot: () => refused('internal', 'This did not work.') },
  },
  'index, chart and market conditions': { snapshot: () => opened('BRTI'), prepare: chart },
  'index, market history': { snapshot: () => opened('BRTI'), prepare: chart, tab: 'Market' },
  'index, market history, offline': {
    snapshot: () => {
      const snapshot = offline()
      snapshot.state.opened = { ...sampleOpened('BRTI'), remembered: { conditions: sampleNowMs - 500 } }
      return snapshot
    },
    prepare: chart,
    tab: 'Market',
  },
  'index, alerts on the chart': {
    snapshot: () => opened('BRTI'),
    prepare: chart,
    answers: { getIndexEvents: () => ok(toJson(sampleFirings())) },
  },
  'index, custom range': { snapshot: () => opened('BRTI'), prepare: chart, click: 'Custom range' },
  'index, chart refused': {
    snapshot: () => opened('BRTI'),
    answers: { getChart: () => refused('unreachable', 'The provider did not answer.') },
  },
  'index, exchange family': { snapshot: () => opened('NCI'), prepare: chart },
  'index, with a base': { snapshot: () => opened('NCI', { base: familyBase() }), prepare: chart },
  'index, since the close': { snapshot: () => opened('NCI', { closing: familyClosing() }), prepare: chart },
  'index, membership': {
    snapshot: () => opened('NCI'),
    prepare: chart,
    answers: { getMembership: () => ok(toJson(sampleMembership)) },
    click: 'Constituent changes of NCI',
  },
  'index, constituent changes not known': {
    snapshot: () => opened('NCI'),
    prepare: chart,
    click: 'Constituent changes of NCI',
  },
  'index, 500 constituents': {
    snapshot: () => opened('NCI', { constituents: manyMembers, firstConstituents: manyMembers }),
    prepare: chart,
  },
  'index, corporate action': { snapshot: () => opened('TSLAXUSD_RTI'), prepare: chart },
  'index, offline': {
    snapshot: () => {
      const snapshot = offline()
      const parts = sampleOpened('NCI')
      const learnedAtMs = sampleNowMs - 3_600_000
      snapshot.state.opened = { ...parts, remembered: { detail: learnedAtMs, constituents: learnedAtMs } }
      return snapshot
    },
    prepare: chart,
  },
  'index, nothing known yet': { snapshot: () => opened('BRR') },
  'index, amendments': {
    snapshot: () => opened('BRTI'),
    prepare: (fake) => {
      chart(fake)
      keepAmendments(fake, () => sampleAmendments(20))
    },
    tab: 'Amendments',
  },
  'index, no amendments': { snapshot: () => opened('BRTI'), prepare: chart, tab: 'Amendments' },
  'index, fixings of a real-time index': {
    snapshot: () => opened('BRTI'),
    prepare: (fake) => {
      answerFixings(fake)
      chart(fake)
    },
    tab: 'Fixings',
  },
  'index, in its own window': {
    ownWindowOf: 'BRTI',
    snapshot: () => opened('BRTI'),
    prepare: chart,
  },
  'index, settlement before': settlement(400),
  'index, settlement running': settlement(22),
  'index, settlement complete': settlement(-30),
  'index, settlement incomplete': settlement(-30, { missing: [40, 41] }),
  'index, settlement amended': settlement(-30, { isAmended: true }),
  'index, settlement of thirty minutes': settlement(300, { preset: 'kraken' }),
  'index, fixings of a daily rate': {
    snapshot: () => opened('BRR'),
    prepare: answerFixings,
    tab: 'Fixings',
  },
  'fixing sheet': { view: 'fixing/BRR', snapshot: () => opened('BRR'), prepare: answerFixings },
  'fixing sheet, overdue and offline': {
    view: 'fixing/BRR',
    snapshot: () => {
      const snapshot = opened('BRR')
      const { status } = snapshot.state
      snapshot.state.status = { ...status, state: 'offline' }
      snapshot.quotes = snapshot.quotes.map((quote) => {
        const publishedAtMs = quote.publishedAtMs - 86_400_000
        return quote.id === 'BRR' ? { ...quote, publishedAtMs, source: 'cache', isRepeatOfPrevious: true } : quote
      })
      return snapshot
    },
    prepare: answerFixings,
    // The last fixing is that of the previous day.
    answers: { getChart: fixingsAnswer(1) },
  },
  'value at a time': {
    snapshot: () => opened('BRTI'),
    prepare: chart,
    answers: { getValueAt: ({ indexId, atMs }) => ok(toJson(sampleValueAt(indexId, atMs))) },
    click: 'History of BRTI',
    item: 'Value at…',
  },
  'export values': {
    snapshot: () => opened('BRTI'),
    prepare: chart,
    answers: { exportValues: () => refused('diskFull', 'values.csv was not saved: the disk is full.') },
    click: 'History of BRTI',
    item: 'Export values…',
  },
  'save table': { click: 'Export list…' },
  compare: {
    view: 'compare/BRTI,ETHUSD_RTI,NCI',
    answers: { getChart: comparedAnswer },
  },
  'compare, one index': {
    view: 'compare/BRTI',
    answers: { getChart: comparedAnswer },
  },
  'compare, nothing': { view: 'compare' },
  indices: { view: 'indices' },
  amendments: {
    view: 'indices/amendments',
    prepare: (fake) => keepAmendments(fake, () => sampleAmendments(60)),
  },
  'amendments, none': { view: 'indices/amendments' },
  'amendments, offline': {
    view: 'indices/amendments',
    snapshot: offline,
    prepare: (fake) => keepAmendments(fake, () => sampleAmendments(7)),
  },
  'amendments, not readable': {
    view: 'indices/amendments',
    answers: { getAmendments: () => refused('notReady', 'The history is not open yet.') },
  },
  alerts: { view: 'alerts', prepare: alerts },
  'alerts, every kind': { view: 'alerts', snapshot: () => richSnapshot(), prepare: alerts },
  'alerts, without data': { view: 'alerts', snapshot: blindSnapshot, prepare: alerts },
  'alerts, muted': {
    view: 'alerts',
    snapshot: () => richSnapshot({ snoozes: [{ scope: { of: 'all' }, untilMs: null }] }),
    prepare: alerts,
  },
  'alerts, 2,000 rules and a long inbox': {
    view: 'alerts',
    snapshot: () =>
      richSnapshot({
        alerts: Array.from({ length: 2_000 }, (_, at) => ruleView(`many-${at}`, levelDraft(`${60_000 + at}.00`))),
        inbox: longInbox(200),
      }),
    prepare: alerts,
  },
  'alerts, rules that fire again and again': {
    view: 'alerts',
    snapshot: () => richSnapshot({ inbox: flappingInbox() }),
    prepare: alerts,
    click: '6 events of BRTI',
  },
  'alerts, on a list': {
    view: 'alerts',
    snapshot: () => richSnapshot(listAlertWindow),
    prepare: alerts,
    click: 'Indices of the alert: Any of My list moves within 15 min by 3 %',
  },
  'new alert, on a list': {
    view: 'alerts',
    snapshot: () => richSnapshot(listAlertWindow),
    prepare: alerts,
    click: 'Actions for the alert: Any of My list moves within 15 min by 3 %',
    item: 'Edit…',
  },
  'new alert, templates': {
    view: 'alerts',
    snapshot: () => withSettings({ alertTemplates: [{ name: 'Two percent', draft: { ...levelDraft() } }] }),
    prepare: alerts,
    click: 'New alert',
  },
  'alerts, none': { view: 'alerts', snapshot: empty, prepare: alerts },
  'alerts, desk': { view: 'alerts', snapshot: () => withDesk('judged', 'Checked by watch-1'), prepare: alerts },
  'list of the desk, changed twice': { snapshot: () => withDeskList('judged') },
  'list of the desk, no server': { snapshot: () => withDeskList('unknown') },
  'alerts, desk without a watcher': {
    view: 'alerts',
    snapshot: () => withDesk('notJudged', noWatcher),
    prepare: alerts,
  },
  'alerts, desk judged here': {
    view: 'alerts',
    snapshot: () => withDesk('notJudged', noWatcher, true),
    prepare: alerts,
  },
  'new alert': { view: 'alerts', prepare: alerts, click: 'New alert' },
  'edit alert, hours and more': {
    view: 'alerts',
    snapshot: () => richSnapshot({ alerts: [ruleView('r1', atTheClose)] }),
    prepare: alerts,
    click: 'Actions for the alert: BRTI rises to 68,500.00, Mon–Fri 15:30–16:15 London',
    item: 'Edit…',
  },
  assistants: { view: 'assistants' },
  'assistants, with calls and a proposal': { view: 'assistants', snapshot: withAssistants },
  'assistants, a tool that answered': {
    view: 'assistants/get_historical_results/index=BRTI',
    prepare: (fake) => {
      fake.handlers.runServiceTool = async () => {
        await fake.push({ state: { toolCalls: [sampleToolResult.call] } })
        return ok(toJson(sampleToolResult))
      }
    },
    click: 'Run',
  },
  'index, its methodology': {
    view: 'index/NCI',
    answers: { runServiceTool: () => ok(toJson(sampleMethodology)) },
    click: 'History of NCI',
    item: 'Methodology',
  },
  'assistants, set up': { view: 'settings/assistants', snapshot: withAssistants },
  spreadsheets: {
    view: 'settings/spreadsheets',
    snapshot: () => withSettings({ allowsSpreadsheets: true }),
    click: 'Create token',
  },
  settings: { view: 'settings' },
  'settings, network': { view: 'settings/network' },
  connections: { view: 'settings/connections', snapshot: sampleConnections },
  webhooks: { view: 'settings/webhooks', snapshot: withWebhooks },
  'webhook, new': { view: 'settings/webhooks', snapshot: withWebhooks, click: 'Add webhook' },
  'webhook, edited': { view: 'settings/webhooks', snapshot: withWebhooks, click: 'Edit Desk channel' },
  'webhook, with many fields': { view: 'settings/webhooks', snapshot: withWebhooks, click: 'Edit Phone' },
  desk: { view: 'settings/desk', snapshot: () => withDesk('notJudged', noWatcher) },
  'desk, edited': {
    view: 'settings/desk',
    snapshot: () => withDesk('judged', 'Checked by watch-1'),
    click: 'Edit the desk',
  },
  diagnostics: {
    view: 'settings/diagnostics',
    snapshot: sampleConnections,
    answers: { getDiagnostics: () => ok(toJson(sampleDiagnostics)) },
  },
  'update, ready': { snapshot: () => withUpdate('ready') },
  'update, to be downloaded': { snapshot: () => withUpdate('available') },
  'update, notes': { snapshot: () => withUpdate('ready'), click: 'What’s new' },
  'update, downloading': { view: 'settings/help', snapshot: () => withUpdate('downloading') },
  palette: { press: 'Control+k' },
  'keyboard shortcuts': { press: 'F1' },
} satisfies Record<string, Story>

export type StoryName = keyof typeof named

export const storyNames = Object.keys(named) as StoryName[]

export function storyNamed(name: StoryName): Story {
  return named[name]
}

/** Gives a fake the answers of a story. */
export function prepareFake(fake: FakeDesktop, { prepare, answers }: Story): void {
  prepare?.(fake)
  Object.assign(fake.handlers, answers)
}
