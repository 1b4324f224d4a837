import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, shell } from 'electron'
import * as v from 'valibot'
import { done, failure, type Outcome } from '../../core/model'
import type { About } from '../../protocol/responses'

/** Version, licence and folders for the About dialog. Throws if a file of the app is missing. */
export async function about(): Promise<About> {
  const read = (...path: string[]) => readFile(join(app.getAppPath(), ...path), 'utf8')
  const [description, licence, notice] = await Promise.all([
    read('package.json'),
    read('LICENSE'),
    read('out', 'NOTICE.txt'),
  ])
  const { homepage } = readDescription(description)
  const electron = process.versions.electron
  return { electron, site: homepage, dataFolder: app.getPath('userData'), licence, notice }
}

/** Opens the app's website in the browser. Problem `notOpened` if the desktop has no browser. */
export async function openSite(): Promise<Outcome<null>> {
  const { homepage } = readDescription(await readFile(join(app.getAppPath(), 'package.json'), 'utf8'))
  try {
    // oxlint-disable-next-line local/safe-syntax -- a constant of the app, which no user can change
    await shell.openExternal(homepage)
    return done
  } catch (error) {
    return failure('notOpened', `${homepage} could not be opened: ${String(error)}. Open it in your browser.`)
  }
}

function readDescription(text: string): { homepage: string } {
  return v.parse(v.object({ homepage: v.string() }), JSON.parse(text))
}
