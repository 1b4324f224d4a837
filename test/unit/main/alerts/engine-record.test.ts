import { describe, expect, test } from 'vitest'
import type { AlertView } from '../../../../protocol/alerts'
import type { Problem } from '../../../../protocol/model'
import { MemoryAppendFile } from '../../../support/memory-append-file'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { above, openAlerts, startMs } from '../../../support/open-alerts'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const levels = (views: readonly AlertView[]) => views.map(({ terms }) => 'level' in terms && terms.level)
const disk: Problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }

describe('storing comes before notification', () => {
  test('a firing is notified when it is on the disk, not before', async () => {
    const { engine, publish, fired, file } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('99')
    await engine.flush()
    const letThrough = file.holdWrites()
    publish('100')
    await Promise.resolve()
    expect(fired).toEqual([])
    expect(engine.inbox()).toMatchObject([{ inputs: { value: '100' }, delivery: 'pending' }])
    letThrough()
    await engine.flush()
    expect(fired).toHaveLength(1)
    expect(file.written.at(-1)).toMatchObject({ states: { a: { isDone: true } }, inbox: [{ id: 'b' }] })
  })

  test('a crash after storing and before notification: in the inbox, delivery unknown, not fired again', async () => {
    const { engine, publish, file } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('99')
    publish('100')
    await engine.flush()
    const next = await openAlerts(file.reopened())
    expect(next.read).toBe('ok')
    expect(next.engine.inbox()).toMatchObject([{ id: 'b', inputs: { value: '100' }, delivery: 'unknown' }])
    for (const value of ['99', '100', '101']) next.publish(value)
    await next.engine.flush()
    expect(next.fired).toEqual([])
    expect(next.engine.inbox()).toHaveLength(1)
  })

  test('a crash before storing: fires after the restart', async () => {
    const { engine, publish, file } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('99')
    await engine.flush()
    file.holdWrites()
    publish('100')
    const next = await openAlerts(file.reopened())
    next.publish('100')
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ inputs: { value: '100' } }])
  })

  test('a level passed while the app was closed fires once, with the time before', async () => {
    const { engine, publish, file } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('99')
    await engine.flush()
    const next = await openAlerts(file.reopened())
    next.quotes.seed([{ id: 'BRTI', value: '99', publishedAtMs: startMs - 3_600_000, source: 'cache' }])
    next.publish('101')
    await next.engine.flush()
    expect(next.fired).toMatchObject([{ inputs: { value: '101', gapSinceMs: startMs - 3_600_000 } }])
  })

  test('a level passed long before the rule was made fires nothing, in any run', async () => {
    const { engine, publish, file } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('101')
    await engine.flush()
    const next = await openAlerts(file.reopened())
    next.publish('102')
    await next.engine.flush()
    expect(next.fired).toEqual([])
    expect(next.engine.views()).toMatchObject([{ phase: 'disarmed' }])
  })

  test('a full disk stops no alert; it is reported once and everything is stored when there is room', async () => {
    const { engine, publish, fired, file, notices } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    await engine.create(levelDraft('101'), 'wait', undefined)
    publish('99')
    await engine.flush()
    file.problem = disk
    publish('100')
    publish('101')
    await engine.flush()
    expect(fired).toHaveLength(2)
    expect(notices).toEqual([`Alerts: ${disk.message}`])
    file.problem = undefined
    await engine.flush()
    expect(file.written.at(-1)).toMatchObject({ inbox: [{ inputs: { value: '100' } }, { inputs: { value: '101' } }] })
  })
})

describe('the inbox', () => {
  test('says what became of each notification and what is unread, also after a restart', async () => {
    const { engine, publish, file, changes } = await openAlerts()
    await engine.create(above, 'wait', undefined)
    publish('99')
    publish('100')
    expect(engine.unreadCount()).toBe(1)
    engine.noteDelivery('b', 'shown')
    const before = changes()
    engine.noteDelivery('b', 'shown')
    engine.noteDelivery('none', 'failed')
    expect(changes()).toBe(before)
    engine.markRead()
    engine.markRead()
    expect(changes()).toBe(before + 1)
    await engine.flush()
    const next = await openAlerts(file.reopened())
    expect(next.engine.inbox()).toMatchObject([{ delivery: 'shown', isRead: true }])
    expect(next.engine.unreadCount()).toBe(0)
  })

  test('gives the window the two hundred newest, newest first', async () => {
    const inbox = Array.from({ length: 1_500 }, (_, at) => firedEvent(at, above)).slice(1)
    const { engine } = await openAlerts(
      new MemoryJsonFile({ kind: 'ok', value: { version: 1, rules: [], states: {}, inbox } }),
    )
    expect(engine.inbox()).toHaveLength(200)
    expect(engine.inbox()[0]?.id).toBe('e1499')
    expect(engine.unreadCount()).toBe(1_499)
  })
})

