import { describe, expect, test } from 'vitest'
import { digestText, notificationText, type TextContext } from '../../../../main/desktop/notification-text'
import { sanitizeForDesktop } from '../../../../main/base/sanitize'
import type { AlertEvent } from '../../../../core/alert-events'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const publishedAtMs = new Date(2023, 10, 1, 14, 2, 11, 400).getTime()
const context: TextContext = {
  listsOf: (id) => (id === 'BRTI' ? ['My list', 'Desk'] : []),
  isRealTime: (id) => id === 'BRTI',
  namesConnections: () => false,
  nowMs: publishedAtMs + 40,
}
const inputs = { value: '68500.120', publishedAtMs, direction: 'up' } as const

function event(more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(1, levelDraft('68500'), { recordedAtMs: publishedAtMs + 30, inputs, ...more })
}

describe('a notification of one event', () => {
  test('has all in its title, and time, watchlists and note in its body', () =>
    expect(notificationText(event({ note: 'Sell half' }), context)).toEqual({
      title: 'BRTI rose to 68,500.120 (level 68,500)',
      body: 'Published at 14:02:11.400\nWatchlists: My list, Desk\nSell half',
    }))

  test.each([
    ['comma', '68,500.120', '68,500'],
    ['space', '68 500.120', '68 500'],
    ['none', '68500.120', '68500'],
  ] as const)('groups digits as the user wants: %s', (grouping, value, level) => {
    const { title } = notificationText(event(), { ...context, grouping: () => grouping })
    expect(title).toBe(`BRTI rose to ${value} (level ${level})`)
  })

  test("has times in the user's zone", () => {
    const inZone = (zone: string) => notificationText(event(), { ...context, timeZone: () => zone }).body.split('\n')[0]
    expect(inZone('UTC')).toBe(`Published at ${new Date(publishedAtMs).toISOString().slice(11, 23)}`)
    const kolkata = new Date(publishedAtMs + 5.5 * 3_600_000).toISOString().slice(11, 23)
    expect(inZone('Asia/Kolkata')).toBe(`Published at ${kolkata}`)
    // It is the next day.
    const later = { ...context, nowMs: publishedAtMs + 24 * 3_600_000, timeZone: () => 'Asia/Kolkata' }
    expect(notificationText(event(), later).body).toMatch(/^Published at \d{1,2} \w{3,4} \d\d:\d\d:\d\d\.\d{3}/)
  })

  test('begins with Demo for demo data, with any number of connections', () => {
    const demo = event({ connection: 'Demo', isDemo: true })
    expect(notificationText(demo, context).title).toBe('Demo · BRTI rose to 68,500.120 (level 68,500)')
    const several = { ...context, namesConnections: () => true }
    expect(notificationText(demo, several).title).toBe('Demo · BRTI rose to 68,500.120 (level 68,500)')
  })

  test('names the connection only if there are several, without markup', () => {
    const desk = event({ connection: 'Desk <b>', isDemo: false })
    expect(notificationText(desk, context).title).toBe('BRTI rose to 68,500.120 (level 68,500)')
    const several = { ...context, namesConnections: () => true }
    expect(notificationText(desk, several).title).toBe('BRTI rose to 68,500.120 (level 68,500) · Desk ‹b›')
    // From before it was recorded.
    expect(notificationText(event(), several).title).toBe('BRTI rose to 68,500.120 (level 68,500)')
  })

  test('has no milliseconds for an index without them', () => {
    const { body } = notificationText({ ...event(), indexId: 'BRR' }, context)
    expect(body).toBe('Published at 14:02:11')
  })

  test('has both times of a crossing in a gap', () => {
    const { title } = notificationText(event({ inputs: { ...inputs, gapSinceMs: publishedAtMs - 60_000 } }), context)
    expect(title).toBe('BRTI rose to 68,500.120 (level 68,500), crossed in a gap between 14:01:11.400 and 14:02:11.400')
  })

  test.each<[Partial<AlertEvent>, string]>([
    [{ kind: 'lateByAmendment' }, 'BRTI rose to 68,500.120 (level 68,500) (late: value amended)'],
    [{ kind: 'retracted' }, 'BRTI alert retracted: amended to 68,500.120'],
    [{ kind: 'cooldownOver', heldBackCount: 3 }, 'BRTI: 3 more during the cooldown, now 68,500.120'],
    [{ kind: 'recovered' }, 'BRTI publishes again, now 68,500.120'],
    [{ kind: 'expiresSoon', untilMs: publishedAtMs + 86_400_000 }, 'BRTI alert expires at 2 Nov 14:02:11.400'],
    [{ kind: 'expired' }, 'BRTI alert expired'],
    [{ kind: 'suspended', reason: 'it fired 15 times in 3 min' }, 'BRTI alert suspended: it fired 15 times in 3 min'],
  ])('%o', (more, title) => expect(notificationText(event(more), context).title).toBe(title))

  test('names its alert if the title does not', () => {
    const amendedAtMs = publishedAtMs + 20
    const { body } = notificationText(event({ kind: 'retracted', inputs: { ...inputs, amendedAtMs } }), context)
    expect(body).toBe(
      'Alert: BRTI rises to 68,500\nPublished at 14:02:11.400\nAmended at 14:02:11.420\nWatchlists: My list, Desk',
    )
    expect(notificationText(event({ kind: 'recovered' }), context).body).not.toContain('Alert:')
  })

  test('has no markup in any part', () => {
    const listsOf = () => ['<b>List</b>']
    const { title, body } = notificationText(
      event({ indexId: 'A&B', note: '<img src=x onerror=alert(1)> 5 & 6\nnext' }),
      { ...context, listsOf },
    )
    expect(title).toBe('A+B rose to 68,500.120 (level 68,500)')
    expect(body).toBe('Published at 14:02:11\nWatchlist: ‹b›List‹/b›\n‹img src=x onerror=alert(1)› 5 + 6 next')
  })
})

