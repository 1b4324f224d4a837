import { Worker } from 'node:worker_threads'
import type { StoredValue } from '../../main/history-store/contract'
import type { ThreadTask } from '../../main/history-store/thread'
import { childProgram } from './child-programs'

export const historyStartMs = Date.UTC(2026, 10, 2, 9)

/** Starts the history thread over real files. */
export function startHistoryThread(workerData: ThreadTask): Worker {
  return new Worker(childProgram('history-worker'), { workerData })
}

/** A streamed value of BRTI unless stated otherwise. */
export function storedValue(secondsIn: number, value: string, more: Partial<StoredValue> = {}): StoredValue {
  const publishedAtMs = historyStartMs + secondsIn * 1_000
  return {
    id: 'BRTI',
    value,
    publishedAtMs,
    learnedAtMs: publishedAtMs + 150,
    origin: 'stream',
    connection: 'Demo',
    ...more,
  }
}