describe('a file', () => {
  test('that is absent is a first start and no notice', async () => {
    const { read, notices, engine } = await openAlerts()
    expect(read).toBe('absent')
    expect(notices).toEqual([])
    expect(engine.views()).toEqual([])
  })

  test.each([
    [{ kind: 'lost', setAsidePath: '/data/a.corrupt.json' }, 'there was no copy'],
    [
      {
        kind: 'restored',
        value: { version: 1, rules: [], states: {}, inbox: [] },
        setAsidePath: '/data/a.corrupt.json',
      },
      'The last good copy',
    ],
  ] as const)('that could not be read is reported once: %j', async (read, words) => {
    const { notices } = await openAlerts(new MemoryJsonFile({ ...read }))
    expect(notices).toEqual([expect.stringContaining(words)])
    expect(notices[0]).toContain('/data/a.corrupt.json')
  })

  test('with single bad entries is reported once, in the run that sets them aside', async () => {
    const value = { version: 1, rules: [{ id: 'x' }], states: {}, inbox: [] }
    const { notices, file } = await openAlerts(new MemoryJsonFile({ kind: 'ok', value }))
    expect(notices).toEqual([expect.stringContaining(': 1. They are kept aside')])
    expect(file.written).toMatchObject([{ rules: [], setAside: [{ id: 'x' }] }])
    expect((await openAlerts(file.reopened())).notices).toEqual([])
  })

  test('of a newer version is left as it is, and no alert is made', async () => {
    const { engine, notices, file, publish } = await openAlerts(
      new MemoryJsonFile({ kind: 'ok', value: { version: 2, alerts: [] } }),
    )
    expect(notices).toEqual([expect.stringContaining('newer version')])
    expect(await engine.create(above, 'wait', undefined)).toMatchObject({ ok: false, problem: { code: 'newerAlerts' } })
    publish('100')
    await engine.flush()
    expect(file.written).toEqual([])
  })
})

test('a listener that fails keeps nobody else from hearing, and is in the log', async () => {
  const { engine, publish, fired, lines } = await openAlerts()
  engine.events.on('notify', () => {
    throw new Error('no notifications here')
  })
  await engine.create(above, 'wait', undefined)
  publish('99')
  publish('100')
  await engine.flush()
  expect(fired).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('no notifications here')])
})

test('another service has rules and an inbox of its own, and the first finds its own again', async () => {
  const { engine, publish, fired, file, archive } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  publish('99')
  const other = new MemoryJsonFile()
  await engine.use({ file: other, archive: new MemoryAppendFile() })
  expect([engine.views(), engine.inbox()]).toEqual([[], []])
  publish('101')
  await engine.flush()
  expect(fired).toEqual([])
  await engine.use({ file: file.reopened(), archive })
  expect(engine.views()).toMatchObject([{ terms: { level: '100.00' }, phase: 'armed' }])
  publish('102')
  await engine.flush()
  expect(fired).toMatchObject([{ inputs: { value: '102' } }])
  expect(other.written).toEqual([])
})

test('while a file is being read no alert is made, so that nothing is written over what stands in it', async () => {
  const { engine, file, archive } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  const again = file.reopened()
  const using = engine.use({ file: again, archive })
  const early = await engine.create(levelDraft('200'), 'wait', undefined)
  expect(early).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  await using
  expect(levels(engine.views())).toEqual(['100.00'])
  expect(await engine.create(levelDraft('200'), 'wait', undefined)).toMatchObject({ ok: true })
  expect(levels(engine.views())).toEqual(['100.00', '200'])
})

test('of two files taken up at once the later counts, and nothing of the earlier is mixed in', async () => {
  const { engine, file, archive } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  const [earlier, later] = [file.reopened(), new MemoryJsonFile()]
  await Promise.all([engine.use({ file: earlier, archive }), engine.use({ file: later, archive })])
  expect(engine.views()).toEqual([])
  await engine.create(levelDraft('200'), 'wait', undefined)
  expect(later.written).toHaveLength(1)
  expect(earlier.written).toEqual([])
})
