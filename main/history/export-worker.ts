/** The thread of one export: reading, encoding and writing happen here, so that the app is never held up. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ExportProgress } from '../../protocol/history'
import { exportToFile, type ExportOutcome, type ExportTask } from './export-file'

/** What the thread says; whatever it is sent cancels it. */
export type ExportMessage = { kind: 'progress'; progress: ExportProgress } | { kind: 'ended'; outcome: ExportOutcome }

const port = parentPort
if (port !== null) {
  const say = (message: ExportMessage) => {
    port.postMessage(message)
  }
  const cancelling = new AbortController()
  port.on('message', () => {
    cancelling.abort()
  })
  const onProgress = (progress: ExportProgress) => {
    say({ kind: 'progress', progress })
  }
  void exportToFile(workerData as ExportTask, { signal: cancelling.signal, onProgress }).then((outcome) => {
    say({ kind: 'ended', outcome })
    port.close()
  })
}
