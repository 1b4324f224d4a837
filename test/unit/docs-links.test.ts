import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const folders = [
  '.github',
  'core',
  'docs',
  'main',
  'preload',
  'protocol',
  'renderer',
  'resources',
  'scripts',
  'simulator',
  'test',
]
const everything = [
  ...readdirSync('.'),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true }).map((name) => join(folder, name)),
  ),
]
const files = everything.filter((name) => name.endsWith('.md'))
const sources = everything.filter(
  (name) => /\.(?:ts|js|cjs|svelte|yml|json)$/.test(name) && !name.includes('node_modules'),
)

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '')

/** As GitHub names the headings of a page. */
function anchorsOf(file: string): string[] {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** Links to files of the project, and the pictures of pages. */
function linksOf(file: string): string[] {
  const links = withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)
  return [...links].map(([, link, picture]) => link ?? picture ?? '').filter((link) => !/^[a-z]+:/.test(link))
}

function isBroken(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(target)) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
}

test('every link between pages leads to a file and a heading that are there', () => {
  const broken = files.flatMap((file) =>
    linksOf(file)
      .filter((link) => isBroken(file, link))
      .map((link) => `${file}: ${link}`),
  )
  expect(files.length).toBeGreaterThan(40)
  expect(broken).toEqual([])
})

test('every page of docs/ that a source file names is there', () => {
  const missing = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/.-]+\.(?:md|json)\b/g)]
      .filter(([path]) => !existsSync(path))
      .map(([path]) => `${file}: ${path}`),
  )
  expect(sources.length).toBeGreaterThan(400)
  expect(missing).toEqual([])
})
