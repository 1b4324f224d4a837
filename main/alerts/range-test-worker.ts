import { doJob } from '../base/thread-job'
import { testRange } from './range-test'

doJob(testRange)
