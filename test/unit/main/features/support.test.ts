import { expect, test } from 'vitest'
import { createSupport } from '../../../../main/features/support'
import { featureCore } from '../../../support/feature-core'

test('sends five of two hundred requested test alerts, and five more after ten seconds', async () => {
  const core = featureCore()
  let sent = 0
  const answer = () => {
    sent++
    return Promise.resolve({ delivery: 'shown', words: 'Shown.' })
  }
  const options = { testNotification: answer } as unknown as Parameters<typeof createSupport>[1]
  const { testNotification } = createSupport(core, options).commands
  const askAll = () => Promise.all(Array.from({ length: 200 }, async () => testNotification()))
  const answers = await askAll()
  expect(sent).toBe(5)
  expect(answers[4]).toMatchObject({ ok: true })
  expect(answers[5]).toEqual({
    ok: false,
    problem: { code: 'rateLimited', message: 'More than 5 calls in 10 s. Wait 10 s.' },
  })
  core.clock.advance(10_000)
  await askAll()
  expect(sent).toBe(10)
})
