/** Thread that reads a file or a text of lists, which may be long. */
import { parentPort, workerData } from 'node:worker_threads'
import { readListSource, type ListSourceTask } from './list-source'

parentPort?.postMessage(await readListSource(workerData as ListSourceTask))
