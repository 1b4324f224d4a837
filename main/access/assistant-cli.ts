/** `npm run mcp`: the server for assistants, in plain Node. stdout carries only MCP, messages go to stderr. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SystemClock } from '../base/clock'
import { createLog } from '../base/log'
import { profileFolder } from '../base/profile-folder'
import { serveAssistant } from './assistant-process'

const { values } = parseArgs({ options: { 'user-data-dir': { type: 'string' } } })
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
  version: string
}
const clock = new SystemClock()
await serveAssistant({
  folder: values['user-data-dir'] ?? profileFolder(process.env, process.platform),
  version,
  clock,
  log: createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock }),
  input: process.stdin,
  output: process.stdout,
})
process.exit()
