#!/usr/bin/env node
// Replaces fpm in test builds: the part that electron-builder calls, built on dpkg-deb and rpmbuild. It fails on an
// unknown option, so that an option of a newer electron-builder is not lost silently.
// @ts-check
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const text = /** @type {const} */ ({ type: 'string' })
const texts = {
  architecture: text,
  'after-install': text,
  'after-remove': text,
  description: text,
  version: text,
  package: text,
  name: text,
  maintainer: text,
  vendor: text,
  url: text,
  category: text,
  'deb-priority': text,
  'deb-compression': text,
  'deb-changelog': text,
  'rpm-changelog': text,
  'rpm-summary': text,
  'rpm-os': text,
  'rpm-compression': text,
  license: text,
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...texts,
    'input-type': { type: 'string', short: 's' },
    'output-type': { type: 'string', short: 't' },
    depends: { type: 'string', short: 'd', multiple: true },
    'deb-recommends': { type: 'string', multiple: true },
    force: { type: 'boolean' },
  },
})

/** @param {keyof typeof texts | 'output-type'} name @returns {string} */
function needed(name) {
  const value = values[name]
  if (typeof value !== 'string') throw new Error(`fpm stand-in: --${name} is missing`)
  return value
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Copies the files to pack into their places below the root. @param {string} root */
function stage(root) {
  for (const mapping of positionals) {
    const split = mapping.lastIndexOf('=')
    const [source, target] = [mapping.slice(0, split), join(root, mapping.slice(split + 1))]
    mkdirSync(dirname(target), { recursive: true })
    if (source.endsWith('/')) {
      mkdirSync(target, { recursive: true })
      run('cp', ['-a', '--no-preserve=ownership', `${source}.`, target])
    } else {
      copyFileSync(source, target)
      chmodSync(target, statSync(source).mode & 0o111 ? 0o755 : 0o644)
    }
  }
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', root])
}

/** @param {string} root */
function buildDeb(root) {
  const changelog = join(root, 'usr', 'share', 'doc', needed('name'), 'changelog.gz')
  writeFileSync(changelog, gzipSync(readFileSync(needed('deb-changelog')), { level: 9 }), { mode: 0o644 })
  const kilobytes = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0]
  const control = join(root, 'DEBIAN')
  mkdirSync(control, { mode: 0o755 })
  const lines = needed('description')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [synopsis = needed('name'), ...rest] = lines
  const recommends = values['deb-recommends'] ?? []
  writeFileSync(
    join(control, 'control'),
    [
      `Package: ${needed('name')}`,
      `Version: ${needed('version')}`,
      `Architecture: ${needed('architecture')}`,
      `Maintainer: ${needed('maintainer')}`,
      `Installed-Size: ${kilobytes}`,
      `Depends: ${(values.depends ?? []).join(', ')}`,
      ...(recommends.length === 0 ? [] : [`Recommends: ${recommends.join(', ')}`]),
      `Section: ${needed('category')}`,
      `Priority: ${needed('deb-priority')}`,
      `Homepage: ${needed('url')}`,
      `Description: ${synopsis}`,
      ...rest.map((line) => ` ${line}`),
      '',
    ].join('\n'),
  )
  for (const [option, name] of /** @type {const} */ ([
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ])) {
    copyFileSync(needed(option), join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  run('dpkg-deb', ['-Zgzip', '-z1', '--root-owner-group', '--build', root, needed('package')])
}

/** Every file below a folder as rpm lists them, with only the package's own folders. @param {string} root @param {string} folder @returns {string[]} */
function rpmFiles(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [`"${path}"`]
    const isOwn = path.startsWith('/opt/') || path.startsWith('/usr/share/doc/')
    return [...(isOwn ? [`%dir "${path}"`] : []), ...rpmFiles(root, path)]
  })
}

/** @param {string} root @param {string} temporary */
function buildRpm(root, temporary) {
  /** @param {'after-install' | 'after-remove'} option */
  const script = (option) => readFileSync(needed(option), 'utf8').replaceAll('%', '%%')
  const spec = join(temporary, 'indexwatch.spec')
  const description = needed('description').trim()
  const lines = [
    `Name: ${needed('name')}`,
    `Version: ${needed('version')}`,
    'Release: 1',
    `Group: ${needed('category')}`,
    `Summary: ${values['rpm-summary'] ?? description.split('\n')[0]}`,
    `License: ${needed('license')}`,
    `URL: ${needed('url')}`,
    `Vendor: ${needed('vendor')}`,
    `Packager: ${needed('maintainer')}`,
    'AutoReqProv: no',
    ...(values.depends ?? []).map((dependency) => `Requires: ${dependency}`),
    '%define _build_id_links none',
    '%define __os_install_post %{nil}',
    '%define debug_package %{nil}',
    '%define _binary_payload w1.gzdio',
    '%description',
    description,
    '%post',
    script('after-install'),
    '%postun',
    script('after-remove'),
    '%files',
    '%defattr(-,root,root,-)',
    ...rpmFiles(root),
    '%changelog',
    readFileSync(needed('rpm-changelog'), 'utf8'),
  ]
  writeFileSync(spec, lines.join('\n'))
  const folders = ['--define', `_topdir ${temporary}/build`, '--define', `_rpmdir ${temporary}/rpms`]
  const architecture = needed('architecture').replace('amd64', 'x86_64')
  run('rpmbuild', ['-bb', '--quiet', '--noclean', '--target', architecture, '--buildroot', root, ...folders, spec])
  const built = readdirSync(join(temporary, 'rpms'), { recursive: true, encoding: 'utf8' })
  const name = built.find((path) => path.endsWith('.rpm'))
  if (name === undefined) throw new Error('fpm stand-in: rpmbuild wrote no package')
  copyFileSync(join(temporary, 'rpms', name), needed('package'))
}

const temporary = mkdtempSync(join(tmpdir(), 'indexwatch-fpm-'))
try {
  const root = join(temporary, 'root')
  stage(root)
  if (needed('output-type') === 'deb') buildDeb(root)
  else buildRpm(root, temporary)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
