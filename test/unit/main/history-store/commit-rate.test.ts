import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { HistoryStore } from '../../../../main/history-store/history-store'
import { valueCount } from '../../../../main/history-store/packed-values'
import type { ThreadRequest } from '../../../../main/history-store/thread'
import { FakeClock } from '../../../support/fake-clock'
import { RecordedLog } from '../../../support/recorded-log'
import { storedValue } from '../../../support/history-thread'

/** A thread that answers immediately and records the number of values in each commit. */
class InstantThread extends EventEmitter {
  readonly #commits: number[]

  constructor(commits: number[]) {
    super()
    this.#commits = commits
    queueMicrotask(() => this.emit('message', { kind: 'opened', access: 'readWrite' }))
  }

  postMessage({ number, request }: { number: number; request: ThreadRequest }): void {
    if (request.do === 'commit') this.#commits.push(request.batches.reduce((sum, batch) => sum + valueCount(batch), 0))
    queueMicrotask(() => this.emit('message', { kind: 'answer', number, outcome: { ok: true, value: [] } }))
  }
}

test.each([10, 100, 1_000, 20_000])(
  'at %i values a second all are committed, every five seconds or 5,000 at a time',
  async (perSecond) => {
    const clock = new FakeClock()
    const commits: number[] = []
    const startThread = () => new InstantThread(commits) as unknown as Worker
    const history = new HistoryStore({ folder: '/nowhere', clock, log: new RecordedLog(), startThread })
    await history.use('real')
    const seconds = 11
    let count = 0
    for (let ms = 0; ms < seconds * 1_000; ms++) {
      for (; count < (ms * perSecond) / 1_000; count++) history.append([storedValue(ms / 1_000, String(count))])
      clock.advance(1)
      // Lets the answer of the thread arrive.
      await new Promise(setImmediate)
    }
    expect(commits.length).toBeGreaterThan(1)
    expect(commits.length).toBeLessThanOrEqual(seconds * Math.max(0.2, perSecond / 5_000))
    clock.advance(5_000)
    expect(commits.reduce((sum, each) => sum + each, 0)).toBe(count)
  },
)
