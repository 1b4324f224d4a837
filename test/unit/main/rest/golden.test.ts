import { describe, expect, test } from 'vitest'
import {
  decodeDetail,
  decodeEnvelope,
  decodeIndex,
  decodeIndices,
  decodeLatestValues,
  decodeSummaries,
  decodeSummary,
  decodeValues,
} from '../../../../main/rest/decode'
import { decodeStatistics } from '../../../../main/rest/statistics'
import { statsStreamTypes } from '../../../../protocol/rest'
import { goldenCases, goldenText } from '../../../support/golden'

/** What the client makes of a payload, by the path that asked for it. */
function decodeAt(path: string, payload: unknown): unknown {
  const url = new URL(path, 'http://service.test/')
  const streamType = statsStreamTypes.find((type) => type === url.searchParams.get('streamtype'))
  if (streamType !== undefined) return decodeStatistics(streamType, payload)?.rows
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
  .filter(({ from }) => from === 'rest')
  .map((each) => [`${each.spec} ${each.channel}: ${each.title}`, each] as const)

describe('golden bodies of the REST interface', () => {
  test.each(bodies.filter(([, { readable }]) => readable))('%s', (_name, { file, channel, decoded }) => {
    const envelope = decodeEnvelope(goldenText(file))
    expect(envelope.kind).toBe('success')
    expect(envelope.kind === 'success' && decodeAt(channel, envelope.payload)).toEqual(decoded)
  })

  test.each(bodies.filter(([, { readable }]) => !readable))('%s is no success', (_name, { file }) => {
    expect(decodeEnvelope(goldenText(file)).kind).not.toBe('success')
  })

  test.each(statsStreamTypes)('have one of stream type %s', (type) => {
    expect(bodies.filter(([, { channel }]) => channel.endsWith(`streamtype=${type}`))).toHaveLength(1)
  })
})
