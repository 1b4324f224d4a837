import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, type TestContext } from 'vitest'
import { required } from './offers'
import { basic, service } from './service'

const opened: Client[] = []

afterAll(async () => {
  await Promise.all(opened.map((client) => client.close()))
})

/** The client of the MCP SDK, connected to the service's assistant tools. Rejects when the service refuses it. */
export async function openTools(context: TestContext, authorization: string | null = basic()): Promise<Client> {
  const address = new URL(required(service.mcp ?? undefined, 'assistant tools', context))
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const client = new Client({ name: 'conformance', version: '1' })
  opened.push(client)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return client
}
