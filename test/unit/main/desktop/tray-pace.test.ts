import { describe, expect, test } from 'vitest'
import { TrayPace, type TrayTarget } from '../../../../main/desktop/tray-pace'
import type { TrayView } from '../../../../main/desktop/tray-view'
import { FakeClock } from '../../../support/fake-clock'

function view(value: string, connection: TrayView['icon']['connection'] = 'live'): TrayView {
  return {
    icon: { connection, hasUnread: false, isMuted: false },
    tooltip: `BRTI ${value}`,
    title: '',
    items: [
      { kind: 'index', id: 'BRTI' },
      { kind: 'command', label: connection, action: 'quit' },
    ],
  }
}

function start(options: { hasTitle?: boolean } = {}) {
  const clock = new FakeClock()
  const calls: string[] = []
  let present = view('1')
  const target: TrayTarget = {
    setIcon: (icon) => calls.push(`icon ${icon.connection}`),
    setTooltip: (text) => calls.push(`tooltip ${text}`),
    setTitle: (text) => calls.push(`title ${text}`),
    setMenu: (items) => calls.push(`menu ${items.map((item) => (item.kind === 'command' ? item.label : '')).join('')}`),
  }
  const pace = new TrayPace(clock, () => present, target, options)
  const show = (next: TrayView) => {
    present = next
    pace.changed()
  }
  const tick = (next: TrayView) => {
    present = next
    pace.valueChanged()
  }
  return { clock, calls, pace, show, tick }
}

test('shows the first view at once', () => {
  const { calls, show } = start()
  show(view('1'))
  expect(calls).toEqual(['icon live', 'tooltip BRTI 1', 'title ', 'menu live'])
})

test('shows the last of many changes in a second, and only what changed', () => {
  const { clock, calls, show } = start()
  show(view('1'))
  calls.length = 0
  for (let tick = 2; tick <= 60; tick++) show(view(String(tick)))
  expect(calls).toEqual([])
  clock.advance(1_000)
  expect(calls).toEqual(['tooltip BRTI 60'])
})

describe('of values alone', () => {
  function startWith(options: { hasTitle?: boolean }) {
    const made = start(options)
    made.show(view('1'))
    made.clock.advance(5_000)
    made.calls.length = 0
    return made
  }

  test('shows the first after a pause at once, and the last of five seconds', () => {
    const { clock, calls, tick } = startWith({})
    for (let value = 2; value <= 50; value++) tick(view(String(value)))
    expect(calls).toEqual(['tooltip BRTI 2'])
    clock.advance(4_999)
    expect(calls).toEqual(['tooltip BRTI 2'])
    clock.advance(1)
    expect(calls.at(-1)).toBe('tooltip BRTI 50')
  })

  test('shows the last one as soon as the pointer is over the icon', () => {
    const { clock, calls, pace, tick } = startWith({})
    tick(view('2'))
    clock.advance(1_000)
    tick(view('3'))
    pace.hovered()
    expect(calls.at(-1)).toBe('tooltip BRTI 3')
  })

  test('shows the last one of a second if a value is beside the icon', () => {
    const { clock, calls, tick } = startWith({ hasTitle: true })
    tick(view('2'))
    tick(view('3'))
    clock.advance(1_000)
    expect(calls.at(-1)).toBe('tooltip BRTI 3')
  })

  test('does not delay a change of the connection', () => {
    const { clock, calls, show, tick } = startWith({})
    tick(view('2'))
    tick(view('3'))
    show(view('3', 'waiting'))
    clock.advance(1_000)
    expect(calls).toContain('icon waiting')
  })
})

test('checks again when a shown value becomes stale', () => {
  const { clock, calls, show, pace } = start()
  const present = { ...view('1'), title: 'BRTI 1', staleInMs: 10_000 }
  show(present)
  calls.length = 0
  present.title = ''
  clock.advance(9_999)
  expect(calls).toEqual([])
  clock.advance(1)
  expect(calls).toEqual(['title '])
  pace.dispose()
  expect(clock.pending).toBe(0)
})

test('replaces no menu while values tick', () => {
  const { clock, calls, show } = start()
  for (let second = 0; second <= 150; second++) {
    show(view(String(second)))
    clock.advance(1_000)
  }
  expect(calls.filter((call) => call.startsWith('menu'))).toEqual(['menu live'])
})

test('does not replace an open menu, and updates it when it closes', () => {
  const { clock, calls, pace, show } = start()
  show(view('1'))
  clock.advance(5_000)
  calls.length = 0
  pace.menuOpened()
  show(view('2', 'waiting'))
  clock.advance(10_000)
  expect(calls).toEqual(['icon waiting', 'tooltip BRTI 2'])
  pace.menuClosed()
  clock.advance(1_000)
  expect(calls.at(-1)).toBe('menu waiting')
})

test('replaces a menu after half a minute if its closing is never reported', () => {
  const { clock, calls, pace, show } = start()
  show(view('1'))
  pace.menuOpened()
  show(view('1', 'waiting'))
  clock.advance(29_000)
  expect(calls.filter((call) => call.startsWith('menu'))).toHaveLength(1)
  clock.advance(2_000)
  expect(calls.filter((call) => call.startsWith('menu'))).toHaveLength(2)
})

test('shows a change of the connection in the menu within a second', () => {
  const { clock, calls, show } = start()
  show(view('1'))
  show(view('2'))
  clock.advance(1_500)
  calls.length = 0
  show(view('2', 'waiting'))
  clock.advance(1_000)
  expect(calls).toEqual(['icon waiting', 'menu waiting'])
})

test('does not send an unchanged view, but everything to a new icon', () => {
  const { clock, calls, pace, show } = start()
  show(view('1'))
  clock.advance(5_000)
  show(view('1'))
  clock.advance(5_000)
  expect(calls).toHaveLength(4)
  pace.repeat()
  expect(calls).toHaveLength(8)
})

test('does nothing after dispose', () => {
  const { clock, calls, pace, show, tick } = start()
  show(view('1'))
  show(view('2'))
  tick(view('3'))
  tick(view('4'))
  pace.dispose()
  clock.advance(60_000)
  expect(calls).toHaveLength(4)
})
