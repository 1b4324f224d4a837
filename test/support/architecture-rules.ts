import { posix } from 'node:path'
import ts from 'typescript'

/** Text of each source file by its path from the project's root. */
export type Sources = ReadonlyMap<string, string>

interface Import {
  /** The module as written. */
  specifier: string
  /** The project's file it means; absent for packages. */
  path?: string
}

interface Parsed {
  path: string
  text: string
  tree: ts.SourceFile
  imports: Import[]
}

const mostFileLines = 300
const mostFunctionLines = 60
const endings = ['', '.ts', '.js', '.svelte.ts', '.svelte', '.d.ts']

/** A Svelte component's script with the lines of its template left empty, so that line numbers hold. */
function scriptOf(path: string, text: string): string {
  if (!path.endsWith('.svelte')) return text
  let isScript = false
  const lines = text.split('\n').map((line) => {
    if (/^<script\b/.test(line)) {
      isScript = true
      return ''
    }
    if (line.startsWith('</script>')) isScript = false
    return isScript ? line : ''
  })
  return lines.join('\n')
}

function specifiersOf(tree: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
    const module = isStatic ? node.moduleSpecifier : undefined
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    const named = module ?? (isDynamic ? node.arguments[0] : undefined)
    if (named !== undefined && ts.isStringLiteral(named)) found.push(named.text)
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push(node.argument.literal.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function parse(sources: Sources): Parsed[] {
  return [...sources].map(([path, text]) => {
    const tree = ts.createSourceFile(path, scriptOf(path, text), ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS)
    const imports = specifiersOf(tree).map((specifier): Import => {
      if (!specifier.startsWith('.')) return { specifier }
      const base = posix.join(posix.dirname(path), specifier)
      const target = endings.map((ending) => base + ending).find((candidate) => sources.has(candidate))
      return { specifier, path: target ?? base }
    })
    return { path, text, tree, imports }
  })
}

/** First folder of a path; two folders deep inside `main/`. */
function partOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  return first === 'main' && rest.length > 0 ? `main/${second}` : first
}

const mayImport: Record<string, readonly string[]> = {
  protocol: ['protocol'],
  preload: ['preload', 'protocol'],
  renderer: ['renderer', 'protocol'],
  simulator: ['simulator', 'protocol'],
  'main/base': ['main/base', 'protocol'],
}

function allowedParts(part: string): readonly string[] | undefined {
  return mayImport[part] ?? (part.startsWith('main/') ? [part, 'main/base', 'protocol'] : undefined)
}

function partFaults({ path, imports }: Parsed): string[] {
  const allowed = allowedParts(partOf(path))
  return imports.flatMap((each) => {
    if (each.path === undefined) return []
    const isForbidden = allowed !== undefined && !allowed.includes(partOf(each.path))
    const isValidator = path.startsWith('renderer/') && each.path === 'protocol/desktop-schema.ts'
    return isForbidden || isValidator ? [`${path} must not import ${each.path}`] : []
  })
}

/** Which part of the product may import a package that reaches out of the process. */
const importers: Record<string, RegExp> = {
  electron:
    /^(main\/(index|app|app-[\w-]+)\.ts|main\/(desktop|ipc)\/.+|main\/storage\/secrets\.ts|preload\/index\.ts)$/,
  ws: /^(main\/feed\/socket\.ts|simulator\/.+)$/,
  'electron-store': /^main\/storage\/settings-file\.ts$/,
}

const productParts = /^(main|preload|protocol|renderer|simulator)\//

function packageFaults({ path, imports }: Parsed): string[] {
  if (!productParts.test(path)) return []
  return imports.flatMap(({ specifier }) => {
    const allowed = importers[specifier]
    return allowed === undefined || allowed.test(path) ? [] : [`${path} must not import ${specifier}`]
  })
}

function lineCount(tree: ts.SourceFile, node: ts.Node): number {
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart(tree)) + 1
}

function sizeFaults({ path, text, tree }: Parsed): string[] {
  const faults: string[] = []
  const lines = text.trimEnd().split('\n').length
  if (lines > mostFileLines) faults.push(`${path} has ${lines} lines`)
  const visit = (node: ts.Node): void => {
    const length = ts.isFunctionLike(node) ? lineCount(tree, node) : 0
    // A suite is one long function by nature.
    if (length > mostFunctionLines && !path.startsWith('test/')) {
      faults.push(`${path}: a function has ${length} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return faults
}

const muted = new RegExp(['eslint', 'disable'].join('-') + '|' + ['@ts', '(ignore|nocheck|expect-error)'].join('-'))

function strictnessFaults({ path, text, tree }: Parsed): string[] {
  const faults: string[] = []
  if (muted.test(text)) faults.push(`${path} switches a check off`)
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) faults.push(`${path} says any`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return faults
}

function circleFaults(files: readonly Parsed[]): string[] {
  const imported = new Map(files.map(({ path, imports }) => [path, imports.flatMap((each) => each.path ?? [])]))
  const done = new Set<string>()
  const faults: string[] = []
  const follow = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      faults.push(`circle: ${[...trail.slice(start), path].join(' → ')}`)
      return
    }
    if (done.has(path)) return
    for (const next of imported.get(path) ?? []) follow(next, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) follow(path, [])
  return faults
}

/** What in these files goes against docs/architecture.md; empty when nothing does. */
export function architectureFaults(sources: Sources): string[] {
  const files = parse(sources)
  const single = files.flatMap((file) => [
    ...partFaults(file),
    ...packageFaults(file),
    ...sizeFaults(file),
    ...strictnessFaults(file),
  ])
  return [...single, ...circleFaults(files)]
}
