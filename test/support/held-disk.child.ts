/**
 * Saves settings on a disk whose syncs wait until this thread releases them. A save that blocks the thread would never
 * end. Prints the number of syncs.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '../../main/base/clock'

const [folder = '', marks = ''] = process.argv.slice(2)
// Outside Electron, its package only exports the path of the program. Without this variable it downloads the program.
process.env['ELECTRON_OVERRIDE_DIST_PATH'] ??= tmpdir()
const { SettingsFile } = await import('../../main/storage/settings-file')
const { firstSettings, toDocument } = await import('../../main/storage/settings')

let count = 0
const letThrough = setInterval(() => {
  if (!existsSync(`${marks}.begun.${count + 1}`)) return
  count++
  writeFileSync(`${marks}.done.${count}`, '')
}, 1)

const file = new SettingsFile({ path: join(folder, 'settings.json'), clock: new SystemClock() })
await file.read()
const saved = await file.write(toDocument({ ...firstSettings(), theme: 'dark' }))
clearInterval(letThrough)
process.stdout.write(`${saved.ok ? 'saved' : saved.problem.message} after ${count} syncs\n`)
