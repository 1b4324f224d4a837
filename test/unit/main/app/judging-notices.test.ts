import { expect, test } from 'vitest'
import { JudgingNotices } from '../../../../main/app/judging-notices'
import { Judging } from '../../../../main/alerts/judging'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

function open() {
  const clock = new FakeClock()
  const judging = new Judging({
    clock,
    onError,
  })
  const said: string[] = []
  const notices: string[] = []
  const news = new JudgingNotices({
    clock,
    judging,
    timeZone: () => 'UTC',
    announce: ({ title, body }) => said.push(`${title} | ${body}`),
    notice: (message) => notices.push(message),
  })
  return { clock, judging, said, notices, news }
}

test('reports once per cause that alerts are off, and the time when they are on again', () => {
  const { clock, judging, said, notices } = open()
  judging.set('history', { reason: 'locked' })
  clock.advance(30_000)
  judging.set('history', { reason: 'locked' })
  clock.advance(30_000)
  expect(said).toEqual([expect.stringMatching(/^Alerts are off: the history is in use by another program \| Close /)])
  judging.set('history', { reason: 'full' })
  clock.advance(60_000)
  expect(said.slice(1)).toEqual([expect.stringMatching(/^Alerts are off: the disk is full \| Free /)])
  judging.set('history', undefined)
  // Nothing is over until the rules are read.
  expect(said).toHaveLength(2)
  judging.setRulesRead(true)
  const over =
    'Indexwatch checked no alerts from 12:00:00 to 12:02:00. It is now fetching those values and checking your alerts.'
  expect(said.slice(2)).toEqual([`Alerts are on again | ${over}`])
  expect(notices).toEqual([`Alerts are on again. ${over}`])
})

test('does not report an outage of up to three seconds', () => {
  const { clock, judging, said, notices } = open()
  judging.set('history', { reason: 'locked' })
  clock.advance(1_000)
  judging.set('history', undefined)
  judging.setRulesRead(true)
  clock.advance(60_000)
  expect([said, notices]).toEqual([[], []])
})

test('reports that alerts were checked but not recorded', () => {
  const { clock, judging, said } = open()
  judging.setRulesRead(true)
  judging.set('history', { reason: 'full', isJudged: true })
  clock.advance(10_000)
  judging.set('history', undefined)
  expect(said).toEqual([
    expect.stringMatching(/^Alerts are not recorded: the disk is full \|/),
    'Alerts are recorded again | From 12:00:00 to 12:00:10 events were kept in memory only. They are recorded now.',
  ])
})

test('reports nothing after the app has ended', () => {
  const { clock, judging, said, news } = open()
  judging.set('history', { reason: 'locked' })
  news.dispose()
  clock.advance(60_000)
  expect(said).toEqual([])
})
