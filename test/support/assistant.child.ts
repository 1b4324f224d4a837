/** The server for assistants on the profile in the given folder, as the app and `npm run mcp` start it. */
import { SystemClock } from '../../main/base/clock'
import { serveAssistant } from '../../main/access/assistant-process'

const [folder = ''] = process.argv.slice(2)
await serveAssistant({
  folder,
  version: '1.2.3',
  clock: new SystemClock(),
  log: { info: console.error, warn: console.error, error: console.error },
  input: process.stdin,
  output: process.stdout,
})
process.exit()
