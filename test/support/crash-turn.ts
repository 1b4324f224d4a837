import type { WriteBatch } from '../../main/history-store/contract'
import { firedEvent, levelDraft } from './sample-alerts'
import { sampleNowMs } from './sample-now'

/** A batch with a fired alert, values from catch-up, and an entry for every other table. */
export function crashTurn(number: number): WriteBatch {
  const publishedAtMs = sampleNowMs + number * 1_000
  const learned = { learnedAtMs: publishedAtMs, connection: 'Demo' } as const
  const ofRule = { ruleId: 'r0', run: number }
  return {
    values: [
      { id: 'BRTI', value: `${number}.0`, publishedAtMs, ...learned, origin: 'stream' },
      { id: `NEW${number}`, value: `${number}.5`, publishedAtMs: publishedAtMs - 500, ...learned, origin: 'catchUp' },
    ],
    spans: [{ id: 'BRTI', fromMs: 0, toMs: publishedAtMs, state: 'answered', askedAtMs: publishedAtMs }],
    rules: [{ id: 'r0', position: 1, document: `${number}` }],
    runs: [{ ...ofRule, document: '{}', startedAtMs: publishedAtMs }],
    droppedFirings: [{ ...ofRule, fromMs: 0 }],
    firings: [{ ...ofRule, publishedAtMs, direction: 'up', document: '{}' }],
    checkpoints: [{ ...ofRule, publishedAtMs, state: '{}' }],
    events: [firedEvent(number, levelDraft(), { inputs: { value: '1', publishedAtMs } })],
    documents: [{ key: 'alerts:policy', atMs: publishedAtMs, document: `${number}` }],
    snapshots: [{ kind: 'constituents', id: 'BRTI', publishedAtMs, learnedAtMs: publishedAtMs, document: '{}' }],
  }
}
