import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import * as v from 'valibot'
import type { About } from '../../protocol/responses'

/** What the app says of itself. Throws when a file of the app is missing. */
export async function about(): Promise<About> {
  const read = (...path: string[]) => readFile(join(app.getAppPath(), ...path), 'utf8')
  const [description, licence, notice] = await Promise.all([
    read('package.json'),
    read('LICENSE'),
    read('out', 'NOTICE.txt'),
  ])
  const { homepage } = v.parse(v.object({ homepage: v.string() }), JSON.parse(description))
  const electron = process.versions.electron
  return { electron, site: homepage, dataFolder: app.getPath('userData'), licence, notice }
}
