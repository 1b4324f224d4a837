import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'

/** Accepts every input. The SDK's own check would compile a schema from outside into code, which the policy forbids. */
export const acceptAll: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}
