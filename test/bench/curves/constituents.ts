/** Run by `npm run curves` in a process of its own: CPU for a frame of constituents, from the socket on, beside a bare socket. */
import { measureFeedPath } from '../feed-path'
import type { Side } from '../floods'

/** What is measured; the answer is the samples, and between them wishes for a round of frames. */
export interface FramesTask {
  urls: Record<Side, string>
  folder: string
  workerPath: string
  count: number
}

process.once('message', (task: FramesTask) => {
  const flood = (side: Side) => {
    process.send?.({ flood: side })
  }
  measureFeedPath({ kind: 'constituents', flood, ...task }).then(
    (samples) => {
      process.send?.({ samples }, () => process.exit())
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
