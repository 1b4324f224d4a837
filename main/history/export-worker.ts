/** The thread of an export. It reads, encodes and writes, so that the main thread is never blocked. */
import { workerData } from 'node:worker_threads'
import { doJob } from '../base/thread-job'
import { exportToFile, type ExportTask } from './export-file'

doJob((tools) => exportToFile(workerData as ExportTask, tools))
