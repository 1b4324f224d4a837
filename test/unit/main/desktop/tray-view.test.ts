import { describe, expect, test } from 'vitest'
import { trayView, type TrayQuote } from '../../../../main/desktop/tray-view'
import { firstSettings } from '../../../../main/storage/settings'
import type { ConnectionState, ConnectionStatus, Quote, Settings } from '../../../../core/model'
import { alertsOff } from '../../../support/sample-alerts'
import { trayItems } from '../../../support/tray-items'

const noon = new Date(2023, 10, 1, 12, 0, 1).getTime()

function status(state: ConnectionState, more: Partial<ConnectionStatus> = {}): ConnectionStatus {
  return { state, name: 'Environment', isDemo: false, streamCount: 0, ...more }
}

function quote(id: string, value: string, source: Quote['source'] = 'stream'): Quote {
  return { id, value, publishedAtMs: noon, source }
}

/** The tray on the day of the values. */
const trayOf = (
  one: ConnectionStatus,
  quotes: TrayQuote[],
  {
    preferences,
    ...more
  }: Partial<Omit<Parameters<typeof trayView>[2], 'preferences'>> & {
    preferences?: Partial<Settings>
  } = {},
) =>
  trayView(one, quotes, {
    unread: 0,
    withoutData: 0,
    judging: { state: 'judged' },
    nowMs: noon,
    preferences: { ...firstSettings(), ...preferences },
    isStale: () => false,
    maxTooltip: Infinity,
    isPaused: false,
    ...more,
  })

const shown = (one: ConnectionStatus, quotes: Quote[], unread: number) => trayOf(one, quotes, { unread })

function labels(view: ReturnType<typeof trayView>): string[] {
  return view.items.flatMap((item) => {
    if (item.kind === 'separator') return []
    return [item.kind === 'index' ? item.id : item.label]
  })
}

