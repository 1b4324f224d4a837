// @ts-check
/**
 * An ESLint rule: every API of Electron that the app uses is in the table of docs/electron.md, where what changes between
 * versions stands beside it. By types, so that it is found behind any name; structures such as a display's size count too.
 */
import { readFileSync } from 'node:fs'

/**
 * The names in a table of the page, `App.quit` or `App 'ready'`: of each row the first cell is the type, the second what is
 * used of it.
 * @param {string} page
 * @returns {Set<string>}
 */
export function listedApis(page) {
  const names = new Set()
  for (const [, type = '', cell = ''] of page.matchAll(/^\| `(\w+)` +\| ([^|]*)\|/gm)) {
    for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g))
      names.add(name.startsWith("'") ? `${type} ${name}` : `${type}.${name}`)
  }
  return names
}

const typesFile = /[\\/]electron[\\/]electron\.d\.ts$/

/** @type {import('eslint').Rule.RuleModule} */
export const electronApis = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: { absent: '{{name}} is not in docs/electron.md: add it, with what changes between versions.' },
  },
  create(context) {
    const listed = listedApis(
      context.options[0]?.page ?? readFileSync(new URL('../../docs/electron.md', import.meta.url), 'utf8'),
    )
    /** @type {any} */
    const services = context.sourceCode.parserServices
    /** Of what is declared in Electron's types, the type it belongs to. @param {any} symbol @returns {string | undefined} */
    const ownerOf = (symbol) => {
      const [declaration] = symbol?.declarations ?? []
      if (declaration === undefined || !typesFile.test(declaration.getSourceFile().fileName)) return undefined
      const owner = declaration.parent.name?.text
      // Node's own, of which Electron declares a few again.
      return owner === 'Process' || owner === 'ProcessVersions' ? undefined : owner
    }
    /** @param {any} node @param {string} name */
    const check = (node, name) => {
      if (!listed.has(name)) context.report({ node, messageId: 'absent', data: { name } })
    }
    return {
      MemberExpression(node) {
        const owner = node.computed ? undefined : ownerOf(services.getSymbolAtLocation(node.property))
        if (owner === undefined || node.property.type !== 'Identifier') return
        const { parent } = node
        const [first] = parent.type === 'CallExpression' && parent.callee === node ? parent.arguments : []
        const isEvent = ['on', 'once', 'removeListener'].includes(node.property.name) && first?.type === 'Literal'
        check(node, isEvent ? `${owner} '${String(first.value)}'` : `${owner}.${node.property.name}`)
      },
      ObjectPattern(node) {
        const type = services.getTypeAtLocation(node)
        for (const each of node.properties) {
          if (each.type !== 'Property' || each.computed || each.key.type !== 'Identifier') continue
          const owner = ownerOf(type.getProperty(each.key.name))
          if (owner !== undefined) check(each, `${owner}.${each.key.name}`)
        }
      },
    }
  },
}
