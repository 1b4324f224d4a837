import { expect, test } from 'vitest'
import { Quarantine } from '../../../../main/feed/quarantine'

test('streams that may answer late are not blamed, even if requested first', () => {
  const quarantine = new Quarantine()
  for (let count = 1; count <= 3; count++) {
    expect([...quarantine.leftOut]).toEqual([])
    for (const stream of ['active_corporate_action', 'rti_stats', 'constituents'] as const) {
      quarantine.sent({ type: 'subscribe', stream, id: stream === 'constituents' ? 'BIG' : 'BRTI' })
    }
    quarantine.ended(true)
  }
  expect([...quarantine.leftOut]).toEqual(['BIG'])
})
