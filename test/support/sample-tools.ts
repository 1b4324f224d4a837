import type { OfferedTool, ToolData, ToolResult } from '../../protocol/service-tools'

const demo = { connectionId: 'demo', connection: 'Demo', isDemo: true }
const text = (name: string, description: string) => ({ name, description, isRequired: true, kind: 'text' }) as const

/** The five tools of the demo service and their arguments. */
export const sampleTools: OfferedTool[] = [
  {
    ...demo,
    name: 'get_historical_results',
    description: 'Published values of indices at given times in the past.',
    fields: [
      {
        name: 'lookups',
        description: '',
        isRequired: true,
        kind: 'rows',
        fields: [
          text('index', 'Stream ID of an index, such as "BRR"'),
          { name: 'datetime', description: 'ISO 8601 with a zone', isRequired: true, kind: 'time' },
        ],
      },
    ],
  },
  {
    ...demo,
    name: 'get_index_info',
    description: 'How an index is calculated.\nAnswers with its methodology.',
    fields: [text('index', 'Stream ID of an index, such as "BRR"')],
  },
  {
    ...demo,
    name: 'get_supplies',
    description: 'Supply of an asset.',
    fields: [{ name: 'assets', description: 'All assets by default', isRequired: false, kind: 'texts' }],
  },
  {
    ...demo,
    name: 'get_asset_metadata',
    description: 'What an asset is, and which baskets hold it.',
    fields: [text('asset', 'Symbol of an asset, such as "BTC"')],
  },
  {
    ...demo,
    name: 'get_factors_data',
    description: 'Factor scores, betas and returns.',
    fields: [
      { name: 'kind', description: '', isRequired: true, kind: 'choice', options: ['scores', 'betas', 'returns'] },
      { name: 'startDate', description: 'First day', isRequired: false, kind: 'date' },
    ],
  },
]

/** Daily values at 16:00, ending on 19 November. */
function lookedUp(index: string, values: readonly string[]): ToolData[] {
  return values.map((value, at) => {
    const time = Date.UTC(2026, 10, 20 - values.length + at, 16)
    return { index, datetime: new Date(time).toISOString().replace('.000', ''), time, value }
  })
}

/** An answer of `get_historical_results`. */
export const sampleToolResult: ToolResult = {
  call: {
    ...{ id: 'c1', tool: 'get_historical_results', connectionId: 'demo', connection: 'Demo', isDemo: true },
    startedAtMs: Date.UTC(2026, 10, 20, 14, 2, 5),
    argumentsJson: '{"lookups":[{"index":"BRTI","datetime":"2026-11-19T16:00:00Z"}]}',
    state: 'answered',
    durationMs: 42,
  },
  answer: {
    texts: [],
    omittedCount: 0,
    data: {
      results: [
        ...lookedUp('BRTI', ['90511.48', '90980.02', '91322.75', '90874.60', '91740.10', '92418.30']),
        ...lookedUp('BRR', ['90498.11', '91002.64', '91310.00', '90881.29', '91733.37', '92409.95']),
        { index: 'NOPE', datetime: '2026-11-19T16:00:00Z', error: 'Unknown id' },
      ],
    },
  },
}

/** An answer of `get_index_info`. */
export const sampleMethodology: ToolResult = {
  call: {
    ...{ id: 'c2', tool: 'get_index_info', connectionId: 'demo', connection: 'Demo', isDemo: true },
    startedAtMs: Date.UTC(2026, 10, 20, 14, 2, 9),
    argumentsJson: '{"index":"NCI"}',
    state: 'answered',
    durationMs: 31,
  },
  answer: {
    texts: [],
    omittedCount: 0,
    data: {
      id: 'NCI',
      name: 'Nasdaq Crypto Index',
      decimals: 2,
      methodology:
        'Sum of the constituents’ prices times their units, divided by a divisor, calculated in real time. The divisor is published with the constituents. Rebalances change units, members and divisor without changing the value.',
    },
  },
}
