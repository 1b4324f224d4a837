import { expect, test } from '../support/app-test'
import type { AlertRun } from '../support/alert-run'
import { levelDraft } from '../support/sample-alerts'

const listId = 'watchlist'

async function ruleOf(run: AlertRun, indexId: string): Promise<string | undefined> {
  return (await run.state()).alerts.find((rule) => rule.indexId === indexId)?.id
}

test('an alert on a list follows its list, an undo and a restart', async ({ bench, alerts, run }) => {
  const draft = { ...levelDraft('110.00'), repeat: { mode: 'everyCrossing' } as const }
  const made = await run.watch.ask('createAlert', { draft, whenAlreadyMet: 'wait', target: { listId } })
  expect(made).toMatchObject({ ok: true, value: { anyOf: 'My list' } })
  alerts.publish('110.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 110.00 (level 110.00)')
  const ruleId = await ruleOf(run, 'BRTI')

  const removed = await run.watch.ask('removeRows', { listId, rowIds: ['BRTI'] })
  await expect.poll(() => ruleOf(run, 'BRTI')).toBeUndefined()
  if (!removed.ok) throw new Error(removed.problem.message)
  await run.watch.ask('undoRows', removed.value)
  await expect.poll(() => ruleOf(run, 'BRTI')).toBe(ruleId)
  await run.running.quit()

  const second = await alerts.launch(bench)
  await expect.poll(() => ruleOf(second, 'BRTI')).toBe(ruleId)
  expect((await second.state()).listAlerts).toMatchObject([{ target: { listId }, name: 'My list' }])
  alerts.publish('100.00')
  alerts.publish('111.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 111.00 (level 110.00)')
})
