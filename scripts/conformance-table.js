// @ts-check
// Writes docs/reports/conformance.md from the test files of the suite.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

/** Sections of docs/reference/protocol.md that the suite covers, in the order of the table. */
export const sections = {
  1: 'Messages and connections',
  2.1: 'Subscribing to `value`',
  2.2: 'Subscribing to `constituents`',
  2.3: 'Unsubscribing',
  2.4: 'Value messages',
  2.5: 'Constituents messages',
  2.6: 'Failed subscriptions',
  2.7: 'Reference data',
  4.1: 'WebSocket operations',
  4.2: 'REST operations',
  4.3: 'Assistant tools',
  5: 'The key',
  6: 'Events',
  7: 'Errors',
  9: 'Versions',
  beyond: 'What the service offers beyond its description',
}

/**
 * @typedef {keyof typeof sections} Section
 * @typedef {object} SpecTest
 * @property {string} section
 * @property {'holds' | 'refuses'} kind
 * @property {string} name without its section
 * @property {string} file
 */

const suite = 'test/service/conformance'
const file = 'docs/reports/conformance.md'

/**
 * The tests in one file of the suite. Finds only names that are literals, not names built at run time.
 * @param {string} path
 * @param {string} text
 * @returns {SpecTest[]}
 */
export function testsIn(path, text) {
  /** @type {SpecTest[]} */
  const found = []
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  for (const statement of tree.statements) {
    const call = ts.isExpressionStatement(statement) ? statement.expression : undefined
    if (!call || !ts.isCallExpression(call)) continue
    const kind = call.expression.getText(tree)
    const [name] = call.arguments
    if (kind !== 'holds' && kind !== 'refuses') continue
    const [, section, rest] = (name && ts.isStringLiteralLike(name) && /^(\S+) (.+)$/.exec(name.text)) || []
    if (!section || !rest) throw new Error(`${path}: a test without a section: ${name?.getText(tree) ?? ''}`)
    found.push({ section, kind, name: rest, file: path })
  }
  return found
}

/** Every test of the suite. @param {string} root the project's folder @returns {SpecTest[]} */
export function conformanceTests(root) {
  const names = readdirSync(join(root, suite)).filter((name) => name.endsWith('.test.ts'))
  return names.sort().flatMap((name) => testsIn(name, readFileSync(join(root, suite, name), 'utf8')))
}

/** The expected table. @param {string} root @returns {Promise<string>} */
export async function conformanceTable(root) {
  const tests = conformanceTests(root)
  const unknown = tests.find(({ section }) => !Object.hasOwn(sections, section))
  if (unknown) throw new Error(`${unknown.file}: there is no section ${unknown.section}`)
  const order = Object.keys(sections).sort((a, b) => rank(a) - rank(b))
  const rows = order.flatMap((section) =>
    tests
      .filter((test) => test.section === section)
      .sort((a, b) => a.kind.localeCompare(b.kind))
      .map(({ kind, name, file }) => `| ${section} | ${kind} | ${name.replaceAll('|', '\\|')} | ${file} |`),
  )
  const summary = order.map((section) => {
    const count = (/** @type {string} */ kind) =>
      tests.filter((test) => test.section === section && test.kind === kind).length
    const title = /** @type {Record<string, string>} */ (sections)[section]
    return `| ${section} | ${title} | ${count('holds')} | ${count('refuses')} |`
  })
  const text = [...introduction, ...summary, '', '## Every test', '', ...testHead, ...rows, ''].join('\n')
  return format(text, { ...(await resolveConfig(join(root, file))), parser: 'markdown', filepath: file })
}

/** Writes the table. @param {string} root */
export async function writeConformanceTable(root) {
  writeFileSync(join(root, file), await conformanceTable(root))
}

/** Sort key that puts numbered sections first, in order. @param {string} section */
function rank(section) {
  return section === 'beyond' ? Infinity : Number(section)
}

const introduction = [
  '# Conformance',
  '',
  'What the suite in `test/service/conformance/` checks, by the sections of the [protocol](../reference/protocol.md). A test',
  'that _holds_ states what the service does. A test that _refuses_ states what it rejects or never does.',
  '`npm run test:service -- --write-table` writes this page.',
  '',
  '`npm run test:service` starts a simulator and checks it over real sockets. With `--ws`, `--rest`, `--mcp`, `--key-id` and',
  '`--key-secret` it checks any other service. There it skips what the protocol marks as ours and what the service does not',
  'offer. `--index KIND=ID` names an index that the suite does not find by itself. `--mutants` plants violations in the',
  'simulator, one by one, and fails if the suite does not notice.',
  '',
  '| Section | | Holds | Refuses |',
  '| --- | --- | --- | --- |',
]
const testHead = ['| Section | Kind | Test | File |', '| --- | --- | --- | --- |']
