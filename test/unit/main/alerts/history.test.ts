import { expect, test } from 'vitest'
import { above, openAlerts, startMs } from '../../../support/open-alerts'

const at = (second: number, value: string) => ({ value, publishedAtMs: startMs + second * 1_000 })

test('a level reached and left while the line was cut fires late, from history, once', async () => {
  const { engine, publish, learn, fired, clock } = await openAlerts()
  await engine.create({ ...above, terms: { condition: 'risesTo', level: '110' } }, 'wait', undefined)
  publish('100')
  clock.advance(5_000)
  publish('103')
  await learn([at(1, '101'), at(2, '125'), at(3, '102')])
  expect(fired).toMatchObject([
    {
      kind: 'lateFromHistory',
      inputs: {
        value: '125',
        publishedAtMs: startMs + 2_000,
        missedSinceMs: startMs + 1_000,
        over: { value: '102' },
        latest: { value: '103' },
      },
    },
  ])
  expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
  await learn([at(1, '101'), at(2, '125'), at(3, '102'), at(4, '130')])
  expect(fired).toHaveLength(1)
})
