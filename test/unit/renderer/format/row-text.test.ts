import { expect, test } from 'vitest'
import { rowText } from '../../../../renderer/format/row-text'

test('a copied row holds the published value digit for digit and the time in UTC', () => {
  const quote = {
    id: 'BRTI',
    value: '1.350e-5',
    publishedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    source: 'stream' as const,
  }
  const info = { id: 'BRTI', name: 'Bitcoin', maxResolution: 'PER_SECOND' as const }
  expect(rowText('BRTI', info, quote)).toBe('BRTI\t1.350e-5\tBitcoin\t2026-01-02T03:04:05.006Z')
  expect(rowText('BRTI', undefined, quote)).toBe('BRTI\t1.350e-5\t\t2026-01-02T03:04:05.006Z')
})