test('cuts the longest note with an ellipsis, in whole characters', () => {
  const { body } = notificationText(event({ note: `${'long '.repeat(39)}xxx\u{1f600}${'y'.repeat(300)}` }), context)
  const note = body.split('\n').at(-1) ?? ''
  expect(note).toHaveLength(199)
  expect(note.endsWith('xxx…')).toBe(true)
})

test('names of added constituents have no markup, control or direction characters', () => {
  const { title } = notificationText(
    event({ terms: { condition: 'constituentsChanged' }, inputs: { joined: ['<b>A&B</b>', '\u202eC\u0007D\n'] } }),
    context,
  )
  expect(title).toBe('BRTI ‹b›A+B‹/b›, CD added')
})

describe('a notification of several events', () => {
  const silent = (indexId: string) => event({ indexId, terms: { condition: 'noUpdate' }, inputs: {} })
  const many = (count: number) => Array.from({ length: count }, (_, at) => event({ indexId: `I${at + 1}` }))

  test('counts alerts, names the first three and says where the rest are', () => {
    expect(digestText(many(12), context)).toEqual({
      title: '12 events in the last minute',
      body: [
        'I1 rose to 68,500.120 (level 68,500)',
        'I2 rose to 68,500.120 (level 68,500)',
        'I3 rose to 68,500.120 (level 68,500)',
        'and 9 more: see the inbox',
      ].join('\n'),
    })
    expect(digestText(many(3), context).body).not.toContain('more')
  })

  test('says Demo once, and names each connection if there are several', () => {
    const demo = digestText(
      many(2).map((each) => ({ ...each, connection: 'Demo', isDemo: true })),
      context,
    )
    expect(demo.title).toBe('Demo · 2 events in the last minute')
    expect(demo.body).toBe('I1 rose to 68,500.120 (level 68,500)\nI2 rose to 68,500.120 (level 68,500)')
    const real = many(2).map((each, at) => ({ ...each, connection: at === 0 ? 'Desk' : 'Backup', isDemo: false }))
    const { title, body } = digestText(real, { ...context, namesConnections: () => true })
    expect(title).toBe('2 events in the last minute')
    expect(body.split('\n').map((line) => line.split(' · ')[1])).toEqual(['Desk', 'Backup'])
  })

  test('from the history says how long the user was away', () => {
    const late = ['68500', '68600', '68700', '68800'].map((value, at) =>
      event({
        kind: 'lateFromHistory',
        recordedAtMs: publishedAtMs + 22_620_000,
        inputs: {
          value,
          publishedAtMs: publishedAtMs + at * 1_000,
          missedSinceMs: publishedAtMs + at,
          direction: 'up',
        },
      }),
    )
    const { title, body } = digestText(late, { ...context, nowMs: publishedAtMs + 22_620_000 })
    expect(title).toBe('While you were away (14:02–20:19): 4 events')
    expect(body.split('\n')[0]).toBe('BRTI rose to 68,500 at 14:02:11.400 (level 68,500), late by 6 h 17 min')
    expect(body).toContain('and 1 more: see the inbox')
    // With other events it is an ordinary digest.
    expect(digestText([...late, event()], context).title).toContain('5 events')
  })

  test('of the desk says that the user was away, and the time of each alert', () => {
    const desk = { watcher: 'watch-1', isLate: true }
    const times = [0, 60_000].map((afterMs) =>
      event({ desk, inputs: { ...inputs, publishedAtMs: publishedAtMs - afterMs } }),
    )
    expect(digestText(times, context)).toEqual({
      title: 'While you were away: 2 desk alerts',
      body: '14:02:11.400 · BRTI rose to 68,500.120 (level 68,500)\n14:01:11.400 · BRTI rose to 68,500.120 (level 68,500)',
    })
    expect(digestText([...times, event()], context).title).toBe('3 events in the last minute')
  })

  test('does not say "in the last minute" for older events', () =>
    expect(digestText(many(12), { ...context, nowMs: publishedAtMs + 61_000 }).title).toBe('12 events'))

  test('counts each index that went silent or is back once', () => {
    const silence = Array.from({ length: 40 }, (_, at) => silent(`I${at}`))
    expect(digestText([...silence, silent('I0')], context).title).toBe('40 indices have no update')
    expect(digestText([silent('I0'), silent('I0')], context).title).toBe('1 index has no update')
    const back = [event({ kind: 'recovered' }), event({ kind: 'recovered', indexId: 'BRR' })]
    expect(digestText(back, context).title).toBe('2 indices publish again')
    expect(digestText([...back, event()], context).title).toBe('3 events in the last minute')
  })
})

test('no markup and no hidden direction', () => {
  expect(sanitizeForDesktop('<b>5 & 6</b>\u202eabc\u0000\nnext')).toBe('‹b›5 + 6‹/b›abc next')
  expect(sanitizeForDesktop('x'.repeat(10_000)).length).toBeLessThanOrEqual(200)
  expect(sanitizeForDesktop('\ud800')).toBe('\ufffd')
})
