// @ts-check
// node scripts/reproducible.js [--test-build]: builds and packs the app's archive twice from scratch. Exits with 0 and
// prints the hash if both archives have the same one.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, projectRoot, runCommand, runStep } from './setup/processes.js'
import { say } from './setup/terminal.js'

const given = process.argv.slice(2)
const output = join(projectRoot, 'release', ...(given.includes('--test-build') ? ['test-build'] : []))

/** @param {number} number @returns {Promise<string>} the hash of the archive */
async function packedOnce(number) {
  rmSync(join(projectRoot, 'out'), { recursive: true, force: true })
  const args = [join('scripts', 'package.js'), ...given, '--dir']
  const { code, output: said } = await runStep('reproducible', `build ${number}`, 'node', args)
  if (code !== 0) throw new SetupError(`build ${number} failed:\n${said}`)
  const archive = readFileSync(join(output, 'linux-unpacked', 'resources', 'app.asar'))
  const hash = createHash('sha256').update(archive).digest('hex')
  say('reproducible', `build ${number}: ${hash}`)
  return hash
}

runCommand(async () => {
  const [first, second] = [await packedOnce(1), await packedOnce(2)]
  say('reproducible', first === second ? 'the same' : 'NOT the same')
  return first === second ? 0 : 1
})
