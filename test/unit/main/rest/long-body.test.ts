import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../../main/base/sanitize'
import { parseBody, rowsOfPart } from '../../../../main/rest/long-body'
import { successBody } from '../../../support/scripted-service'
import { examples } from '../../../support/examples'

const manyRows = Array.from({ length: 20_000 }, (_, at) => ({ value: `${at}.10`, time: at * 1_000 }))
/** Longer than a text that is parsed at once. */
const padding = ' '.repeat(200_000)

/** The parsed body, and how many turns the loop had meanwhile. */
async function parsed(body: string) {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  const value = await parseBody(body)
  isOver = true
  return { value, turns }
}

describe('the body of a response', () => {
  test('is parsed in parts if its list is long', async () => {
    const body = successBody(manyRows)
    const { value, turns } = await parsed(body)
    expect(value).toEqual(JSON.parse(body))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(manyRows.length / rowsOfPart))
  })

  test('is parsed at once if it is short', async () => {
    const { value, turns } = await parsed(successBody([{ value: '1.0', time: 1 }]))
    expect(value).toMatchObject({ payload: [{ value: '1.0', time: 1 }] })
    expect(turns).toBe(0)
  })

  test.each([
    ['a text with brackets', '{"payload":[{"a":"}],[{"},{"b":"\\"}"}],"error":null}'],
    ['a row with a list', '{"payload":[{"a":1},{"b":[1]}]}'],
    ['an empty list', '{"payload":[]}'],
    ['a list of numbers', '{"payload":[1,2]}'],
    ['the list first', '{"payload":[{"a":1}],"serverTime":"x"}'],
    ['a list that is cut off', '{"payload":[{"a":1},{"b"'],
    ['a comma too many', '{"payload":[{"a":1},]}'],
    ['no comma', '{"payload":[{"a":1}{"b":2}]}'],
    ['a row that is not JSON', '{"payload":[{a:1}]}'],
    ['two payloads', '{"payload":[{"a":1}],"payload":[]}'],
    ['a payload inside another field', '{"more":{"payload":[{"a":1}]},"payload":7}'],
    ['a payload in a text', '{"more":"\\"payload\\":[{","payload":[{"a":1}]}'],
    ['text after it', '{"payload":[{"a":1}]} x'],
    ['nesting too deep after it', `{"payload":[{"a":1}],"more":${'['.repeat(40)}${']'.repeat(40)}}`],
  ])('with %s has the same result in parts', async (_name, body) => {
    const long = body.replace('{', `{${padding}`)
    expect((await parsed(long)).value).toEqual(parseJson(long))
  })

  test('has the same result after any change of a character', () => {
    const text = `{${padding}"serverTime":"2023","payload":[{"value":"1.5","time":1},{"value":"2","time":2}],"error":null}`
    const first = text.indexOf('"')
    return fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - first - 1),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '1', ' ', 'payload'),
        async (at, put) => {
          const changed = text.slice(0, first + at) + put + text.slice(first + at + 1)
          expect((await parsed(changed)).value).toEqual(parseJson(changed))
        },
      ),
      { numRuns: examples(300) },
    )
  })

  test.each(['x', '\\\\', ' ', '"",'])('of eight megabytes of %j in one row does not throw', async (character) => {
    const long = `{"payload":[{"a":"${character.repeat(8_000_000 / character.length)}"}]}`
    expect((await parsed(long)).value).toEqual(parseJson(long))
  })
})
