// @ts-check
// electron-builder removes Electron's sample app only from an Electron that it downloaded itself.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** @param {{ appOutDir: string }} context */
export default async function afterPack({ appOutDir }) {
  await rm(join(appOutDir, 'resources', 'default_app.asar'), { force: true })
}
