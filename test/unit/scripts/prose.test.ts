import { expect, test } from 'vitest'
import { comments, findings, paragraphs, semicolons } from '../../../scripts/prose.js'

test('a sentence is too long from 31 words on', () => {
  const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}. Short.`
  expect(findings(words(30))).toEqual([])
  expect(findings(words(31))).toEqual([expect.stringMatching(/^a sentence of 31 words: “word word/)])
})

test('a construction that needs a second reading is reported with the plain one', () => {
  expect(findings('The value of then is in force.')).toEqual([
    '“of then”: better “at that time”, “from that time”',
    '“in force”: better “in effect”',
  ])
  expect(findings('There is no session. It is no longer open.')).toEqual([])
})

test('the paragraphs of a page are read, without code, tables and addresses', () => {
  const page =
    '# Title\n\nFirst `a; b` line\nand [more](x.md).\n\n| a | table |\n\n```sh\nnpm test\n```\n\n- One.\n- Two.\n'
  expect(paragraphs(page)).toEqual([
    { line: 3, text: 'First Code line and more.' },
    { line: 12, text: '- One.' },
    { line: 13, text: '- Two.' },
  ])
})

test('the comments of a source file are read, each as one text', () => {
  const source = '/**\n * Of one\n * thing.\n */\nconst a = 1 // not read\n// Two\n// lines.\nconst b = 2\n'
  expect(comments(source)).toEqual([
    { line: 1, text: 'Of one thing.' },
    { line: 6, text: 'Two lines.' },
  ])
})

test('a semicolon is found in a text on screen, not in code or a comment', () => {
  expect(
    semicolons("// 'Some text; more'\nconst a = 'Saved; go back.'; f('b')\nconst c = 'text/css; charset'"),
  ).toEqual([{ line: 2, text: "'Saved; go back.'" }])
})
