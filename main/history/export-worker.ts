/** The thread of one export: reading, encoding and writing happen here, so that the app is never held up. */
import { doJob } from '../base/thread-job'
import { exportToFile } from './export-file'

doJob(exportToFile)
