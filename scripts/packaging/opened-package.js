// @ts-check
// Opens a package without installing it for the system, so that its program can be started.
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, runStep } from '../setup/processes.js'

const macProgram = ['Indexwatch.app', 'Contents', 'MacOS', 'Indexwatch']

/** @param {string} command @param {string[]} args */
async function run(command, ...args) {
  const { code, output } = await runStep('smoke', command, command, args)
  if (code !== 0) throw new SetupError(`${command} failed:\n${output.trim()}`)
}

/** @typedef {{ executable: string, close?: () => Promise<void> }} OpenedPackage */

/** @type {{ [ending: string]: (file: string, folder: string) => Promise<OpenedPackage> }} */
const openers = {
  '.AppImage': async (file) => {
    chmodSync(file, 0o755)
    return { executable: file }
  },
  '.tar.gz': async (file, folder) => {
    await run('tar', '--extract', `--file=${file}`, `--directory=${folder}`, '--strip-components=1')
    return { executable: join(folder, 'indexwatch') }
  },
  '.deb': async (file, folder) => {
    await run('dpkg-deb', '--extract', file, folder)
    return { executable: join(folder, 'opt', 'Indexwatch', 'indexwatch') }
  },
  '.rpm': async (file, folder) => {
    await run('sh', '-c', 'cd "$1" && rpm2cpio "$0" | cpio --extract --make-directories --quiet', file, folder)
    return { executable: join(folder, 'opt', 'Indexwatch', 'indexwatch') }
  },
  '-mac.zip': async (file, folder) => {
    await run('ditto', '-x', '-k', file, folder)
    return { executable: join(folder, ...macProgram) }
  },
  '.dmg': async (file, folder) => {
    await run('hdiutil', 'attach', '-nobrowse', '-readonly', '-mountpoint', folder, file)
    return { executable: join(folder, ...macProgram), close: () => run('hdiutil', 'detach', '-force', folder) }
  },
  '-win.zip': async (file, folder) => {
    const command = `Expand-Archive -LiteralPath '${file}' -DestinationPath '${folder}'`
    await run('powershell', '-NoProfile', '-Command', command)
    return { executable: join(folder, 'Indexwatch.exe') }
  },
  '.exe': async (file, folder) => {
    // The folder stands last and without quotes, as NSIS reads it.
    await run(file, '/S', `/D=${folder}`)
    return {
      executable: join(folder, 'Indexwatch.exe'),
      close: () => run(join(folder, 'Uninstall Indexwatch.exe'), '/S', `_?=${folder}`),
    }
  },
}

/** The ending of a package as `openers` has it. @param {string} name */
function endingOf(name) {
  const zip = /-(mac|win)-[\w]+\.zip$/.exec(name)
  return zip ? `-${zip[1]}.zip` : Object.keys(openers).find((ending) => name.endsWith(ending))
}

/**
 * The packages in a folder that this computer can start.
 * @param {string} folder
 * @param {string} arch processor of this computer
 * @returns {string[]} paths
 */
export function startablePackages(folder, arch = process.arch) {
  const other = arch === 'arm64' ? /-(?:x64|x86_64|amd64)\./ : /-(?:arm64|aarch64)\./
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.startsWith('indexwatch-') && endingOf(name) !== undefined && !other.test(name))
    .map((name) => join(folder, name))
}

/**
 * @param {string} file a package
 * @param {string} folder new, for its files
 * @returns {Promise<OpenedPackage>} its program, and what undoes the opening
 */
export async function openPackage(file, folder) {
  const open = openers[endingOf(file) ?? '']
  if (open === undefined) throw new SetupError(`${file} is no package`)
  const opened = await open(file, folder)
  if (!existsSync(opened.executable)) throw new SetupError(`${file} has no ${opened.executable}`)
  return opened
}
