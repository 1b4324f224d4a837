import { basename, dirname } from 'node:path'

/** Puts the styles of a component into a layer: a view can change a part of the kit, and each part what the sheets say. */
function toLayer({ content = '', filename = '' }) {
  const layer = basename(dirname(filename)) === 'ui' ? 'kit' : 'view'
  return { code: `@layer base, controls, recipes, kit, view, last; @layer ${layer} {${content}}` }
}

export default { compilerOptions: { runes: true }, preprocess: { style: toLayer } }
