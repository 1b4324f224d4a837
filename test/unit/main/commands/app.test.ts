import { expect, test } from 'vitest'
import { appHandlers } from '../../../../main/commands/app'
import type { AppContext } from '../../../../main/commands/context'
import { FakeClock } from '../../../support/fake-clock'

test('of two hundred test alerts that a page asks for five are sent, and five more ten seconds later', async () => {
  const clock = new FakeClock()
  let sent = 0
  const { testNotification } = appHandlers({ clock } as unknown as AppContext, {
    snapshot: () => '',
    testNotification: () => {
      sent++
      return Promise.resolve({ delivery: 'shown', words: 'Shown.' })
    },
    restart: () => undefined,
  })
  const askAll = () => Promise.all(Array.from({ length: 200 }, async () => testNotification({})))
  const answers = await askAll()
  expect(sent).toBe(5)
  expect(answers[4]).toMatchObject({ ok: true })
  expect(answers[5]).toEqual({
    ok: false,
    problem: { code: 'rateLimited', message: 'More than 5 calls in 10 s. Wait 10 s.' },
  })
  clock.advance(10_000)
  await askAll()
  expect(sent).toBe(10)
})
