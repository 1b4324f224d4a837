import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { architectureFaults } from './support/architecture-rules'

const root = join(import.meta.dirname, '..')
const folders = ['main', 'preload', 'protocol', 'renderer', 'scripts', 'simulator', 'test']

function projectSources(): Map<string, string> {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && /\.(ts|js|svelte)$/.test(entry.name),
    ),
  )
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')]
    }),
  )
}

function planted(files: Record<string, string>): string[] {
  return architectureFaults(new Map(Object.entries(files)))
}

describe('the project', () => {
  const sources = projectSources()

  test('is read whole', () => {
    for (const folder of folders) {
      expect([...sources.keys()].filter((path) => path.startsWith(`${folder}/`))).not.toEqual([])
    }
  })

  // Reads every source: slow where others work too.
  test('keeps the rules of docs/architecture.md', { timeout: 60_000 }, () => {
    expect(architectureFaults(sources)).toEqual([])
  })
})

describe('each rule sees what goes against it', () => {
  test.each([
    ['a sibling', 'main/feed/a.ts', '../rest/b', 'main/rest/b.ts'],
    ['a part from the floor', 'main/base/a.ts', '../feed/b', 'main/feed/b.ts'],
    ['the composition root from a part', 'main/feed/a.ts', '../app', 'main/app.ts'],
    ['the app from protocol', 'protocol/a.ts', '../main/base/b', 'main/base/b.ts'],
    ['the simulator from the app', 'main/feed/a.ts', '../../simulator/b', 'simulator/b.ts'],
    ['the app from the simulator', 'simulator/a.ts', '../main/feed/b', 'main/feed/b.ts'],
    ['the app from the page', 'renderer/a.svelte.ts', '../main/base/b', 'main/base/b.ts'],
    ['the validators from the page', 'renderer/a.ts', '../protocol/desktop-schema', 'protocol/desktop-schema.ts'],
    ['the page from the preload', 'preload/a.ts', '../renderer/b', 'renderer/b.ts'],
  ])('importing %s', (_name, path, specifier, target) => {
    const seen = planted({ [path]: `import { b } from '${specifier}'`, [target]: '' })
    expect(seen).toEqual([`${path} must not import ${target}`])
  })

  test.each([
    ['electron', 'main/feed/a.ts'],
    ['electron', 'main/storage/settings-file.ts'],
    ['electron', 'renderer/a.ts'],
    ['ws', 'main/rest/a.ts'],
    ['electron-store', 'main/storage/settings.ts'],
  ])('importing %s in %s', (name, path) => {
    expect(planted({ [path]: `import type { b } from '${name}'` })).toEqual([`${path} must not import ${name}`])
  })

  test.each([
    ["export { b } from '../rest/b'"],
    ["const b = await import('../rest/b')"],
    ["type B = import('../rest/b').B"],
  ])('an import written as %s', (text) => {
    expect(planted({ 'main/feed/a.ts': text, 'main/rest/b.ts': '' })).toHaveLength(1)
  })

  test('an import in a component', () => {
    const component = '<script lang="ts">\n  import { b } from "../main/base/b"\n</script>\n<p>{b}</p>\n'
    expect(planted({ 'renderer/a.svelte': component, 'main/base/b.ts': '' })).toHaveLength(1)
  })

  test('a circle, also one of types alone', () => {
    const seen = planted({
      'main/feed/a.ts': "import type { B } from './b'",
      'main/feed/b.ts': "import { c } from './c'",
      'main/feed/c.ts': "import { a } from './a'",
    })
    expect(seen).toEqual(['circle: main/feed/a.ts → main/feed/b.ts → main/feed/c.ts → main/feed/a.ts'])
  })

  test('a long file and a long function', () => {
    expect(planted({ 'main/feed/a.ts': '//\n'.repeat(301) })).toEqual(['main/feed/a.ts has 301 lines'])
    expect(planted({ 'main/feed/a.ts': '//\n'.repeat(300) })).toEqual([])
    const long = `function a() {\n${'//\n'.repeat(60)}}`
    expect(planted({ 'main/feed/a.ts': long })).toEqual(['main/feed/a.ts: a function has 62 lines'])
    expect(planted({ 'test/unit/a.test.ts': long })).toEqual([])
  })

  test('checks that are switched off', () => {
    expect(planted({ 'main/feed/a.ts': 'const a: any = 1' })).toEqual(['main/feed/a.ts says any'])
    expect(planted({ 'main/feed/a.ts': 'const any = "any" // any' })).toEqual([])
    for (const comment of ['eslint' + '-disable-next-line', '@ts' + '-ignore', '@ts' + '-expect-error']) {
      expect(planted({ 'main/feed/a.ts': `// ${comment}\n` })).toEqual(['main/feed/a.ts switches a check off'])
    }
  })

  test('and nothing where there is nothing', () => {
    const seen = planted({
      'main/app.ts': "import { a } from './feed/a'\nimport { app } from 'electron'",
      'main/feed/a.ts': "import { b } from '../base/b'\nimport { p } from '../../protocol/p'",
      'main/base/b.ts': "import { p } from '../../protocol/p'",
      'protocol/p.ts': '',
    })
    expect(seen).toEqual([])
  })
})
