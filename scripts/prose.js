// @ts-check
// npm run prose: lists sentences that are hard to read, in the docs, in comments and in texts on the screen, and
// suggests plainer forms. It only warns, because some findings are fine as they stand. Part of `npm run lint`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const maxWords = 30

/** A construction that needs a second reading, and the plain form. @type {[RegExp, string][]} */
const constructions = [
  [/\b(?:of|from) then\b/i, '“at that time”, “from that time”'],
  [/\b(?:came|comes|becomes) of\b/i, 'name the result'],
  [/\bwhoever\b/i, 'name who'],
  [/\bnobody\b/i, '“no one”, or name who does not'],
  [/(?<!there )\b(?:is|are) no (?!longer|more|one|other)\w+/i, '“is not a …”, “has no …”'],
  [/(?<!\bmay )\bgo(?:es)? on\b/i, '“continues”'],
  [/\bcounted from (?!0\b)/i, '“since”, “relative to”'],
  [/\bin force\b/i, '“in effect”'],
  [/\ball the same\b/i, '“anyway”, “still”'],
  [/\bcarried over\b/i, '“carried forward”'],
  [/\bheld back\b/i, '“suppressed”'],
  [/\bgiven up\b/i, '“discarded”, “cancelled”'],
  [/\babsent[:;]/i, '“Undefined if …”'],
  [/\bas (?:it was|they were)\b/i, '“unchanged”, or say the state'],
  [/\b(?:what|who|which) else\b/i, 'name it'],
  [/\bstands? (?:against|beside|out)\b/i, '“is beside”, “follows”'],
]

/**
 * The findings of one text.
 * @param {string} text plain words, without markup
 * @returns {string[]}
 */
export function findings(text) {
  const found = constructions.flatMap(([pattern, better]) => {
    const match = pattern.exec(text)?.[0]
    return match === undefined ? [] : [`“${match}”: better ${better}`]
  })
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const count = segment.split(/\s+/).filter((word) => /\w/.test(word)).length
    if (count > maxWords) found.push(`a sentence of ${count} words: “${segment.trim().slice(0, 60)} …”`)
  }
  return found
}

/** @typedef {{ line: number, text: string }} Passage a paragraph, a comment or a text on the screen */

/** The paragraphs of a page, without code, tables and addresses. @param {string} page @returns {Passage[]} */
export function paragraphs(page) {
  const bare = page.replace(/^(```|<!--)[\s\S]*?^(```|.*-->)$/gm, (code) => code.replace(/[^\n]/g, ''))
  return passages(bare, /(?:^(?!\s*(?:\||#|$)).*\n?)+?(?=^\s*(?:[-*]|\d+\.) |^\s*$|^[|#]|$(?![\s\S]))/gm, (text) =>
    text.replace(/`[^`]*`/g, 'Code').replace(/\]\([^)]*\)|[[*_]/g, ''),
  )
}

/** The comments of a source file. @param {string} source @returns {Passage[]} */
export function comments(source) {
  return passages(source, /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/ .*\n)+|<!--[\s\S]*?-->/gm, (text) =>
    text
      .replace(/^\s*(?:\/\*\*?|\*\/?|\/\/|<!--)|\*\/|-->/gm, ' ')
      .replace(/`[^`]*`|\{@link [^}]*\}/g, 'Code')
      .replace(/@[\w-]+(?: \{[^}]*\})?| [-·] /g, '. '),
  )
}

/** The texts on the screen with a semicolon. @param {string} source @returns {Passage[]} */
export function semicolons(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ''))
  return passages(code, /(['`])[A-Z$](?:(?!\1)[^\n\\])*[a-z]; [a-z](?:(?!\1)[^\n\\])*\1/g, (text) => text)
}

/** @param {string} source @param {RegExp} pattern @param {(text: string) => string} plain @returns {Passage[]} */
function passages(source, pattern, plain) {
  return [...source.matchAll(pattern)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    text: plain(match[0]).replace(/\s+/g, ' ').trim(),
  }))
}

/** @param {...string} patterns @returns {string[]} */
function tracked(...patterns) {
  return execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
}

function run() {
  let count = 0
  /** @param {string} file @param {Passage[]} read @param {(text: string) => string[]} judge */
  const report = (file, read, judge) => {
    for (const { line, text } of read) {
      for (const finding of judge(text)) {
        count++
        process.stdout.write(`${file}:${line}: ${finding}\n`)
      }
    }
  }
  for (const file of tracked('*.md', ':!CHANGELOG.md')) report(file, paragraphs(readFileSync(file, 'utf8')), findings)
  for (const file of tracked('*.ts', '*.js', '*.svelte')) {
    const source = readFileSync(file, 'utf8')
    report(file, comments(source), findings)
    if (/^(?:core|main|renderer|protocol)\//.test(file))
      report(file, semicolons(source), (text) => [`a semicolon on the screen: ${text.slice(0, 60)}`])
  }
  process.stdout.write(`prose: ${count === 0 ? 'nothing to say' : `${count} places could be plainer`}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run()
