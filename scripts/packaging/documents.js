// @ts-check
// The documents of Linux packages in the form that Debian and Fedora want: compressed, with a changelog of packages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { projectRoot } from '../setup/processes.js'

const news = 'See /usr/share/doc/indexwatch/CHANGELOG.md.gz'

/**
 * The changelogs of a package, of one entry each.
 * @param {{ version: string, author: string }} app version as packages spell it
 * @param {Date} day of the release
 */
export function changelogs({ version, author }, day) {
  const [week, date, month, year] = day.toUTCString().replace(',', '').split(' ')
  return {
    deb: `indexwatch (${version}) stable; urgency=medium\n\n  * ${news}\n\n -- ${author}  ${week}, ${date} ${month} ${year} 00:00:00 +0000\n`,
    rpm: `* ${week} ${month} ${date} ${year} ${author} - ${version}-1\n- ${news}\n`,
  }
}

/** Writes them to out/documents/, from which electron-builder.yml takes them. @param {string} version */
export function writeDocuments(version) {
  const folder = join(projectRoot, 'out', 'documents')
  const textOf = (/** @type {string[]} */ ...path) => readFileSync(join(projectRoot, ...path), 'utf8')
  const { author } = JSON.parse(textOf('package.json'))
  const metainfo = textOf('resources', 'build', 'linux', 'org.indexwatch.Indexwatch.metainfo.xml')
  const [, day = ''] = /<release version="[^"]+" date="([^"]+)"/.exec(metainfo) ?? []
  const { deb, rpm } = changelogs({ version: version.replaceAll('-', '~'), author }, new Date(day))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'changelog.deb'), deb)
  writeFileSync(join(folder, 'changelog.rpm'), rpm)
  // Without a time, so that two builds are the same.
  for (const [name, path] of [
    ['indexwatch.1', ['out', 'main', 'share', 'indexwatch.1']],
    ['CHANGELOG.md', ['CHANGELOG.md']],
  ])
    writeFileSync(join(folder, `${String(name)}.gz`), gzipSync(textOf(.../** @type {string[]} */ (path)), { level: 9 }))
}
