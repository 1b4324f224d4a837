// @ts-check
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, SetupError } from './processes.js'

/** Lists of bundled packages, which the bundler writes for each part of the build. */
const lists = ['main', 'preload', 'renderer'].map((part) => join(part, 'licenses.json'))
/** Shipped packages that the bundler does not see: the font, and the database library with its loader. */
const besides = ['@fontsource-variable/inter', 'libsql', '@neon-rs/load', 'detect-libc']

/** @typedef {{ name: string, version: string, identifier?: string, text?: string }} Licence */

/** @param {string} name of a package @returns {Licence} */
function licenceOf(name) {
  const folder = join(projectRoot, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e|^copying/i.test(entry))
  return {
    name,
    version,
    identifier: license,
    ...(file !== undefined && { text: readFileSync(join(folder, file), 'utf8').trim() }),
  }
}

/**
 * The licences of all packages that are part of the app, each package once.
 * @param {readonly Licence[]} licences
 * @throws {SetupError} for a package without a licence text
 */
export function noticeText(licences) {
  const byName = new Map(licences.map((licence) => [`${licence.name} ${licence.version}`, licence]))
  const parts = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { identifier, text }]) => {
      if (identifier === undefined && text === undefined)
        throw new SetupError(`${title} does not say under which licence it is: leave it out, or ask its authors`)
      const heading = `${title}${identifier === undefined ? '' : ` (${identifier})`}`
      return `${heading}\n${'-'.repeat(heading.length)}\n\n${text ?? 'The package has no further text.'}\n`
    })
  const first =
    'Indexwatch contains the work of others, under the licences below. Those of Electron and of Chromium, with which it is\n' +
    'delivered, are in LICENSE.electron.txt and LICENSES.chromium.html beside the program.\n'
  return [first, ...parts].join('\n\n')
}

/** Writes NOTICE.txt of a finished build from the bundler's lists and deletes the lists. @param {string} folder of the build */
export function writeNotice(folder) {
  /** @type {Licence[]} */
  const bundled = lists.flatMap((list) => JSON.parse(readFileSync(join(folder, list), 'utf8')))
  writeFileSync(join(folder, 'NOTICE.txt'), noticeText([...bundled, ...besides.map(licenceOf)]))
  for (const list of lists) rmSync(join(folder, list))
}
