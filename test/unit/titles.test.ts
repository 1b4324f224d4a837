import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const longest = 90

test('a title is one claim of at most 90 characters', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => join('test', name))
  const tests = files.filter((name) => /\.(?:spec|test)\.ts$/.test(name))
  const long = tests.flatMap((name) => {
    const titles = readFileSync(name, 'utf8').matchAll(/^ *test(?:\.each\b.*)?\(\s*(['"`])(.*?)\1,/gm)
    return [...titles].flatMap(([, , title = '']) => (title.length > longest ? [`${name}: ${title}`] : []))
  })
  expect(tests.length).toBeGreaterThan(100)
  expect(long).toEqual([])
})
