import { expect, test } from 'vitest'
import { createLog, isProblemLine } from '../../../../main/base/log'
import { Ring } from '../../../../main/base/ring'
import { FakeClock } from '../../../support/fake-clock'

test('a ring keeps the last things, oldest first', () => {
  const ring = new Ring<number>(3)
  expect(ring.all()).toEqual([])
  for (const item of [1, 2, 3, 4, 5]) ring.add(item)
  expect(ring.all()).toEqual([3, 4, 5])
})

test('warnings and errors of the log are told from the rest, whatever they say', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), redact: (text) => text, clock: new FakeClock() })
  log.info('All is well, no ERROR here')
  log.warn('Something')
  log.error('Worse')
  expect(lines.map(isProblemLine)).toEqual([false, true, true])
})
