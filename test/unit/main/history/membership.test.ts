import { describe, expect, test } from 'vitest'
import { records } from '../../../../core/records'
import { recordsCsv } from '../../../../main/base/csv'
import { membership, membershipRows } from '../../../../main/history/membership'
import { maxSnapshotsInPart } from '../../../../main/history-store/contract'
import { failure, type ConstituentsPublication } from '../../../../core/model'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const startMs = Date.UTC(2026, 10, 20, 12)

type Held = Record<string, string>

/** A calculation of an index, with weights in percent. */
function calculation(atMs: number, weights: Held, divisor = '100.0000'): ConstituentsPublication {
  const constituents = Object.entries(weights).map(([constituent, weightPercent]) => ({
    constituent,
    value: '10.00',
    weightPercent,
  }))
  return { value: '1000.00', publishedAtMs: atMs, divisor, constituents }
}

const before: Held = { BTC: '60.00', ETH: '30.00', BCH: '10.00' }
const after: Held = { BTC: '60.00', ETH: '28.00', LINK: '12.00' }

function historyOf(...calculations: readonly (ConstituentsPublication | { publishedAtMs: number; broken: true })[]) {
  const history = new MemoryHistory()
  history.store.commit([
    {
      snapshots: calculations.map((each) => ({
        kind: 'constituents' as const,
        id: 'NCI',
        publishedAtMs: each.publishedAtMs,
        learnedAtMs: each.publishedAtMs,
        document: 'broken' in each ? '{' : JSON.stringify(each),
      })),
    },
  ])
  return history
}

describe('membership', () => {
  test('lists additions, removals and reweightings with the calculations around them', async () => {
    const history = historyOf(
      calculation(startMs + 5 * minuteMs, before),
      calculation(startMs + 10 * minuteMs, before),
      calculation(startMs + hourMs + 5 * minuteMs, before),
      calculation(startMs + hourMs + 10 * minuteMs, after, '101.0000'),
      calculation(startMs + hourMs + 50 * minuteMs, after, '101.0000'),
    )
    expect(valueOf(await membership(history, 'NCI'))).toEqual({
      changes: [
        {
          afterMs: startMs + hourMs + 5 * minuteMs,
          publishedAtMs: startMs + hourMs + 10 * minuteMs,
          joined: [{ key: 'LINK', weightPercent: '12.00' }],
          left: [{ key: 'BCH', weightPercent: '10.00' }],
          reweighted: [{ key: 'ETH', before: '30.00', after: '28.00' }],
          divisor: { before: '100.0000', after: '101.0000' },
        },
      ],
      hasMore: false,
      knownSinceMs: startMs + 5 * minuteMs,
    })
  })

  test('has a change within the first hour that is known, and one over a night without the app', async () => {
    const history = historyOf(
      calculation(startMs, before),
      calculation(startMs + 5 * minuteMs, after),
      calculation(startMs + 10 * minuteMs, after),
      calculation(startMs + 20 * hourMs, before),
    )
    const { changes, knownSinceMs } = valueOf(await membership(history, 'NCI'))
    expect(changes.map(({ afterMs, publishedAtMs }) => [afterMs - startMs, publishedAtMs - startMs])).toEqual([
      [10 * minuteMs, 20 * hourMs],
      [0, 5 * minuteMs],
    ])
    expect(changes.map(({ joined }) => joined[0]?.key)).toEqual(['BCH', 'LINK'])
    expect(knownSinceMs).toBe(startMs)
  })

  test('of weeks is read in parts, newest first, and as much as is asked for', async () => {
    const hours = 2 * maxSnapshotsInPart + 50
    const history = historyOf(
      ...Array.from({ length: hours }, (_, at) => calculation(startMs + at * hourMs, at % 100 < 50 ? before : after)),
    )
    const all = valueOf(await membership(history, 'NCI'))
    expect(all.changes.map(({ publishedAtMs }) => (publishedAtMs - startMs) / hourMs)).toEqual([200, 150, 100, 50])
    expect(all).toMatchObject({ hasMore: false, knownSinceMs: startMs })
    const some = valueOf(await membership(history, 'NCI', 3))
    expect(some).toEqual({ changes: all.changes.slice(0, 3), hasMore: true })
    expect(valueOf(await membership(history, 'NCI', 4))).toEqual(all)
  })

  test('is known since the first calculation, also if its hour has more than one part', async () => {
    const count = maxSnapshotsInPart + 50
    const history = historyOf(...Array.from({ length: count }, (_, at) => calculation(startMs + at * 1_000, before)))
    expect(valueOf(await membership(history, 'NCI'))).toEqual({ changes: [], hasMore: false, knownSinceMs: startMs })
  })

  test('leaves out unreadable calculations, and is empty without any', async () => {
    const history = historyOf(
      calculation(startMs, before),
      { publishedAtMs: startMs + hourMs, broken: true },
      calculation(startMs + 2 * hourMs, before),
    )
    expect(valueOf(await membership(history, 'NCI'))).toEqual({ changes: [], hasMore: false, knownSinceMs: startMs })
    expect(valueOf(await membership(history, 'BRTI'))).toEqual({ changes: [], hasMore: false })
  })

  test('is a problem where the history has one', async () => {
    const problem = failure('notReady', 'The history is not open yet.')
    expect(await membership({ query: () => Promise.resolve(problem) }, 'NCI')).toEqual(problem)
    expect(await membershipRows({ query: () => Promise.resolve(problem) }, 'NCI')).toEqual(problem)
  })

  test('is a CSV with a line for each constituent that changed, as published', async () => {
    const history = historyOf(calculation(startMs, before), calculation(startMs + minuteMs, after, '101.0000'))
    const times = 'NCI,2026-11-20T12:00:00.000Z,2026-11-20T12:01:00.000Z'
    expect(
      recordsCsv(records.constituentChange, valueOf(await membershipRows(history, 'NCI')))
        .trimEnd()
        .split('\n'),
    ).toEqual([
      'id,from,to,kind,constituent,before,after',
      `${times},added,LINK,,12.00`,
      `${times},removed,BCH,10.00,`,
      `${times},reweighted,ETH,30.00,28.00`,
      `${times},divisor,,100.0000,101.0000`,
    ])
  })
})
