/** Thread that reads and evaluates the values of one range test. */
import { workerData } from 'node:worker_threads'
import { doJob } from '../base/thread-job'
import { testRange, type RangeTestTask } from './range-test'

doJob((tools) => testRange(workerData as RangeTestTask, tools))
