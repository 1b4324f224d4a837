import type { AssistantCall, AssistantsView } from '../../protocol/assistants'
import { levelDraft } from './sample-alerts'
import { sampleNowMs } from './sample-now'

const asked: Pick<AssistantCall, 'client' | 'tool' | 'about' | 'problem'>[] = [
  { client: 'claude-ai 0.1.0', tool: 'propose_alert', about: 'BRTI' },
  { client: 'claude-ai 0.1.0', tool: 'get_latest_values', about: 'My list' },
  { client: 'claude-ai 0.1.0', tool: 'get_value_at', about: 'BRTI, 2026-11-20 16:00 London' },
  {
    client: 'cursor-vscode 1.0.0',
    tool: 'get_latest_values',
    about: 'Majors',
    problem: 'There is no watchlist “Majors”. Choose one of: “My list”.',
  },
  { client: 'cursor-vscode 1.0.0', tool: 'list_watchlists', about: '' },
]

/** Two assistants have made calls, and one proposes an alert. */
export const sampleAssistants: AssistantsView = {
  clients: [
    { id: 'c1', name: 'claude-ai 0.1.0', sinceMs: sampleNowMs - 90_000 },
    { id: 'c2', name: 'cursor-vscode 1.0.0', sinceMs: sampleNowMs - 600_000 },
  ],
  calls: asked.map((call, at) => ({ ...call, id: `call${at}`, atMs: sampleNowMs - at * 17_300 })),
  proposals: [
    { id: 'p1', atMs: sampleNowMs - 1_000, client: 'claude-ai 0.1.0', draft: levelDraft('70000') },
    {
      id: 'p2',
      atMs: sampleNowMs - 500,
      client: 'claude-ai 0.1.0',
      draft: levelDraft('3600', { indexId: 'ETHUSD_RTI' }),
    },
  ],
}
