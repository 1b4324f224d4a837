import { expect, test } from 'vitest'
import { present } from '../../../core/present'

test('leaves out what is false, null or undefined, and keeps the order', () => {
  expect(present('a', false, null, 'b', undefined)).toEqual(['a', 'b'])
})

test('keeps zero and the empty text', () => {
  expect(present<number | string>(0, '')).toEqual([0, ''])
})
