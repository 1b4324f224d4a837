/** The thread of one test on a range: reading and judging happen here, so that the app is never held up. */
import { workerData } from 'node:worker_threads'
import { doJob } from '../base/thread-job'
import { testRange, type RangeTestTask } from './range-test'

doJob((tools) => testRange(workerData as RangeTestTask, tools))
