import { weekdays, type AlertDraft, type AlertHours } from '../../protocol/alerts'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

/** The whole of one day in UTC, so many days from now. */
function wholeDay(ahead: number): AlertHours {
  const day = weekdays[(new Date().getUTCDay() + 6 + ahead) % 7]
  return { days: day === undefined ? [] : [day], from: '00:00', to: '00:00', timeZone: 'UTC' }
}

test('outside its hours an alert does not fire, and within them another of the same value does', async ({
  bench,
  alerts,
  run,
}) => {
  // Midnight may come: the day after is within the hours too, and three days ahead is not.
  const [today, tomorrow, later] = [wholeDay(0), wholeDay(1), wholeDay(3)]
  const within: AlertDraft = { ...levelDraft('110'), hours: { ...today, days: [...today.days, ...tomorrow.days] } }
  await run.make({ ...levelDraft('109'), hours: later })
  await run.make(within)
  alerts.publish('112.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 112.00 (level 110)')
  expect((await run.inbox()).map(({ kind, hours }) => [kind, hours])).toEqual([['fired', within.hours]])
  const { alerts: rules } = await run.state()
  const outside = rules.find(({ hours }) => hours?.days[0] === later.days[0])
  const evaluations = await run.watch.ask('explainAlert', { ruleId: outside?.id ?? '' })
  expect(JSON.stringify(evaluations)).toContain('112.00 is above 109: outside its hours.')
})
