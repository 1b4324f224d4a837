import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript-eslint'
import { expect, test } from 'vitest'
import { electronApis, listedApis } from '../../../scripts/eslint/electron-apis.js'
import { temporaryFolder } from '../../support/temporary-folder'

const root = join(import.meta.dirname, '..', '..', '..')

test('the page lists types with members and events', () => {
  const listed = listedApis(readFileSync(join(root, 'docs', 'electron.md'), 'utf8'))
  expect(listed.size).toBeGreaterThan(100)
  expect(listed).toContain('App.quit')
  expect(listed).toContain("App 'second-instance'")
})

test('an API that the page does not list is a fault, behind any name, and one that it lists is none', async () => {
  const cwd = temporaryFolder()
  await mkdir(join(cwd, 'node_modules'))
  for (const name of ['electron', '@types', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(cwd, 'node_modules', name))
  }
  const compilerOptions = { module: 'nodenext', target: 'es2023', types: [], skipLibCheck: true, strict: true }
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
  await writeFile(
    join(cwd, 'app.ts'),
    `import { app as program, BrowserWindow, type Rectangle } from 'electron'
     const [window] = BrowserWindow.getAllWindows()
     const place: Rectangle | undefined = window?.getBounds()
     program.on('activate', () => { window?.show() })
     program.quit()
     const widthOf = ({ width: wide }: Rectangle) => wide
     console.log(place, widthOf, process.argv, [1].map(String))`,
  )
  const page = `
| Type            | Used                              | Changed |
| --------------- | --------------------------------- | ------- |
| \`App\`           | \`'activate'\`                      |         |
| \`BrowserWindow\` | \`getAllWindows\` \`getBounds\` \`show\` |         |
| \`Rectangle\`     | \`width\`                           |         |
`
  const complaints = async (of: string) => {
    const eslint = new ESLint({
      cwd,
      overrideConfigFile: true,
      overrideConfig: {
        files: ['*.ts'],
        languageOptions: { parser: ts.parser, parserOptions: { project: 'tsconfig.json', tsconfigRootDir: cwd } },
        plugins: { local: { rules: { 'electron-apis': electronApis } } },
        rules: { 'local/electron-apis': ['error', { page: of }] },
      },
    })
    const [result] = await eslint.lintFiles(['app.ts'])
    return result?.messages.map(({ message }) => message.replace(/:.*/, ''))
  }
  expect(await complaints(page)).toEqual(['App.quit is not in docs/electron.md'])
  expect(await complaints(page.replace("`'activate'`", '`quit`').replace('`show`', '').replace('`width`', ''))).toEqual(
    [
      "App 'activate' is not in docs/electron.md",
      'BrowserWindow.show is not in docs/electron.md',
      'Rectangle.width is not in docs/electron.md',
    ],
  )
})
