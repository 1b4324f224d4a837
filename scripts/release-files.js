// @ts-check
// node scripts/release-files.js check TAG: exits with 1 unless TAG is the version and the changelog has its part.
// node scripts/release-files.js write: writes checksums, the SBOM (CycloneDX) and the release notes beside the packages
// in release/. Fails if one of the packages is a test build. SIGNED_WINDOWS and SIGNED_MACOS are "true" for signed
// packages. The notes name the others.
// node scripts/release-files.js manifests URL: writes the manifests for winget, Homebrew and Flathub to
// release/manifests/. They describe the files of release/SHA256SUMS, which can be downloaded below URL.
import { createHash } from 'node:crypto'
import { cpSync, createReadStream, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { manifests } from './packaging/manifests.js'
import { notesOf } from './packaging/release-notes.js'
import { shippedSbom } from './packaging/sbom.js'
import { unsignedNotes } from './packaging/signing.js'
import { SetupError, projectRoot, runCommand } from './setup/processes.js'

const folder = join(projectRoot, 'release')
const { version, homepage } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

/** @param {string} tag */
function check(tag) {
  if (tag !== `v${version}`) throw new SetupError(`the tag ${tag} is not v${version}, the version in package.json`)
  notesOf(version)
}

/** @param {string} file */
async function sha256(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

async function write() {
  const names = readdirSync(folder).filter((name) => name.startsWith(`indexwatch-`))
  if (names.length === 0) throw new SetupError('release/ has no packages')
  const test = names.find((name) => /test/i.test(name))
  if (test !== undefined) throw new SetupError(`${test} is a test build: it is not for release`)
  const wrong = names.find((name) => !name.startsWith(`indexwatch-${version}-`))
  if (wrong !== undefined) throw new SetupError(`${wrong} is not of version ${version}`)
  const sbom = `${JSON.stringify(await shippedSbom(), undefined, 2)}\n`
  writeFileSync(join(folder, `indexwatch-${version}-sbom.cdx.json`), sbom)
  const { SIGNED_WINDOWS, SIGNED_MACOS } = process.env
  const unsigned = unsignedNotes({ windows: SIGNED_WINDOWS === 'true', macos: SIGNED_MACOS === 'true' })
  writeFileSync(join(folder, 'notes.md'), `${notesOf(version)}\n${unsigned}`)
  const files = readdirSync(folder).filter((name) => name.startsWith('indexwatch-'))
  const lines = await Promise.all(files.sort().map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`))
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** @param {string} url */
function writeManifests(url) {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
  const sums = new Map(lines.map((line) => /** @type {const} */ ([line.slice(66), line.slice(0, 64)])))
  /** @param {string} name */
  const sha256Of = (name) => {
    const sum = sums.get(name)
    if (sum === undefined) throw new SetupError(`release/SHA256SUMS has no ${name}: a release is of every system`)
    return sum
  }
  const texts = manifests({ version, homepage, url: url.replace(/\/$/, ''), sha256: sha256Of })
  const target = join(folder, 'manifests')
  rmSync(target, { recursive: true, force: true })
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text)
  }
  const build = join(projectRoot, 'resources', 'build')
  const metainfo = 'org.indexwatch.Indexwatch.metainfo.xml'
  cpSync(join(build, 'linux', metainfo), join(target, 'flathub', metainfo))
  cpSync(join(build, 'icons'), join(target, 'flathub', 'icons'), { recursive: true })
}

runCommand(async () => {
  const [command, given] = process.argv.slice(2)
  if (command === 'check' && given !== undefined) check(given)
  else if (command === 'write') await write()
  else if (command === 'manifests' && given !== undefined) writeManifests(given)
  else throw new SetupError('say "check TAG", "write" or "manifests URL"')
  return 0
})
