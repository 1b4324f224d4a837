/**
 * The demo service as a process of its own beside the app, so that neither slows the other down. It tells its parent
 * where it listens and ends with it.
 */
import { endpointOf } from './endpoint'
import { startSimulator } from './server'

/** Electron's utility process gives this to its program; plain Node has none. */
interface ParentPort {
  postMessage(message: unknown): void
}

const { parentPort } = process as { parentPort?: ParentPort }
if (parentPort === undefined) throw new Error('this program is started by the app; see `npm run simulator`')
parentPort.postMessage(endpointOf(await startSimulator()))
