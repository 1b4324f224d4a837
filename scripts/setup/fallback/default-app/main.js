// The default app for an Electron that came without one. It starts the app named on its command line:
//   electron [-r MODULE]... [SWITCHES] APP [ARGUMENTS]
// APP is a folder with a package.json, or a file.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

/** Splits the command line into modules to load and the app to start. The other words belong to the app. */
function readCommandLine(words) {
  const preloads = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === '-r' || word === '--require') preloads.push(words[++at])
    else if (!word.startsWith('-')) return { preloads, target: word }
  }
  return { preloads, target: undefined }
}

function setIdentity(manifestFile) {
  const { name, productName, version, desktopName } = JSON.parse(readFileSync(manifestFile, 'utf8'))
  if (version) app.setVersion(version)
  app.setName(productName ?? name ?? app.getName())
  app.setDesktopName(desktopName ?? `${app.getName()}.desktop`)
}

async function run() {
  if (process.argv.includes('--version')) {
    process.stdout.write(`v${process.versions.electron}\n`)
    return app.exit(0)
  }
  // Read before any module is loaded, because Playwright's module rewrites process.argv.
  const { preloads, target } = readCommandLine(process.argv.slice(1))
  if (target === undefined) throw new Error('no app named; usage: electron [-r MODULE]... [SWITCHES] APP [ARGUMENTS]')
  const path = resolve(target)
  const manifestFile = join(path, 'package.json')
  const require = createRequire(manifestFile)
  for (const module of preloads) require(module)
  const entry = require.resolve(path)
  if (existsSync(manifestFile)) setIdentity(manifestFile)
  app.setAppPath(existsSync(manifestFile) ? path : dirname(entry))
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
  await import(pathToFileURL(entry).href)
}

try {
  await run()
} catch (error) {
  // An uncaught error would open a dialog and wait for it to be closed.
  process.stderr.write(`electron: ${error instanceof Error ? error.stack : String(error)}\n`)
  app.exit(1)
}
