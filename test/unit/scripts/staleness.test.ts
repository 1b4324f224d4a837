import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../../scripts/setup/build.js'
import { isInstalledAsLocked } from '../../../scripts/setup/dependencies.js'

const names = ['main', 'vite.config.ts', 'not-there']
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indexwatch-stale-'))
  mkdirSync(join(folder, 'main', 'feed'), { recursive: true })
  writeFileSync(join(folder, 'main', 'feed', 'a.ts'), 'a')
  writeFileSync(join(folder, 'main', 'b.ts'), 'b')
  writeFileSync(join(folder, 'vite.config.ts'), 'config')
  writeFileSync(join(folder, 'README.md'), 'text')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a build stays fresh when only times and files outside its sources change', () => {
  const before = fingerprint(folder, names)
  utimesSync(join(folder, 'main', 'b.ts'), 1, 1)
  writeFileSync(join(folder, 'README.md'), 'other text')
  expect(fingerprint(folder, names)).toBe(before)
  expect(fingerprint(folder, [...names].reverse())).toBe(before)
})

test.for([
  ['a changed file', () => writeFileSync(join(folder, 'main', 'feed', 'a.ts'), 'A')],
  ['a changed configuration', () => writeFileSync(join(folder, 'vite.config.ts'), 'other')],
  ['a new file', () => writeFileSync(join(folder, 'main', 'c.ts'), '')],
  ['a removed file', () => rmSync(join(folder, 'main', 'b.ts'))],
  ['a renamed file', () => renameSync(join(folder, 'main', 'b.ts'), join(folder, 'main', 'd.ts'))],
  [
    'text moved from one file to the next',
    () => {
      writeFileSync(join(folder, 'main', 'b.ts'), '')
      writeFileSync(join(folder, 'main', 'feed', 'a.ts'), 'ba')
    },
  ],
] satisfies [string, () => void][])('%s makes a build stale', ([, change]) => {
  const before = fingerprint(folder, names)
  change()
  expect(fingerprint(folder, names)).not.toBe(before)
})

const locked = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/ws': { version: '8.23.0', integrity: 'sha512-a' },
    'node_modules/for-another-system': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  },
}

test('dependencies installed by hand count as present, without those for other systems', () => {
  const noted = { packages: { 'node_modules/ws': { version: '8.23.0', integrity: 'sha512-a' } } }
  expect(isInstalledAsLocked(locked, noted)).toBe(true)
})

test.for([
  ['an older version', { 'node_modules/ws': { version: '8.22.0', integrity: 'sha512-a' } }],
  ['another file of the same version', { 'node_modules/ws': { version: '8.23.0', integrity: 'sha512-z' } }],
  ['a missing package', {}],
])('%s counts as not installed', ([, packages]) =>
  expect(isInstalledAsLocked(locked, { packages: packages as Record<string, object> })).toBe(false),
)

test('a record of npm without any package counts as not installed', () =>
  expect(isInstalledAsLocked(locked, {})).toBe(false))
