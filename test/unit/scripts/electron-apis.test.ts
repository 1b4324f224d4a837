import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { listedApis, usedApis } from '../../../scripts/testing/electron-apis.js'

const root = join(import.meta.dirname, '..', '..', '..')

test('the page lists types with members and events', () => {
  const listed = listedApis(readFileSync(join(root, 'docs', 'development', 'electron.md'), 'utf8'))
  expect(listed.size).toBeGreaterThan(100)
  expect(listed).toContain('App.quit')
  expect(listed).toContain("App 'second-instance'")
})

test("an app's uses of Electron are found by types, behind any name, and Node's own are none", () => {
  const source = `import { app as program, BrowserWindow, type Rectangle } from 'electron'
const [window] = BrowserWindow.getAllWindows()
const place: Rectangle | undefined = window?.getBounds()
program.on('activate', () => { window?.show() })
program.quit()
const widthOf = ({ width: wide }: Rectangle) => wide
let height = 0
;({ height } = window!.getBounds())
console.log(place, widthOf, height, process.argv, [1].map(String))`
  const file = join(root, 'app.ts')
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [], strict: true }
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023, true) : getSourceFile(name, ...rest)
  const used = usedApis(ts.createProgram([file], options, host), [file])
  expect(used.map(({ name, place }) => `${place.replace(/.*:/, '')} ${name}`)).toEqual([
    '2 BrowserWindow.getAllWindows',
    '3 BrowserWindow.getBounds',
    "4 App 'activate'",
    '4 BrowserWindow.show',
    '5 App.quit',
    '6 Rectangle.width',
    '8 Rectangle.height',
    '8 BrowserWindow.getBounds',
  ])
})
