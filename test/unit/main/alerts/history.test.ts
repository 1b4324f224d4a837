/** Values that arrive late (alert engine, 10, 12, 15 and 19), definition by definition. */
import { describe, expect, test } from 'vitest'
import { openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const second = 1_000
const minute = 60 * second
const at = (seconds: number, value: string) => ({ value, publishedAtMs: startMs + seconds * second })
const to110 = levelDraft('110')
const every = { repeat: { mode: 'everyCrossing' } } as const
type Opened = Awaited<ReturnType<typeof openAlerts>>

/** The rule has seen 100. Then the connection is lost. */
async function cut(draft = to110) {
  const opened = await openWithRule(draft, '100')
  await opened.engine.flush()
  opened.clock.advance(5 * second)
  return opened
}

/** A new engine on the same history, which has 100. */
async function restarted(before: Awaited<ReturnType<typeof cut>>) {
  before.engine.dispose()
  await before.engine.flush()
  const opened = await openAlerts(before.history.reopened(), { prefix: 'x' })
  opened.quotes.seed([{ ...at(0, '100'), id: 'BRTI', source: 'cache' }])
  return opened
}

const missed = [at(1, '101'), at(2, '125'), at(3, '102')]
const kinds = ({ engine }: Opened) => engine.inbox().map(({ kind, inputs }) => `${kind} ${inputs.value ?? ''}`)

/** Waits until late firings that share a notification are notified. */
async function settled({ engine, clock }: Opened) {
  await engine.flush()
  clock.advance(2 * second)
}

/** An alert fired on 121 when it was created. Then the value in effect at that time arrives. */
async function firedAtOnce(inForce: ReturnType<typeof at>) {
  const opened = await openAlerts()
  opened.publish('121')
  opened.clock.advance(5 * second)
  const terms = { condition: 'isAbove', level: '120' } as const
  await opened.engine.create({ ...to110, terms }, 'fire', opened.quotes.get('BRTI'))
  opened.clock.advance(5 * second)
  await opened.learn([inForce])
  await settled(opened)
  return opened
}

/** A rule created before any value. The value came this much later. */
async function madeAndSeen(laterMs: number) {
  const opened = await openAlerts()
  opened.clock.advance(0.5 * second)
  await opened.engine.create(to110, 'wait', undefined)
  opened.clock.advance(laterMs)
  opened.publish('103')
  await opened.engine.flush()
  return opened
}

describe('a level reached and left while disconnected', () => {
  test('fires late once, with the times of both crossings and the latest value', async () => {
    const opened = await cut()
    opened.publish('103')
    await opened.learn(missed)
    await settled(opened)
    expect(opened.fired).toMatchObject([
      {
        kind: 'lateFromHistory',
        inputs: { ...at(2, '125'), missedSinceMs: startMs + second, over: at(3, '102'), latest: at(6, '103') },
      },
    ])
    expect(opened.engine.views()).toMatchObject([{ phase: 'triggered' }])
    await opened.learn(missed)
    await opened.learn([at(4, '130')])
    expect(kinds(opened)).toEqual(['lateFromHistory 125'])
  })

  test('is found in any order of backfilled values', async () => {
    const opened = await cut()
    opened.publish('103')
    for (const value of missed.toReversed()) await opened.learn([value])
    expect(kinds(opened)).toEqual(['lateFromHistory 125'])
  })

  test('does not fire if it was before the rule was created', async () => {
    const opened = await openAlerts()
    opened.clock.advance(10 * second)
    opened.publish('100')
    await opened.engine.create(to110, 'wait', opened.quotes.get('BRTI'))
    await opened.learn(missed)
    expect(kinds(opened)).toEqual([])
    expect(opened.engine.views()).toMatchObject([{ phase: 'armed' }])
  })

  test.each([
    ['before any value', undefined],
    ['while only one of an earlier run was known', at(-minute, '100')],
  ])('after the rule was created, %s, fires late', async (_, kept) => {
    const opened = await openAlerts()
    if (kept !== undefined) opened.quotes.seed([{ ...kept, id: 'BRTI', source: 'cache' }])
    opened.clock.advance(1.5 * second)
    await opened.engine.create(to110, 'wait', opened.quotes.get('BRTI'))
    opened.clock.advance(5 * second)
    const early = [at(0, '100'), at(1, '130'), at(2, '101')]
    await opened.learn([...early, at(3, '125'), at(4, '102')])
    opened.publish('103')
    await settled(opened)
    expect(opened.fired).toMatchObject([{ kind: 'lateFromHistory', inputs: at(3, '125') }])
    expect(opened.engine.views()).toMatchObject([{ phase: 'triggered' }])
  })

  test('after the rule was created but before its first value fires late after a restart', async () => {
    const before = await madeAndSeen(5.5 * second)
    const opened = await openAlerts(before.history.reopened(), { prefix: 'x' })
    await opened.learn([at(0, '130'), ...missed])
    await settled(opened)
    expect(kinds(opened)).toEqual(['lateFromHistory 125'])
    expect(opened.engine.views()).toMatchObject([{ phase: 'triggered' }])
  })

  test('fires once if earlier values are backfilled while later ones are still refolded', async () => {
    const opened = await madeAndSeen(9.5 * second)
    // Newest first, as from the service. The earlier value arrives while the later ones are read from the history.
    const later = opened.learn([at(5, '101'), at(6, '125'), at(7, '102')])
    const { history } = opened
    const query = history.query.bind(history)
    history.query = async (question, asked) => {
      if (question !== 'values') return query(question, asked)
      history.query = query
      void opened.learn([at(3, '100')])
      const answer = await query(question, asked)
      opened.publish('120')
      return answer
    }
    await later
    await settled(opened)
    expect(kinds(opened)).toEqual(['lateFromHistory 125'])
    expect(opened.engine.views()).toMatchObject([{ phase: 'triggered' }])
  })

  test('is suppressed by a mute in effect at the notification, not at its publish time', async () => {
    const opened = await cut({ ...to110, ...every })
    await opened.engine.snooze({ of: 'all' }, startMs + minute)
    opened.publish('103')
    await opened.learn([at(2, '125'), at(3, '102')])
    expect(opened.engine.inbox()[0]).toMatchObject({ kind: 'lateFromHistory', heldBackBy: 'muted' })
    opened.clock.advance(2 * minute)
    await opened.learn([at(4, '126'), at(5, '101')])
    expect(opened.engine.inbox()[0]).toMatchObject({ kind: 'lateFromHistory', delivery: 'pending' })
  })
})

describe('a crossing in a gap', () => {
  test('is confirmed with its true time, and not notified again', async () => {
    const opened = await cut()
    opened.clock.advance(20 * second)
    opened.publish('115')
    await settled(opened)
    expect(opened.fired).toMatchObject([{ kind: 'fired', inputs: { gapSinceMs: startMs } }])
    await opened.learn(missed)
    await settled(opened)
    expect(opened.fired).toHaveLength(1)
    expect(opened.engine.inbox()[0]).toMatchObject({
      kind: 'confirmed',
      delivery: 'none',
      aboutEventId: opened.fired[0]?.id,
      inputs: at(2, '125'),
    })
  })

  test('of a rule that fires every time is confirmed, and an earlier one fires late', async () => {
    const opened = await cut({ ...to110, ...every })
    opened.clock.advance(20 * second)
    opened.publish('115')
    await opened.learn([...missed, at(24, '104'), at(25, '105')])
    expect(kinds(opened).toSorted()).toEqual(['confirmed 115', 'fired 115', 'lateFromHistory 125'])
  })
})

describe('an amendment of an old value', () =>
  test('moves a firing from before a restart to another value', async () => {
    const before = await openAlerts()
    await before.engine.create({ ...to110, ...every }, 'wait', undefined)
    for (const value of ['100', '111', '100', '101', '102']) before.publish(value)
    for (let count = 0; count < 2_500; count++) before.publish('103')
    before.engine.dispose()
    await before.engine.flush()
    const opened = await openAlerts(before.history.reopened())
    opened.clock.advance(60 * minute)
    opened.receive('BRTI', { ...at(1, '109'), amendedAtMs: startMs + 5_000 * second })
    opened.receive('BRTI', { ...at(3, '112'), amendedAtMs: startMs + 5_001 * second })
    await settled(opened)
    expect(opened.fired).toEqual([])
    expect(kinds(opened)).toEqual(['confirmed 112', 'fired 111'])
  }))

test('an amendment undoes a firing from before a restart and before re-arming', async () => {
  const before = await cut()
  before.publish('111')
  await before.engine.flush()
  before.engine.dispose()
  await before.engine.flush()
  const opened = await openAlerts(before.history.reopened())
  opened.clock.advance(minute)
  opened.quotes.seed([{ ...at(6, '111'), id: 'BRTI', source: 'cache' }])
  await opened.engine.arm('a', opened.quotes.get('BRTI'))
  opened.receive('BRTI', { ...at(6, '109'), amendedAtMs: startMs + minute })
  await opened.engine.flush()
  expect(kinds(opened)).toEqual(['retracted 109', 'fired 111'])
})

test('a firing from before a crash and before re-arming moves to the next true value', async () => {
  const before = await cut()
  before.publish('111')
  before.publish('112')
  await before.engine.flush()
  const opened = await openAlerts(before.history.reopened())
  opened.quotes.seed([{ ...at(7, '112'), id: 'BRTI', source: 'cache' }])
  opened.clock.advance(minute)
  await opened.engine.arm('a', opened.quotes.get('BRTI'))
  opened.receive('BRTI', { ...at(6, '109'), amendedAtMs: startMs + minute })
  await opened.engine.flush()
  expect(kinds(opened)).toEqual(['confirmed 112', 'fired 111'])
})

describe('a rule begun while disconnected', () => {
  /** At 5 s: 100 was received, and the next values arrive late. */
  const begin = {
    edited: (opened: Opened) => opened.engine.setLevel('a', '120', opened.quotes.get('BRTI')),
    made: (opened: Opened) =>
      opened.engine.create({ ...levelDraft('120'), ...every }, 'wait', opened.quotes.get('BRTI')),
  }
  /** Rule ids by how the rule was begun. The created one is 'b', beside 'a'. */
  const ids = { edited: 'a', made: 'b' }
  const oldDraft = { ...to110, ...every }

  /** Which rule and version fired, on which value. */
  const firedBy = ({ fired }: Opened) =>
    fired.map(({ kind, ruleId, ruleVersion, inputs }) => `${kind} ${ruleId}${ruleVersion} ${inputs.value ?? ''}`)

  async function begun(how: keyof typeof begin) {
    const opened = await cut(oldDraft)
    expect((await begin[how](opened)).ok).toBe(true)
    opened.clock.advance(10 * second)
    return opened
  }

  test.each(['edited', 'made'] as const)(
    'and %s leaves values published before it began to the earlier rules',
    async (how) => {
      const opened = await begun(how)
      await opened.learn([at(2, '125'), at(3, '102')])
      opened.publish('103')
      await settled(opened)
      expect(firedBy(opened)).toEqual(['lateFromHistory a1 125'])
      expect(opened.engine.views().at(-1)).toMatchObject({ phase: 'armed' })
    },
  )

  test.each(['edited', 'made'] as const)(
    'and %s fires for backfilled values since it began, from the value in effect',
    async (how) => {
      const opened = await begun(how)
      await opened.learn([at(8, '126')])
      await settled(opened)
      expect(firedBy(opened).at(-1)).toBe(`lateFromHistory ${ids[how]}${how === 'edited' ? 2 : 1} 126`)
      // The value was above the level already, so it was no rise.
      await opened.learn([at(3, '125')])
      await settled(opened)
      expect(kinds(opened)[0]).toBe('retracted 126')
      await opened.learn([at(4, '103')])
      await settled(opened)
      expect(kinds(opened)[0]).toBe('lateFromHistory 126')
    },
  )

  test.each(['edited', 'made'] as const)(
    'and %s fires at the next live value, but not at earlier backfilled ones',
    async (how) => {
      const opened = await begun(how)
      opened.receive('BRTI', at(4, '125'))
      await opened.learn([at(3, '124'), at(3.5, '103')])
      await settled(opened)
      const rule = how === 'edited' ? 'a2' : 'b1'
      expect(firedBy(opened)).toContain(`fired ${rule} 125`)
      expect(firedBy(opened).filter((line) => line.includes('late'))).toEqual(['lateFromHistory a1 124'])
    },
  )

  test('and re-armed does not fire for values published before the re-arm', async () => {
    const opened = await cut()
    opened.publish('111')
    opened.publish('105')
    opened.clock.advance(10 * second)
    await opened.engine.arm('a', opened.quotes.get('BRTI'))
    opened.clock.advance(10 * second)
    await opened.learn([at(12, '112'), at(13, '104')])
    opened.publish('106')
    await settled(opened)
    expect(kinds(opened)).toEqual(['fired 111'])
    expect(opened.engine.views()).toMatchObject([{ phase: 'armed' }])
  })

  test('and fired immediately is confirmed by the value that was in effect', async () => {
    const opened = await firedAtOnce(at(3, '122'))
    expect(kinds(opened)).toEqual(['confirmed 122', 'fired 121'])
  })

  test('and fired immediately is retracted if the value in effect was not true', async () => {
    const opened = await firedAtOnce(at(3, '119'))
    expect(kinds(opened)).toEqual(['retracted 121', 'fired 121'])
    opened.publish('122')
    await settled(opened)
    expect(kinds(opened)[0]).toBe('fired 122')
  })

  test('and fired immediately does not fire again for the same value after a restart', async () => {
    const before = await cut({ ...to110, terms: { condition: 'isAbove', level: '120' } })
    await before.engine.edit(
      'a',
      { ...to110, terms: { condition: 'isAbove', level: '99' } },
      'fire',
      before.quotes.get('BRTI'),
    )
    const opened = await restarted(before)
    opened.receive('BRTI', at(0, '100'))
    opened.receive('BRTI', at(-0.5, '101'))
    await settled(opened)
    expect(kinds(opened)).toEqual(['fired 100'])
  })

  test('and closed before its values are backfilled continues from the value in effect', async () => {
    const before = await begun('edited')
    const opened = await restarted(before)
    opened.clock.advance(20 * second)
    await opened.learn([at(2, '125'), at(8, '126'), at(9, '102'), at(10, '127')])
    await settled(opened)
    expect(firedBy(opened)).toEqual(['lateFromHistory a1 125', 'lateFromHistory a2 127'])
  })
})

describe('a level reached and left before the rule was edited', () => {
  test.each(['edit', 'arm', 'setLevel'] as const)(
    'and backfilled after it (%s) fires late once, with the version in effect',
    async (how) => {
      const opened = await cut({ ...to110, ...every })
      opened.publish('103')
      const { engine, quotes } = opened
      const latest = quotes.get('BRTI')
      const begun = {
        edit: () => engine.edit('a', { ...levelDraft('120'), ...every }, 'wait', latest),
        arm: () => engine.arm('a', latest),
        setLevel: () => engine.setLevel('a', '120', latest),
      }
      expect((await begun[how]()).ok).toBe(true)
      await opened.learn(missed)
      await opened.learn(missed)
      await settled(opened)
      expect(opened.fired).toMatchObject([
        {
          kind: 'lateFromHistory',
          ruleVersion: 1,
          terms: { condition: 'risesTo', level: '110' },
          inputs: { ...at(2, '125'), over: at(3, '102'), latest: at(6, '103') },
        },
      ])
      expect(engine.views()).toMatchObject([{ phase: 'armed' }])
      await opened.learn([at(2.5, '126')])
      opened.publish('121')
      await settled(opened)
      expect(kinds(opened)).toEqual(['fired 121', 'lateFromHistory 125'])
    },
  )

  test('while disconnected or closed fires late, but not for values after the edit', async () => {
    const opened = await restarted(await cut())
    opened.clock.advance(9 * second)
    expect((await opened.engine.setLevel('a', '120', opened.quotes.get('BRTI'))).ok).toBe(true)
    opened.clock.advance(10 * second)
    await opened.learn([...missed.map((each) => ({ ...each, value: each.value.replace('125', '115') })), at(12, '116')])
    opened.publish('103')
    await settled(opened)
    expect(opened.fired).toMatchObject([
      { kind: 'lateFromHistory', ruleVersion: 1, terms: { level: '110' }, inputs: at(2, '115') },
    ])
    expect(opened.engine.views()).toMatchObject([{ phase: 'armed' }])
  })

  test('twice while disconnected fires late with the version before the edits', async () => {
    const opened = await restarted(await cut())
    opened.clock.advance(20 * second)
    expect((await opened.engine.setLevel('a', '120', opened.quotes.get('BRTI'))).ok).toBe(true)
    expect((await opened.engine.setLevel('a', '130', opened.quotes.get('BRTI'))).ok).toBe(true)
    opened.receive('BRTI', at(7, '115'))
    await settled(opened)
    expect(opened.fired).toMatchObject([{ kind: 'lateFromHistory', ruleVersion: 1, inputs: at(7, '115') }])
    // The next value counts as later than the edits, whatever the clock says.
    opened.receive('BRTI', at(8, '131'))
    await settled(opened)
    expect(kinds(opened)).toEqual(['fired 131', 'lateFromHistory 115'])
    await opened.learn([at(6, '112')])
    expect(kinds(opened)).toEqual(['confirmed 112', 'fired 131', 'lateFromHistory 115'])
  })

  test.each([
    ['while nothing was received', undefined],
    ['after a value was received, and before the rest was backfilled', '103'],
  ])('and again, %s, fires late with the version in effect', async (_, live) => {
    const opened = await restarted(await cut())
    const { engine, clock, quotes } = opened
    clock.advance(10 * second)
    expect((await engine.setLevel('a', '120', quotes.get('BRTI'))).ok).toBe(true)
    clock.advance(10 * second)
    if (live !== undefined) opened.publish(live)
    expect((await engine.setLevel('a', '130', quotes.get('BRTI'))).ok).toBe(true)
    for (const value of [at(16, '102'), at(14, '125'), at(12, '101')]) await opened.learn([value])
    clock.advance(10 * second)
    opened.publish('104')
    await settled(opened)
    expect(opened.fired).toMatchObject([
      { kind: 'lateFromHistory', ruleVersion: 2, terms: { level: '120' }, inputs: at(14, '125') },
    ])
    expect(engine.views()).toMatchObject([{ phase: 'armed' }])
    // With its first value amended to above the level, nothing rises to it.
    opened.receive('BRTI', { ...at(12, '121'), amendedAtMs: startMs + minute })
    await settled(opened)
    expect(kinds(opened)).toEqual(['retracted 121', 'lateFromHistory 125'])
  })

  test('by a value that was amended since then fires late by amendment', async () => {
    const opened = await cut()
    await opened.engine.setLevel('a', '120', opened.quotes.get('BRTI'))
    opened.publish('103')
    await opened.engine.setLevel('a', '130', opened.quotes.get('BRTI'))
    opened.receive('BRTI', { ...at(6, '122'), amendedAtMs: startMs + minute })
    await settled(opened)
    expect(opened.fired).toMatchObject([
      { kind: 'lateByAmendment', ruleVersion: 2, terms: { level: '120' }, inputs: { value: '122' } },
    ])
  })

  test('with another condition fires late, and its earlier firing is retracted', async () => {
    const opened = await cut({ ...to110, ...every })
    opened.publish('111')
    await opened.engine.edit('a', { ...to110, terms: { condition: 'amended' } }, 'wait', opened.quotes.get('BRTI'))
    opened.receive('BRTI', { ...at(6, '109'), amendedAtMs: startMs + minute })
    await opened.engine.flush()
    await opened.learn(missed)
    await settled(opened)
    expect(kinds(opened)).toEqual(['lateFromHistory 125', 'retracted 109', 'fired 109', 'fired 111'])
  })

  test('does not fire for values of an index to which the rule was moved', async () => {
    const opened = await cut()
    opened.publish('111')
    opened.receive('ETHUSD_RTI', at(6.5, '50'))
    const { engine, quotes } = opened
    await engine.edit('a', { ...to110, indexId: 'ETHUSD_RTI' }, 'wait', quotes.get('ETHUSD_RTI'))
    opened.receive('ETHUSD_RTI', at(7, '51'))
    await opened.learn([at(4, '120'), at(6, '61')], 'ETHUSD_RTI')
    await settled(opened)
    expect(kinds(opened)).toEqual(['fired 111'])
  })
})

describe('a time without data', () => {
  test('is one event of the outage for all rules and indices, and not a firing', async () => {
    const opened = await openAlerts()
    for (const [level, indexId] of [
      ['110', 'BRTI'],
      ['120', 'BRTI'],
      ['130', 'NCI'],
    ] as const) {
      await opened.engine.create(levelDraft(level, { indexId }), 'wait', undefined)
      opened.publish('100', { id: indexId })
    }
    const range = { fromMs: startMs + minute, toMs: startMs + 30 * minute }
    opened.engine.notKnown('BRTI', range)
    opened.engine.notKnown('NCI', { ...range, toMs: range.toMs + second })
    opened.engine.notKnown('BRTI', range)
    // No later value has come, so perhaps nothing was published.
    expect(opened.engine.inbox()).toEqual([])
    opened.clock.advance(31 * minute)
    for (const id of ['BRTI', 'NCI']) opened.publish('100', { id })
    await opened.engine.flush()
    const all = { fromMs: range.fromMs, toMs: range.toMs + second, indexIds: ['BRTI', 'NCI'] }
    expect(opened.engine.inbox()).toMatchObject([{ kind: 'notKnown', unknown: all, delivery: 'none', isRead: false }])
    expect(opened.fired).toEqual([])
    const next = await openAlerts(opened.history.reopened())
    next.engine.notKnown('BRTI', range)
    next.engine.notKnown('BRTI', { fromMs: startMs + 60 * minute, toMs: startMs + 90 * minute })
    next.clock.advance(100 * minute)
    next.publish('100')
    // A value a second later is not an outage.
    next.engine.notKnown('BRTI', { fromMs: startMs + 100 * minute, toMs: startMs + 200 * minute })
    next.publish('100')
    await next.engine.flush()
    expect(next.engine.inbox()).toMatchObject([{ kind: 'notKnown' }, { kind: 'notKnown', unknown: all }])
  })

  test('has no event for a later or finished rule, or for an index without rules', async () => {
    const opened = await openAlerts()
    opened.clock.advance(60 * minute)
    await opened.engine.create(to110, 'wait', undefined)
    opened.publish('100')
    opened.engine.notKnown('BRTI', { fromMs: startMs, toMs: startMs + minute })
    opened.publish('111')
    opened.engine.notKnown('BRTI', { fromMs: startMs, toMs: startMs + 100 * minute })
    opened.engine.notKnown('NCI', { fromMs: startMs, toMs: startMs + 100 * minute })
    await opened.engine.flush()
    expect(kinds(opened)).toEqual(['fired 111'])
  })
})

test('a live value received during a refold of its index is evaluated after it, in order', async () => {
  const opened = await cut({ ...to110, ...every })
  opened.publish('103')
  await opened.engine.flush()
  const letThrough = opened.history.holdWrites()
  const learning = opened.learn(missed)
  letThrough()
  for (let turns = 0; turns < 12; turns++) {
    await Promise.resolve()
    opened.publish(turns % 2 === 0 ? '111' : '104')
  }
  await learning
  await settled(opened)
  expect(kinds(opened).filter((line) => line.startsWith('late'))).toEqual(['lateFromHistory 125'])
  expect(kinds(opened).filter((line) => line === 'fired 111')).toHaveLength(6)
})

test('a move keeps its window over a restart, and states how much of it is missing', async () => {
  const move = {
    ...levelDraft(),
    terms: { condition: 'moves', direction: 'up', amount: '10', unit: 'percent', withinMs: 10 * minute },
  } as const
  const before = await openAlerts()
  await before.engine.create(move, 'wait', undefined)
  for (let count = 0; count < 5; count++) {
    before.publish('100')
    before.clock.advance(minute - second)
  }
  expect(before.engine.explain('a')[0]?.words).toBe('Needs 6 min more of values.')
  before.engine.dispose()
  await before.engine.flush()
  const opened = await openAlerts(before.history.reopened())
  opened.clock.advance(10 * minute)
  opened.publish('112')
  await opened.engine.flush()
  expect(opened.fired).toMatchObject([{ inputs: { reference: { value: '100', publishedAtMs: startMs } } }])
})

test('values that a full disk kept out of the history are refolded when there is room', async () => {
  const opened = await cut()
  opened.publish('103')
  await opened.engine.flush()
  opened.history.problem = { code: 'diskFull', message: 'Disk full.' }
  await opened.learn(missed)
  expect(kinds(opened)).toEqual([])
  opened.history.problem = undefined
  await opened.engine.snooze({ of: 'index', indexId: 'NCI' }, null)
  await opened.engine.flush()
  expect(kinds(opened)).toEqual(['lateFromHistory 125'])
})

test('values still to be refolded at a kill are refolded after the restart', async () => {
  const before = await cut()
  before.publish('103')
  await before.engine.flush()
  void before.learn(missed)
  // Written, but not refolded yet.
  for (let turns = 0; turns < 3; turns++) await Promise.resolve()
  const opened = await openAlerts(before.history.reopened())
  expect(kinds(opened)).toEqual(['lateFromHistory 125'])
  expect(opened.history.store.query('documents', { prefix: 'alerts:due:' })).toEqual([])
})

test('a range still to be refolded survives any number of kills', async () => {
  for (let turns = 0; turns < 60; turns++) {
    const before = await cut({ ...to110, ...every })
    // A later state is stored, so without the stored range nothing would refold the missed values.
    for (const value of ['103', '111', '104']) before.publish(value)
    await before.engine.flush()
    void before.learn(missed)
    for (let written = 0; written < 3; written++) await Promise.resolve()
    const between = before.history.reopened()
    void openAlerts(between)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    const after = await openAlerts(between.reopened())
    expect(kinds(after), `killed ${turns} turns after the start`).toEqual(['lateFromHistory 125', 'fired 111'])
  }
})

test('a refold cut short by the end of the app is done after the next start', async () => {
  for (let turns = 0; turns < 30; turns++) {
    const before = await cut({ ...to110, ...every })
    for (const value of ['103', '111', '104']) before.publish(value)
    await before.engine.flush()
    void before.learn(missed)
    for (let turn = 0; turn < turns; turn++) {
      await Promise.resolve()
      // Nothing in it is new, so the due range is stored again after the refold was stopped.
      if (turn >= turns - 6) void before.learn(missed)
    }
    before.engine.dispose()
    await before.engine.flush()
    const after = await openAlerts(before.history.reopened())
    expect(kinds(after), `ended after ${turns} turns`).toEqual(['lateFromHistory 125', 'fired 111'])
  }
})

test('a history that cannot be read does not delay a live value', async () => {
  const opened = await cut()
  const { history, engine } = opened
  const query = history.query.bind(history)
  const refusals: (() => void)[] = []
  history.query = (question, asked) => {
    if (question !== 'values') return query(question, asked)
    return new Promise((resolve) => {
      refusals.push(() => resolve({ ok: false, problem: { code: 'diskFull', message: 'Disk full.' } }))
    })
  }
  const learned = opened.learn([at(1, '101')])
  await expect.poll(() => refusals.length).toBe(1)
  opened.publish('115')
  expect(kinds(opened)).toEqual([])
  refusals.forEach((refuse) => refuse())
  await learned
  await settled(opened)
  expect(kinds(opened)).toEqual(['fired 115'])
  expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
})
