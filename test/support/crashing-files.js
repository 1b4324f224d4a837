/** Has the writers of files in a child process go through `crashing-fs.ts`, which can kill it between two steps. */
import { registerHooks } from 'node:module'

const crashing = new URL('crashing-fs.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const isWriter = context.parentURL?.includes('/main/storage/') === true
    if (specifier === 'node:fs/promises' && isWriter) return { url: crashing, shortCircuit: true }
    return next(specifier, context)
  },
})
