import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'

interface Address {
  mcp: string
  keyId: string
  keySecret: string
}

test('the built demo service lists and calls its tools', async () => {
  const service = spawn('node', ['out/main/simulator-cli.js', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
    const { mcp, keyId, keySecret } = JSON.parse(line) as Address
    const ask = async (method: string, params = {}) => {
      const answer = await fetch(mcp, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      expect(answer.status).toBe(200)
      return answer.text()
    }
    expect(await ask('tools/list')).toContain('"get_supplies"')
    expect(await ask('tools/call', { name: 'get_supplies', arguments: { assets: ['BTC'] } })).toContain('BTC')
  } finally {
    service.kill()
  }
})
