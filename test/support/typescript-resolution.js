/** Lets plain Node run the project's TypeScript in a child process. Our imports have no file extension. */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = /^\.\.?\//.test(specifier) && context.parentURL?.endsWith('.ts') === true
    return next(isOurs ? `${specifier}.ts` : specifier, context)
  },
})
