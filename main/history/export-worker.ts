/** The thread of one export: reading, encoding and writing happen here, so that the app is never held up. */
import { workerData } from 'node:worker_threads'
import { doJob } from '../base/thread-job'
import { exportToFile, type ExportTask } from './export-file'

doJob((tools) => exportToFile(workerData as ExportTask, tools))
