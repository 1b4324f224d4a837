import { expect, test } from 'vitest'
import { isSame } from '../../../core/same'

test.each([
  [{ a: 1, b: [1, { c: '2' }] }, { b: [1, { c: '2' }], a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [1], false],
  [[], {}, false],
  [null, {}, false],
  [null, null, true],
])('%j and %j are the same: %j', (a, b, isEqual) => expect(isSame(a, b)).toBe(isEqual))
