// @ts-check
// node scripts/release-files.js check TAG: ends with 1 unless the tag is the version and the changelog has a part for it.
// node scripts/release-files.js write: beside the packages in release/, their checksums, the SBOM (CycloneDX) of what is in
// them, and the notes of this version. A test build among them ends it.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { notesOf } from './packaging/release-notes.js'
import { shippedSbom } from './packaging/sbom.js'
import { SetupError, projectRoot, runCommand } from './setup/processes.js'

const folder = join(projectRoot, 'release')
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

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
  writeFileSync(join(folder, 'notes.md'), `${notesOf(version)}\n`)
  const files = readdirSync(folder).filter((name) => name.startsWith('indexwatch-'))
  const lines = await Promise.all(files.sort().map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`))
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

runCommand(async () => {
  const [command, tag] = process.argv.slice(2)
  if (command === 'check' && tag !== undefined) check(tag)
  else if (command === 'write') await write()
  else throw new SetupError('say "check TAG" or "write"')
  return 0
})
