import { expect, test } from 'vitest'
import { updateServer } from '../../../../main/updates/updates'

const address = 'https://updates.example/app/'
const start = { address, version: '0.1.0', isDemo: false, isWatch: false }

test('a build with an address uses it', () => {
  expect(updateServer(start)).toEqual({ ok: true, value: new URL(address) })
  expect(updateServer({ ...start, address: 'http://127.0.0.1:4000/' })).toMatchObject({ ok: true })
})

test.each([
  ['a build without one', { address: '' }],
  ['a test build', { version: '0.1.0-test' }],
  ['the demo', { isDemo: true }],
  ['a watch', { isWatch: true }],
])('%s makes no requests', (_what, change) =>
  expect(updateServer({ ...start, ...change })).toEqual({ ok: true, value: undefined }),
)

test.each(['http://updates.example/', 'ftp://updates.example/', 'updates', 'https://kim:pw@updates.example/'])(
  '%s is refused',
  (wrong) => {
    const answer = updateServer({ ...start, address: wrong })
    expect(answer).toMatchObject({ ok: false, problem: { code: 'badEnvironment' } })
    expect(JSON.stringify(answer)).not.toContain('pw')
  },
)
