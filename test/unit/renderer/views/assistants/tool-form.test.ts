import { describe, expect, test } from 'vitest'
import { argumentsOf, draftOf, fillIn } from '../../../../../renderer/views/assistants/tool-form'
import type { ToolField } from '../../../../../protocol/service-tools'

const about = { description: '', isRequired: false }
const fields: ToolField[] = [
  { ...about, name: 'whole', kind: 'number', isInteger: true },
  { ...about, name: 'assets', kind: 'texts' },
  { ...about, name: 'deep', kind: 'switch' },
  { ...about, name: 'other', kind: 'json' },
  { ...about, name: 'startDate', kind: 'date' },
  { ...about, name: 'pairs', kind: 'rows', fields: [{ ...about, name: 'index', kind: 'text', isRequired: true }] },
]
const readTime = (text: string) =>
  text === 'noon'
    ? ({ ok: true, value: Date.UTC(2026, 10, 20, 12) } as const)
    : ({ ok: false, problem: { code: 'badTime', message: 'No time.' } } as const)

describe('the form of a tool', () => {
  test('converts typed texts to arguments and leaves out empty ones', () => {
    const draft = {
      ...{ whole: '12', assets: 'BTC, ETH', deep: true, other: '{"a":[1]}', startDate: 'noon' },
      pairs: [{ index: ' BRR ' }],
    }
    const args = {
      ...{ whole: 12, assets: ['BTC', 'ETH'], deep: true, other: { a: [1] }, startDate: '2026-11-20' },
      pairs: [{ index: 'BRR' }],
    }
    expect(argumentsOf(fields, draft, readTime)).toEqual({ args })
    expect(argumentsOf(fields, { pairs: [] }, readTime)).toEqual({ args: {} })
    expect(argumentsOf(fields, draftOf(fields, args), readTime)).toEqual({ args })
  })

  test('states the problem of each field', () => {
    const draft = { whole: '9007199254740993', other: '{', startDate: 'soon', pairs: [{ index: '' }] }
    const read = argumentsOf(fields, draft, readTime)
    expect('problems' in read && Object.keys(read.problems)).toEqual(['whole', 'other', 'startDate', 'pairs.0.index'])
  })

  test('is filled in with the subject of a page, also within rows', () => {
    expect(fillIn(fields, { name: 'index', text: 'BRR' })['pairs']).toEqual([{ index: 'BRR' }])
    expect(fillIn(fields, { name: 'asset', text: 'BTC' })['assets']).toBe('BTC')
  })
})
