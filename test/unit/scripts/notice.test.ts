import { expect, test } from 'vitest'
import { noticeText } from '../../../scripts/setup/notice.js'

test('each package is named once, with its licence and its text', () => {
  const b = { name: 'b', version: '1.0.0', identifier: 'MIT', text: 'Permission is granted.' }
  const text = noticeText([b, { name: 'a', version: '2.0.0', identifier: 'OFL-1.1' }, b])
  expect(text.match(/^[ab] \d.*$/gm)).toEqual(['a 2.0.0 (OFL-1.1)', 'b 1.0.0 (MIT)'])
  expect(text).toContain('Permission is granted.')
})

test('a package without a licence fails the build', () =>
  expect(() => noticeText([{ name: 'c', version: '3.0.0' }])).toThrow('c 3.0.0 does not say'))
