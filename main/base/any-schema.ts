import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'

/** A schema from outside is never turned into code, as the SDK's own check does. */
export const acceptAll: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}
