import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Publications } from '../publications'

/** The data behind the tools: the same market as for the other interfaces. */
export interface ToolSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly nowMs: number
}

/** Adds one tool (spec 4.3). A further one is one more file with a function of this shape, listed in `endpoint.ts`. */
export type AddTool = (server: McpServer, sources: ToolSources) => void

/** Hints for every tool: none changes anything or reaches beyond this service. */
export const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** A stream ID as an argument. */
export const indexArgument = z.string().min(1).max(64).describe('Stream ID of an index, such as "BRR"')

/** An asset's symbol as an argument. */
export const assetArgument = z.string().min(1).max(16).describe('Symbol of an asset, such as "BTC"')

/** An error message of the service; the SDK turns it into a result with `isError`. */
export class ToolError extends Error {}

/** A result as structured content and, for clients that only read text, as JSON. */
export function resultOf(structured: object): CallToolResult {
  return { structuredContent: { ...structured }, content: [{ type: 'text', text: JSON.stringify(structured) }] }
}
