// @ts-check
// electron-builder calls this for each app that it has packed and not yet signed.
import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Arch } from 'electron-builder'
import { checkLibrary } from './database-library.js'

/** @param {import('electron-builder').AfterPackContext} context */
export default async function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const resources = packager.getResourcesDir(appOutDir)
  // electron-builder removes Electron's sample app only from an Electron that it downloaded itself.
  await rm(join(resources, 'default_app.asar'), { force: true })
  // Electron's libraries come executable, which Debian's and Fedora's checks call an error.
  if (electronPlatformName === 'linux')
    for (const name of await readdir(appOutDir))
      if (/\.so(?:\.\d+)?$/.test(name)) await chmod(join(appOutDir, name), 0o644)
  checkLibrary(resources, electronPlatformName, String(Arch[arch]))
}
