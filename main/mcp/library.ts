/** What a session with a service's tools needs of other packages: large, so it is loaded when there is something to ask. */
export { Client } from '@modelcontextprotocol/sdk/client/index.js'
export { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
export { CallToolResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
export { readToolSchema } from './tool-schema'
