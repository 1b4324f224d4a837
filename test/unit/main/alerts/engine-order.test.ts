/** Values from several sources, out of order and with clock jumps. The history while nothing lasting changes. */
import { describe, expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const every = { repeat: { mode: 'everyCrossing' } } as const
const rising: AlertDraft = { ...above, ...every }

async function openAt(draft: AlertDraft, first = '99') {
  const opened = await openWithRule(draft, first)
  await opened.engine.flush()
  const notified = async () => {
    await opened.engine.flush()
    return opened.fired.map(({ kind, inputs }) => `${kind} ${inputs.value}`)
  }
  /** Switches to another connection, which has its latest value already. */
  const move = () => {
    const held = opened.quotes.all()
    opened.quotes.forget('BRTI')
    opened.quotes.seed(held)
  }
  return { ...opened, notified, move }
}

describe('after a reconnect', () => {
  test('an older latest value by REST is evaluated at its publish time, and fires late', async () => {
    const { receive, clock, notified } = await openAt(rising)
    clock.advance(minute)
    receive('BRTI', { value: '98', publishedAtMs: startMs + 60 * second }, 'stream')
    receive('BRTI', { value: '101', publishedAtMs: startMs + 59 * second }, 'rest')
    // In its place the value was a crossing, hidden by the next value. Such crossings share a notification.
    await notified()
    clock.advance(2 * second)
    expect(await notified()).toEqual(['lateFromHistory 101'])
    receive('BRTI', { value: '100.5', publishedAtMs: startMs + 61 * second }, 'stream')
    expect(await notified()).toEqual(['lateFromHistory 101', 'fired 100.5'])
  })

  test('a latest value by REST fires as the crossing after a gap, and the stream adds none', async () => {
    const { receive, clock, notified, fired } = await openAt(rising)
    clock.advance(minute)
    receive('BRTI', { value: '101', publishedAtMs: startMs + 59 * second }, 'rest')
    receive('BRTI', { value: '102', publishedAtMs: startMs + 60 * second }, 'stream')
    expect(await notified()).toEqual(['fired 101'])
    expect(fired).toMatchObject([{ inputs: { gapSinceMs: startMs } }])
  })
})

describe('an index that moves to another connection', () => {
  test('does not fire again for the same value and continues with the next', async () => {
    const { move, receive, publish, notified } = await openAt(rising)
    publish('101')
    move()
    receive('BRTI', { value: '101', publishedAtMs: startMs + second }, 'stream')
    expect(await notified()).toEqual(['fired 101'])
    publish('99')
    publish('102')
    expect(await notified()).toEqual(['fired 101', 'fired 102'])
  })

  test('retracts a firing for an amendment that comes with the move', async () => {
    const { move, receive, publish, notified } = await openAt(rising)
    publish('101')
    move()
    receive('BRTI', { value: '98', publishedAtMs: startMs + second, amendedAtMs: startMs + minute }, 'rest')
    expect(await notified()).toEqual(['fired 101', 'retracted 98'])
  })
})

describe('a command while a firing is being stored', () =>
  test.each(['edit', 'arm', 'setLevel'] as const)('%s neither loses nor repeats the firing', async (command) => {
    const { engine, history, publish, quotes, notified } = await openAt(above)
    const letThrough = history.holdWrites()
    publish('101')
    const latest = quotes.get('BRTI')
    const done = {
      edit: () => engine.edit('a', { ...above, note: 'Again' }, 'wait', latest),
      arm: () => engine.arm('a', latest),
      setLevel: () => engine.setLevel('a', '100.5', latest),
    }[command]()
    letThrough()
    await done
    publish('102')
    expect(await notified()).toEqual(['fired 101'])
    publish('99')
    publish('103')
    expect(await notified()).toEqual(['fired 101', 'fired 103'])
  }))

describe('an amendment of a value that fired before the rule began again', () => {
  const amended = { publishedAtMs: startMs + second, amendedAtMs: startMs + minute }
  const begin = (opened: Awaited<ReturnType<typeof openAt>>, how: 'arm' | 'setLevel') => {
    const latest = opened.quotes.get('BRTI')
    return how === 'arm' ? opened.engine.arm('a', latest) : opened.engine.setLevel('a', '200', latest)
  }

  test.each(['arm', 'setLevel'] as const)(
    'by %s retracts it with its old level, and the rule continues to wait',
    async (how) => {
      const opened = await openAt(above)
      opened.publish('101')
      await begin(opened, how)
      opened.publish('98', amended)
      opened.publish('98', amended)
      expect(await opened.notified()).toEqual(['fired 101', 'retracted 98'])
      expect(opened.fired[1]).toMatchObject({ terms: above.terms, ruleVersion: 1, aboutEventId: opened.fired[0]?.id })
      expect(opened.engine.views()).toMatchObject([{ phase: 'armed' }])
      opened.publish('201')
      expect(await opened.notified()).toHaveLength(3)
    },
  )

  test.each(['arm', 'setLevel'] as const)('by %s retracts it also after a restart', async (how) => {
    const opened = await openAt(above)
    opened.publish('101')
    await begin(opened, how)
    await opened.engine.flush()
    const next = await openAlerts(opened.history.reopened())
    next.quotes.seed([{ id: 'BRTI', value: '101', publishedAtMs: startMs + second, source: 'cache' }])
    next.publish('98', amended)
    await next.engine.flush()
    next.publish('201', { publishedAtMs: startMs + 2 * second })
    await next.engine.flush()
    expect(next.fired.map(({ kind, inputs }) => `${kind} ${inputs.value}`)).toEqual(['retracted 98', 'fired 201'])
  })

  test('confirms it if still true, and does not change the present state of the rule', async () => {
    const opened = await openAt(above)
    opened.publish('101')
    await begin(opened, 'arm')
    opened.publish('100.5', amended)
    await opened.engine.flush()
    expect(opened.engine.inbox()).toMatchObject([{ kind: 'confirmed' }, { kind: 'fired' }])
    expect(opened.engine.views()).toMatchObject([{ phase: 'disarmed' }])
    opened.publish('99')
    opened.publish('102')
    expect(await opened.notified()).toEqual(['fired 101', 'fired 102'])
  })
})

describe('a wall clock', () => {
  test.each([-3, 3])('set by %i hours loses no crossing, repeats none and reports no silence', async (hours) => {
    const { engine, clock, receive, notified } = await openAt(rising)
    const silence: AlertDraft = { ...levelDraft(), ...every, terms: { condition: 'noUpdate', afterMs: minute } }
    await engine.create(silence, 'wait', undefined)
    // Published times stay those of the service. A clock that was set back takes them for far ahead.
    clock.jumpWall(hours * hour)
    let atMs = startMs
    const publish = (value: string) => {
      atMs += second
      receive('BRTI', { value, publishedAtMs: atMs }, 'stream')
      clock.advance(second)
    }
    if (hours < 0) {
      publish('101')
      expect(await notified()).toEqual([])
      clock.jumpWall(-hours * hour)
    }
    publish('101')
    publish('102')
    expect(await notified()).toEqual(['fired 101'])
  })

  test('set back ends a cooldown within one cooldown, with its count', async () => {
    const { engine, clock, publish, notified } = await openAt({ ...rising, cooldownMs: minute })
    publish('101')
    publish('99')
    publish('102')
    clock.jumpWall(-5 * hour)
    engine.woke()
    clock.advance(minute + 2 * second)
    expect(await notified()).toEqual(['fired 101', 'cooldownOver 102'])
  })
})

describe('the history', () => {
  test('is written only for values that change a lasting state', async () => {
    const { history, publish, engine } = await openAt({ ...rising, cooldownMs: hour })
    await engine.create({ ...levelDraft(), ...every, terms: { condition: 'noUpdate' } }, 'wait', undefined)
    publish('98')
    await engine.flush()
    const before = history.written.length
    for (let at = 0; at < 100; at++) publish(`98.${at}`)
    await engine.flush()
    expect(history.written).toHaveLength(before)
    publish('101')
    await engine.flush()
    expect(history.written).toHaveLength(before + 1)
  })

  test('that fails for a while neither loses nor repeats a firing', async () => {
    const { history, publish, notified } = await openAt(rising)
    history.problem = { code: 'diskFull', message: 'The disk is full.' }
    for (const value of ['101', '99', '102']) publish(value)
    expect(await notified()).toEqual(['fired 101', 'fired 102'])
    history.problem = undefined
    publish('99')
    await notified()
    const next = await openAlerts(history.reopened())
    next.publish('103', { publishedAtMs: startMs + minute })
    await next.engine.flush()
    expect(next.engine.inbox().map(({ inputs }) => inputs.value)).toEqual(['103', '102', '101'])
  })
})
