// @ts-check
/**
 * Finds the Electron APIs that code uses, by type, so that aliases are found too. Fields of structures count, for
 * example the size of a display.
 */
import { relative } from 'node:path'
import ts from 'typescript'

/**
 * The names in a table of docs/development/electron.md, such as `App.quit` or `App 'ready'`. The first cell of a row is
 * the type, the second its used members.
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

/** The type of Electron that declares a symbol, or undefined. @param {ts.Symbol | undefined} symbol */
function ownerOf(symbol) {
  const declaration = symbol?.declarations?.[0]
  if (declaration === undefined || !typesFile.test(declaration.getSourceFile().fileName)) return undefined
  const { parent } = declaration
  const owner = ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent) ? parent.name?.text : undefined
  // Types of Node, which Electron partly declares again.
  return owner === 'Process' || owner === 'ProcessVersions' ? undefined : owner
}

/** @param {ts.Node} node @returns {node is ts.AssignmentExpression<ts.EqualsToken>} */
function isAssignment(node) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
}

/**
 * Every use of an Electron API in these files: its name, file and line, in the order of the files.
 * @param {ts.Program} program
 * @param {string[]} fileNames
 * @returns {{ name: string, place: string }[]}
 */
export function usedApis(program, fileNames) {
  const checker = program.getTypeChecker()
  const types = program.getSourceFiles().find(({ fileName }) => typesFile.test(fileName))
  // Looking up types takes most of the time, so names that Electron does not declare are skipped.
  const members = new Set([...(types?.text ?? '').matchAll(/(\w+)\??[(:<]/g)].map(([, name]) => name))
  /** @type {{ name: string, place: string }[]} */
  const used = []
  /** @param {ts.Node} node @param {string} name */
  const add = (node, name) => {
    const file = node.getSourceFile()
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    used.push({ name, place: `${relative(program.getCurrentDirectory(), file.fileName)}:${String(line)}` })
  }
  /** @param {ts.Type} type @param {readonly (ts.BindingElement | ts.ObjectLiteralElementLike)[]} parts */
  const addKeys = (type, parts) => {
    for (const part of parts) {
      const key = ts.isBindingElement(part) ? (part.propertyName ?? part.name) : part.name
      if (key === undefined || !ts.isIdentifier(key)) continue
      const owner = ownerOf(type.getProperty(key.text))
      if (owner !== undefined) add(part, `${owner}.${key.text}`)
    }
  }
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && members.has(node.name.text)) {
      const owner = ownerOf(checker.getSymbolAtLocation(node.name))
      if (owner !== undefined) {
        const { parent } = node
        const first = ts.isCallExpression(parent) && parent.expression === node ? parent.arguments[0] : undefined
        const isEvent = ['on', 'once', 'removeListener'].includes(node.name.text) && first && ts.isStringLiteral(first)
        add(node, isEvent ? `${owner} '${first.text}'` : `${owner}.${node.name.text}`)
      }
    } else if (ts.isObjectBindingPattern(node)) {
      addKeys(checker.getTypeAtLocation(node), node.elements)
    } else if (isAssignment(node) && ts.isObjectLiteralExpression(node.left)) {
      addKeys(checker.getTypeAtLocation(node.right), node.left.properties)
    }
    ts.forEachChild(node, visit)
  }
  for (const fileName of fileNames) {
    const file = program.getSourceFile(fileName)
    if (file) visit(file)
  }
  return used
}
