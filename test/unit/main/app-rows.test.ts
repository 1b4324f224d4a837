import { expect, test } from 'vitest'
import { RowPace } from '../../../main/app-rows'
import type { Resolution } from '../../../protocol/model'
import { FakeClock } from '../../support/fake-clock'

function start(resolution: Resolution | undefined) {
  const clock = new FakeClock()
  const pushed: string[] = []
  const known = { resolution }
  const rows = new RowPace({ clock, resolutionOf: () => known.resolution, push: (id) => pushed.push(id) })
  return { clock, pushed, rows, known }
}

test('the first value is told at once, then a ticking row every five seconds', () => {
  const { clock, pushed, rows } = start('PER_SECOND')
  for (let second = 0; second < 11; second++) {
    rows.valueChanged('BRTI')
    clock.advance(1_000)
  }
  expect(pushed).toEqual(['BRTI', 'BRTI', 'BRTI'])
})

test('a row that publishes rarely is told at once each time', () => {
  const { pushed, rows } = start('DAILY')
  rows.valueChanged('BRR')
  rows.valueChanged('BRR')
  expect(pushed).toEqual(['BRR', 'BRR'])
})

test('nothing is told before it is known how often the index publishes', () => {
  const { clock, pushed, rows, known } = start(undefined)
  rows.valueChanged('BRTI')
  clock.advance(60_000)
  expect(pushed).toEqual([])
  known.resolution = 'PER_SECOND'
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI'])
})

test('after a reset all begins anew and nothing of before is told', () => {
  const { clock, pushed, rows } = start('PER_SECOND')
  rows.valueChanged('BRTI')
  rows.valueChanged('BRTI')
  rows.reset()
  clock.advance(60_000)
  expect(pushed).toEqual(['BRTI'])
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI', 'BRTI'])
})
