import { Worker } from 'node:worker_threads'
import type { TapeValue } from '../../main/tape/contract'
import type { ThreadTask } from '../../main/tape/thread'
import { childProgram } from './child-programs'

export const tapeStartMs = Date.UTC(2026, 10, 2, 9)

/** The tape's own thread, over real files. */
export function startTapeThread(workerData: ThreadTask): Worker {
  return new Worker(childProgram('tape-worker'), { workerData })
}

/** A value of BRTI by the stream, unless stated otherwise. */
export function tapeValue(secondsIn: number, value: string, more: Partial<TapeValue> = {}): TapeValue {
  const publishedAtMs = tapeStartMs + secondsIn * 1_000
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
