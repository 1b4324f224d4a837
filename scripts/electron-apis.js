// @ts-check
// Part of npm run test:deep. Checks that docs/development/electron.md lists every Electron API the app uses, because
// that table also names what changes between versions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { listedApis, usedApis } from './testing/electron-apis.js'

const root = join(import.meta.dirname, '..')
const { config } = ts.readConfigFile(join(root, 'config', 'tsconfig.node.json'), ts.sys.readFile)
const { options, fileNames } = ts.parseJsonConfigFileContent(
  { ...config, include: ['main', 'preload'], compilerOptions: { ...config.compilerOptions, lib: ['ES2023', 'DOM'] } },
  ts.sys,
  root,
)
const listed = listedApis(readFileSync(join(root, 'docs', 'development', 'electron.md'), 'utf8'))
const absent = usedApis(ts.createProgram(fileNames, options), fileNames).filter(({ name }) => !listed.has(name))
for (const { name, place } of absent) {
  process.stdout.write(
    `${place}: ${name} is not in docs/development/electron.md: add it, with what changes between versions.\n`,
  )
}
process.exitCode = absent.length === 0 ? 0 : 1
