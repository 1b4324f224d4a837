import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../protocol/alerts'
import type { Problem } from '../../../../protocol/model'
import { MemoryAppendFile } from '../../../support/memory-append-file'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { openAlerts } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const tailSize = { max: 4, kept: 2 }
const crossing: AlertDraft = { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } }
const disk: Problem = { code: 'diskFull', message: 'Disk full: changes not saved.' }

async function openCrossing(count: number) {
  const opened = await openAlerts(undefined, { tailSize })
  await opened.engine.create(crossing, 'wait', undefined)
  opened.publish('99')
  await cross(opened, count)
  return opened
}

async function cross(
  { engine, publish }: Pick<Awaited<ReturnType<typeof openAlerts>>, 'engine' | 'publish'>,
  count: number,
) {
  for (let at = 0; at < count; at++) {
    publish(at % 2 === 0 ? '101' : '99')
    await engine.flush()
  }
}

const archivedNumbers = (archive: MemoryAppendFile) =>
  archive.entries.map((entry) => (entry as { event: { number: number } }).event.number)

test('the file of the rules keeps the newest events, the archive the others, and the inbox all', async () => {
  const { engine, file, archive } = await openCrossing(7)
  expect(archivedNumbers(archive)).toEqual([1, 2, 3])
  expect(file.written.at(-1)).toMatchObject({ inbox: [{ number: 4 }, { number: 5 }, { number: 6 }, { number: 7 }] })
  const numbers = [7, 6, 5, 4, 3, 2, 1]
  expect(engine.page({}).events.map(({ number }) => number)).toEqual(numbers)
  const next = await openAlerts(file.reopened(), { archive, tailSize })
  expect(next.engine.page({}).events.map(({ number }) => number)).toEqual(numbers)
  expect(next.engine.unreadCount()).toBe(7)
  next.engine.markRead()
  await next.engine.flush()
  expect((await openAlerts(next.file.reopened(), { archive, tailSize })).engine.unreadCount()).toBe(0)
})

test('what became of an archived event is known after a restart', async () => {
  const { engine, file, archive } = await openCrossing(5)
  const [first] = engine.inbox().toReversed()
  engine.noteDelivery(first?.id ?? '', 'clicked')
  engine.noteWebhook(first?.id ?? '', 'It answered 200.')
  await engine.flush()
  const next = await openAlerts(file.reopened(), { archive, tailSize })
  expect(next.engine.inbox().at(-1)).toMatchObject({
    number: 1,
    delivery: 'clicked',
    webhookResult: 'It answered 200.',
  })
  expect(archive.entries).toHaveLength(5)
})

test('where the archive cannot be written nothing leaves the file, it is reported once, and catches up', async () => {
  const opened = await openCrossing(4)
  const { engine, file, archive, notices, fired } = opened
  archive.problem = disk
  await cross(opened, 3)
  expect(notices).toEqual([`Alerts: ${disk.message}`])
  expect(fired).toHaveLength(7)
  expect(file.written.at(-1)).toMatchObject({ inbox: Array.from({ length: 7 }, (_, at) => ({ number: at + 1 })) })
  archive.problem = undefined
  await engine.flush()
  expect(archivedNumbers(archive)).toEqual([1, 2, 3, 4, 5])
  expect(file.written.at(-1)).toMatchObject({ inbox: [{ number: 6 }, { number: 7 }] })
})

test('a damaged archive is reported once, with where it is kept', async () => {
  const { notices } = await openAlerts(undefined, { archive: new MemoryAppendFile([], '/data/kept.jsonl') })
  expect(notices).toEqual([expect.stringContaining('kept as /data/kept.jsonl')])
})

test('the archive beside a file of a newer version is left alone', async () => {
  const archive = new MemoryAppendFile([], '/data/kept.jsonl')
  const { notices, engine } = await openAlerts(new MemoryJsonFile({ kind: 'ok', value: { version: 99 } }), { archive })
  expect(notices).toEqual([expect.stringContaining('newer version')])
  expect(engine.inbox()).toEqual([])
})

test('the table of a query has all that is at hand, newest first', async () => {
  const { engine } = await openCrossing(5)
  const rows = engine.csv({ before: 5 }).split('\r\n').slice(1, -1)
  expect(rows.map((row) => row.split(',')[0])).toEqual(['4', '3', '2', '1'])
})
