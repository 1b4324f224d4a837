import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appliedIn } from '../../../core/preferences'

const comments = /\/\*.*?\*\/|<!--.*?-->|\/\/[^\n]*/gs

test.each(Object.entries(appliedIn))('%s is read in the file that is listed as applying it', (name, file) => {
  const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  expect(source.replace(comments, '')).toMatch(new RegExp(`\\b${name}\\b`))
})
