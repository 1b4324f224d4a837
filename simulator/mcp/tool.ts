import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { assetNamed, type HeldAssetName } from '../asset-facts'
import type { Publications } from '../publications'

/** The data behind the tools: the same market as for the other interfaces. */
export interface ToolSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly nowMs: number
}

/** Adds one tool (protocol, 4.3) to a server. */
export type AddTool = (server: McpServer, sources: ToolSources) => void

interface Description<Input extends z.ZodRawShape> {
  readonly title: string
  readonly description: string
  readonly inputSchema: Input
  readonly outputSchema: z.ZodRawShape
}

/** None of the tools changes anything or reaches beyond this service. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Defines a tool. Each tool has its own file and is listed in `endpoint.ts`. */
export function tool<Input extends z.ZodRawShape>(
  name: string,
  { inputSchema, ...description }: Description<Input>,
  answer: (given: z.output<z.ZodObject<Input>>, sources: ToolSources) => object,
): AddTool {
  return (server, sources) => {
    const config = { ...description, inputSchema: inputSchema as z.ZodRawShape, annotations }
    // The SDK has checked the arguments against the schema.
    const given = (checked: object) => checked as z.output<z.ZodObject<Input>>
    server.registerTool(name, config, (checked) => resultOf(answer(given(checked), sources)))
  }
}

/** A stream ID as an argument. */
export const indexArgument = z.string().min(1).max(64).describe('Stream ID of an index, such as "BRR"')

/** An asset's symbol as an argument. */
export const assetArgument = z.string().min(1).max(16).describe('Symbol of an asset, such as "BTC"')

/** An error message of the service. The SDK turns it into a result with `isError`. */
export class ToolError extends Error {}

/** The asset with this symbol or alias. */
export function knownAsset(symbol: string): HeldAssetName {
  const asset = assetNamed(symbol)
  if (asset === undefined) throw new ToolError(`Unknown asset: ${symbol}`)
  return asset
}

/** A result as structured content and, for clients that only read text, as JSON. */
function resultOf(structured: object): CallToolResult {
  return { structuredContent: { ...structured }, content: [{ type: 'text', text: JSON.stringify(structured) }] }
}