describe('the tray', () => {
  test('has names in the menu, and exact values with their times in the tooltip', () => {
    const ids = ['A', 'B', 'C', 'D', 'E', 'F']
    const quotes = ids.map((id) => quote(id, '79767.340'))
    const view = shown(status('live'), quotes, 0)
    expect(labels(view)).toEqual(['Open Indexwatch', ...ids, ...trayItems])
    const lines = ids.map((id) => `${id} 79,767.340 at 12:00:01`)
    expect(view.tooltip.split('\n')).toEqual(['Indexwatch: Live', ...lines])
  })

  test.each([
    ['99', ' ▲ 1.01 %'],
    ['101', ' ▼ 0.99 %'],
    ['100.000', ' 0.00 %'],
    ['0', ''],
  ])('the tooltip has the change: from %s', (value, change) => {
    const reference = { kind: 'previousClose', value, publishedAtMs: 0 } as const
    const { tooltip } = trayOf(status('live'), [{ ...quote('A', '100'), reference }])
    expect(tooltip).toBe(`Indexwatch: Live\nA 100${change} at 12:00:01`)
  })

  test('shows the time of the older part of a formula', () => {
    const formula: Quote = { ...quote('A − B', '2'), olderPartMs: noon - 4_000 }
    expect(shown(status('live'), [formula], 0).tooltip).toContain('A − B 2 at 11:59:57')
  })

  test.each([
    ['comma', '79,767.340'],
    ['space', '79\u202f767.340'],
    ['none', '79767.340'],
  ] as const)('groups digits as the user wants: %s', (grouping, text) => {
    const view = trayOf(status('live'), [quote('A', '79767.340')], { preferences: { grouping } })
    // Markup characters are replaced, and spaces merged.
    expect(view.tooltip).toContain(`A ${text.replace('\u202f', ' ')} at 12:00:01`)
  })

  test('says that it is disconnected, and offers to reconnect', () => {
    const view = trayOf(status('offline'), [quote('A', '1')], { isPaused: true })
    expect(view.tooltip).toBe('Indexwatch: Disconnected\nA 1 at 12:00:01 (not live)')
    expect(labels(view)).toContain('Reconnect')
    expect(labels(view)).not.toContain('Disconnect')
  })

  test.each(['off', 'notRecorded'] as const)('says in place of Live that alerts are %s, and why', (state) => {
    const words = 'Alerts are off: the history is in use by another program'
    const judging = { ...alertsOff, state, words }
    const view = trayOf(status('live'), [quote('A', '1')], { judging })
    expect(view.tooltip).toBe(`Indexwatch: ${words}\nA 1 at 12:00:01`)
    expect(view.icon.connection).toBe('off')
    expect(labels(view)).toContain(words)
    expect(labels(view).includes('No unread events')).toBe(state === 'notRecorded')
  })

  test('opens and closes the ticker, and ends click-through', () => {
    const of = (showsTicker: boolean, isTickerClickThrough: boolean) =>
      labels(trayOf(status('live'), [], { preferences: { showsTicker, isTickerClickThrough } }))
    expect(of(false, true)).toContain('Show ticker')
    expect(of(true, false)).toContain('Close ticker')
    expect(of(true, false)).not.toContain('Click-through')
    expect(of(true, true)).toEqual(expect.arrayContaining(['Click-through', 'Close ticker']))
  })

  test('has the first value as its title while it is live', () => {
    const quotes = [quote('A', '79767.340'), quote('B', '1')]
    expect(shown(status('live'), quotes, 0).title).toBe('A 79,767.340')
    expect(shown(status('live', { isDemo: true }), quotes, 0).title).toBe('A 79,767.340 (Demo)')
    expect(shown(status('offline'), quotes, 0).title).toBe('')
    expect(shown(status('live'), [quote('A', '1', 'cache')], 0).title).toBe('')
    expect(shown(status('live'), [], 0).title).toBe('')
  })

  test('leaves whole lines out of a tooltip that is too long', () => {
    const quotes = ['A', 'B', 'C'].map((id) => quote(id, '79767.340'))
    const { tooltip } = trayOf(status('live'), quotes, { maxTooltip: 64 })
    expect(tooltip.split('\n')).toEqual(['Indexwatch: Live', 'A 79,767.340 at 12:00:01'])
  })

  test('marks each value that is not live', () => {
    const view = shown(status('reconnecting'), [quote('A', '1'), quote('B', '2', 'cache')], 0)
    expect(view.tooltip.split('\n')).toEqual([
      'Indexwatch: Reconnecting',
      'A 1 at 12:00:01 (not live)',
      'B 2 at 12:00:01 (cached)',
    ])
    const live = shown(status('live'), [quote('A', '1')], 0)
    expect(live.tooltip).not.toContain('not live')
  })

  test.each([
    ['connecting', 'waiting'],
    ['live', 'live'],
    ['reconnecting', 'waiting'],
    ['offline', 'off'],
    ['notAuthorised', 'off'],
  ] as const)('%s shows as %s', (state, connection) =>
    expect(shown(status(state), [], 0).icon).toEqual({ connection, hasUnread: false, isMuted: false }),
  )

  test('counts unread events in icon, tooltip and menu', () => {
    const one = shown(status('live'), [], 1)
    expect(one.icon.hasUnread).toBe(true)
    expect(one.tooltip).toContain('1 unread event')
    expect(labels(shown(status('live'), [], 2))).toContain('2 unread events')
  })

  test("shows the day of a value that is not today's", () => {
    const view = trayOf(status('live'), [quote('A', '1')], { nowMs: noon + 86_400_000 })
    expect(view.tooltip).toContain('A 1 at 1 Nov 12:00:01')
  })

  test('names the demo service', () =>
    expect(shown(status('live', { isDemo: true }), [], 0).tooltip).toBe('Indexwatch: Live (Demo)'))

  test('shows in icon, tooltip and menu that alerts are muted, and until when', () => {
    const muted = (mutedUntilMs: number | null) => trayOf(status('live'), [], { mutedUntilMs })
    const forHours = muted(noon + 3 * 3_600_000)
    expect(forHours.icon.isMuted).toBe(true)
    expect(forHours.tooltip.split('\n')).toEqual(['Indexwatch: Live', 'Alerts muted until 15:00'])
    expect(labels(forHours)).toEqual([
      'Open Indexwatch',
      'No unread events',
      'Unmute alerts',
      'Disconnect',
      'Show ticker',
      'Quit',
    ])
    expect(muted(null).tooltip).toContain('\nAlerts muted')
    expect(muted(null).tooltip).not.toContain('until')
    expect(muted(noon + 86_400_000).tooltip).toContain('Alerts muted until 2 Nov 12:00')
  })

  test('shows in tooltip and menu how many alerts have no data', () => {
    const view = (withoutData: number) => trayOf(status('offline'), [], { withoutData })
    expect(view(2).tooltip).toBe('Indexwatch: Offline\n2 alerts have no data')
    expect(labels(view(2))).toEqual([
      'Open Indexwatch',
      'No unread events',
      '2 alerts have no data',
      'Mute alerts for 1 hour',
      'Mute alerts until I unmute',
      'Disconnect',
      'Show ticker',
      'Quit',
    ])
    expect(labels(view(1))).toContain('1 alert has no data')
    expect(view(0).tooltip).toBe('Indexwatch: Offline')
  })
})
