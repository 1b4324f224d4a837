/** The simulator inside the app: a utility process that posts its address and runs until it receives `stop`. */
import { addressOf } from './address'
import { startSimulator } from './server'

async function run(): Promise<void> {
  const { parentPort } = process
  const simulator = await startSimulator({ log: (line) => process.stderr.write(`demo service: ${line}\n`) })
  parentPort.on('message', ({ data }: { data: unknown }) => {
    if (data === 'stop') void simulator.close().then(() => process.exit(0))
  })
  parentPort.postMessage(addressOf(simulator))
}

try {
  await run()
} catch (error) {
  // Electron would leave the process running without telling the app.
  process.stderr.write(`demo service: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
