import { describe, expect, test } from 'vitest'
import {
  decodeConditions,
  decodeCorporateActions,
  decodeDetail,
  decodeEnvelope,
  decodeIndex,
  decodeIndices,
  decodeLatestValues,
  decodeSummaries,
  decodeSummary,
  decodeValues,
} from '../../../../main/rest/decode'
import { parseJson } from '../../../../main/base/sanitize'
import { goldenCases, goldenText } from '../../../support/golden'

const statistics = new Map<string, (payload: unknown) => { rows: unknown[] } | undefined>([
  ['rti', decodeConditions],
  ['activecorporateaction', decodeCorporateActions],
])

/** Decodes a payload like the client, by the path of its request. */
function decodeAt(path: string, payload: unknown): unknown {
  const url = new URL(path, 'http://service.test/')
  const decodeStatistics = statistics.get(url.searchParams.get('streamtype') ?? '')
  if (decodeStatistics !== undefined) return decodeStatistics(payload)?.rows
  if (url.pathname.endsWith('/detail')) return decodeDetail(payload)
  switch (url.pathname.split('/')[1]) {
    case 'indices':
      return url.pathname === '/indices' ? decodeIndices(payload)?.rows : decodeIndex(payload)
    case 'values':
      return decodeValues(payload)?.rows
    case 'latest_values':
      return decodeLatestValues(payload)?.rows
    case 'summary':
      return decodeSummary(payload)?.summary
    case 'summaries':
      return decodeSummaries(payload)?.rows
    default:
      throw new Error(`no decoder for ${path}`)
  }
}

const bodies = goldenCases()
  // The app reads two of the stream types of `stats`.
  .filter(({ from, readable, decoded }) => from === 'rest' && (decoded !== undefined || !readable))
  .map((each) => [`${each.spec} ${each.channel}: ${each.title}`, each] as const)

describe('golden bodies of the REST interface', () => {
  test.each(bodies.filter(([, { readable }]) => readable))('%s', (_name, { file, channel, decoded }) => {
    const envelope = decodeEnvelope(parseJson(goldenText(file)))
    expect(envelope.kind).toBe('success')
    expect(envelope.kind === 'success' && decodeAt(channel, envelope.payload)).toEqual(decoded)
  })

  test.each(bodies.filter(([, { readable }]) => !readable))('%s is not a success', (_name, { file }) =>
    expect(decodeEnvelope(parseJson(goldenText(file))).kind).not.toBe('success'),
  )

  test.each([...statistics.keys()])('have one of stream type %s', (type) =>
    expect(bodies.filter(([, { channel }]) => channel.endsWith(`streamtype=${type}`))).toHaveLength(1),
  )
})
