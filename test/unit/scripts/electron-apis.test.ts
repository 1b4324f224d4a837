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

/** A part of Electron's types. */
const types = `
interface Process { argv: string[] }
interface Rectangle { width: number; height: number }
interface App { on(event: 'activate', listener: () => void): this; quit(): void }
export class BrowserWindow { static getAllWindows(): BrowserWindow[]; getBounds(): Rectangle; show(): void }
export const app: App
export type { Rectangle }
declare global { var process: Process; interface Array<T> { [at: number]: T } }`

test("uses of Electron are found by types behind any name, without Node's own", () => {
  const source = `import { app as program, BrowserWindow, type Rectangle } from 'electron'
const [window] = BrowserWindow.getAllWindows()
const place: Rectangle | undefined = window?.getBounds()
program.on('activate', () => { window?.show() })
program.quit()
const widthOf = ({ width: wide }: Rectangle) => wide
let height = 0
;({ height } = window!.getBounds())
void [place, widthOf, height, process.argv]`
  const files: Record<string, string> = { '/app.ts': source, '/electron/electron.d.ts': types }
  const options = { noLib: true, types: [], paths: { electron: ['/electron/electron.d.ts'] } }
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (name) => ts.createSourceFile(name, files[name] ?? '', ts.ScriptTarget.ES2023, true),
    fileExists: (name) => name in files,
    readFile: (name) => files[name],
  }
  const used = usedApis(ts.createProgram(['/app.ts'], options, host), ['/app.ts'])
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
