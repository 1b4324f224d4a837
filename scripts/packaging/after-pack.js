// @ts-check
// electron-builder takes Electron's own sample app out of what it downloads itself alone.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** @param {{ appOutDir: string }} context */
export default async function afterPack({ appOutDir }) {
  await rm(join(appOutDir, 'resources', 'default_app.asar'), { force: true })
}
