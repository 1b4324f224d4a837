import { describe, expect, test } from 'vitest'
import { isSmall } from '../../../../protocol/commands/allowance'
import { commands } from '../../../../protocol/commands/contract'

describe('the size of a request', () => {
  const { allowance } = commands.openIndex

  test.each([
    ['long text', { indexId: 'x'.repeat(20_000) }],
    ['long keys', { ['x'.repeat(20_000)]: 1 }],
    ['many items', Array.from({ length: 1_000 }, () => 1)],
    ['bytes', new Uint8Array(10)],
  ])('does not allow %s', (_name, value) => expect(isSmall(value, allowance)).toBe(false))

  test('counts millions by the length of their array, before copying anything', () => {
    const looked: PropertyKey[] = []
    const millions = new Proxy(new Array(3_000_000), {
      get: (target, name) => {
        looked.push(name)
        return Reflect.get(target, name) as unknown
      },
      ownKeys: () => {
        throw new Error('all of its keys were made')
      },
    })
    expect(isSmall(millions, allowance)).toBe(false)
    expect(isSmall({ list: [millions] }, allowance)).toBe(false)
    expect(looked).toEqual(['length', 'length'])
  })

  test('ends the count at a cycle', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(isSmall(circle, allowance)).toBe(false)
  })

  test('allows what a page really sends', () => {
    expect(
      isSmall({ profile: { name: 'A', webSocketUrl: `wss://${'x'.repeat(2_000)}` }, keySecret: 'k' }, allowance),
    ).toBe(true)
    expect(isSmall(undefined, allowance)).toBe(true)
  })
})
