/** Thread that reads a file or a text of lists, which may be long. */
import { workerData } from 'node:worker_threads'
import { doJob } from '../base/thread-job'
import type { ListSourceTask } from './list-source'
import { readListSource } from './read-list-source'

doJob(() => readListSource(workerData as ListSourceTask))
