import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript-eslint'
import { expect, test } from 'vitest'
import { electronApis, listedApis } from '../../../scripts/eslint/electron-apis.js'

const root = join(import.meta.dirname, '..', '..', '..')
const page = readFileSync(join(root, 'docs', 'electron.md'), 'utf8')

/** What the rule says of a file of the app under this page. */
async function complaints(text: string): Promise<string[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['main/**/*.ts'],
        languageOptions: { parser: ts.parser, parserOptions: { projectService: true, tsconfigRootDir: root } },
        plugins: { local: { rules: { 'electron-apis': electronApis } } },
        rules: { 'local/electron-apis': ['error', { page: text }] },
      },
    ],
  })
  const [result] = await eslint.lintFiles(['main/desktop/log-folder.ts'])
  return (result?.messages ?? []).map(({ message }) => message)
}

test('the page lists types with members and events', () => {
  const listed = listedApis(page)
  expect(listed.size).toBeGreaterThan(100)
  expect(listed).toContain('App.quit')
  expect(listed).toContain("App 'second-instance'")
})

test('an API that the page does not list is a fault of the file that uses it, and one that it lists is none', async () => {
  expect(await complaints(page)).toEqual([])
  const without = page.replace('`openPath`', '')
  expect(await complaints(without)).toEqual([
    'Shell.openPath is not in docs/electron.md: add it, with what changes between versions.',
  ])
})
