/** The thread that reads the system's certificate store. Hundreds of certificates take a third of a second on Linux. */
import tls from 'node:tls'
import { parentPort } from 'node:worker_threads'

parentPort?.postMessage(tls.getCACertificates('system'))
